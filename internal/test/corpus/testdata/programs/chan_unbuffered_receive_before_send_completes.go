// construct: unbuffered channel as a signal to the sender
// outcomes: exact
// outcome: "hello\n"
// why: a receive from an unbuffered channel is synchronized before the completion of the send.

package main

import "fmt"

var text string

func main() {
	c := make(chan int)
	go func() {
		text = "hello"
		<-c
	}()
	c <- 0
	fmt.Println(text)
}
