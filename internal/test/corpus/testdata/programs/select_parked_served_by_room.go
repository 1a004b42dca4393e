// construct: select, parked at an unbuffered channel and a full buffer
// outcomes: exact
// outcome: "1 nobody b 2\n"
// why: as soon as there is room in the buffer the goroutine has put its value there, be it parked
//	or not there yet.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int, 1)
	b <- 1
	done := make(chan string)
	go func() {
		select {
		case a <- 3:
			done <- "a"
		case b <- 2:
			done <- "b"
		}
	}()
	fmt.Print(<-b, " ")
	select {
	case x := <-a:
		fmt.Print("got ", x, " ")
	default:
		fmt.Print("nobody ")
	}
	fmt.Println(<-done, <-b)
}
