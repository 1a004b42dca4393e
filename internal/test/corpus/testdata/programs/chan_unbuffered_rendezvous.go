// construct: unbuffered channel
// outcomes: exact
// outcome: "1 true\n"
// why: the send completes only with the receive, and what came before the send is visible after it.

package main

import "fmt"

func main() {
	c := make(chan int)
	before := false
	go func() {
		before = true
		c <- 1
	}()
	v := <-c
	fmt.Println(v, before)
}
