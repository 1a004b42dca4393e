// construct: select, parked at an unbuffered and a buffered channel
// outcomes: exact
// outcome: "nobody b\n"
// why: whether the goroutine has parked or comes later, the value in the buffer is all it can
//	take: once it has been served it is nobody's partner on the other channel.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int, 1)
	done := make(chan string)
	go func() {
		select {
		case <-a:
			done <- "a"
		case <-b:
			done <- "b"
		}
	}()
	b <- 1
	select {
	case a <- 2:
		fmt.Print("sent ")
	default:
		fmt.Print("nobody ")
	}
	fmt.Println(<-done)
}
