// construct: select with time.After
// outcomes: exact
// outcome: "timeout\n"
// outcome: "value\n"
// why: time is a choice: the timer may fire at any moment, so before or after the send.

package main

import (
	"fmt"
	"time"
)

func main() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
		fmt.Println("value")
	case <-time.After(50 * time.Microsecond):
		fmt.Println("timeout")
	}
}
