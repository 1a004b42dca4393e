// construct: time.AfterFunc, Stop
// outcomes: exact
// outcome: "called\n"
// outcome: "stopped\n"
// why: either Stop prevents the call, or the function runs in its own goroutine and is waited for.

package main

import (
	"fmt"
	"time"
)

func main() {
	done := make(chan string, 1)
	t := time.AfterFunc(20*time.Microsecond, func() { done <- "called" })
	time.Sleep(10 * time.Microsecond)
	if t.Stop() {
		done <- "stopped"
	}
	fmt.Println(<-done)
}
