// construct: time.Sleep and time.After while main waits
// outcomes: exact
// outcome: "awake\n"
// why: a goroutine that sleeps will go on, so the others do not deadlock.

package main

import (
	"fmt"
	"time"
)

func main() {
	c := make(chan bool)
	go func() {
		time.Sleep(100 * time.Microsecond)
		<-time.After(100 * time.Microsecond)
		c <- true
	}()
	<-c
	fmt.Println("awake")
}
