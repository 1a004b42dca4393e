// construct: select, parked as a sender at a channel that is closed
// outcomes: exact
// outcome: panic "send on closed channel"
// outcome: "nobody\n" panic "send on closed channel"
// why: the goroutine panics when the channel is closed, or when it comes to it; main can print
//	before that ends the program, and waits for ever then.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int)
	go func() {
		select {
		case a <- 1:
		case b <- 2:
		}
	}()
	close(b)
	select {
	case <-a:
		fmt.Println("got")
	default:
		fmt.Println("nobody")
	}
	select {}
}
