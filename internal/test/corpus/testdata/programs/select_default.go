// construct: select with default
// outcomes: exact
// outcome: "got 1\n"
// outcome: "nothing\n"
// why: the send to the buffer comes before the select or after it.

package main

import "fmt"

func main() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case v := <-c:
		fmt.Println("got", v)
	default:
		fmt.Println("nothing")
	}
}
