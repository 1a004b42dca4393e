// construct: select, parked at two channels of which one is closed
// outcomes: exact
// outcome: "nobody closed\n"
// why: a close lets go on who is parked at the channel; who comes later finds it closed, and nobody
//	parked at the other one.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int)
	done := make(chan string)
	go func() {
		select {
		case <-a:
			done <- "a"
		case <-b:
			done <- "closed"
		}
	}()
	close(b)
	select {
	case a <- 2:
		fmt.Print("sent ")
	default:
		fmt.Print("nobody ")
	}
	fmt.Println(<-done)
}
