// construct: close of a buffered channel
// outcomes: exact
// outcome: "7 true 8 true 0 false\n"
// why: one goroutine only; buffered values are delivered before the end is reported.

package main

import "fmt"

func main() {
	c := make(chan int, 3)
	c <- 7
	c <- 8
	close(c)
	a, ok1 := <-c
	b, ok2 := <-c
	d, ok3 := <-c
	fmt.Println(a, ok1, b, ok2, d, ok3)
}
