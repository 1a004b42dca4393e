// construct: select with a send on a closed channel
// outcomes: exact
// outcome: "received\n"
// outcome: panic "send on closed channel"
// why: both cases can proceed, a send on a closed channel by panicking; the choice is free.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int, 1)
	close(a)
	b <- 1
	select {
	case a <- 1:
	case <-b:
		fmt.Println("received")
	}
}
