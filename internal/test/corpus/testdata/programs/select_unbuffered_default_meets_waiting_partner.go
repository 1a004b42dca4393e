// construct: select with default, unbuffered channel
// outcomes: exact
// outcome: "left\n"
// outcome: "met\n"
// why: the send case can proceed only if the receiver already waits; otherwise default is taken and
//	closing the channel lets the receiver go.

package main

import "fmt"

func main() {
	c := make(chan int)
	done := make(chan bool)
	go func() {
		<-c
		done <- true
	}()
	select {
	case c <- 1:
		fmt.Println("met")
	default:
		fmt.Println("left")
		close(c)
	}
	<-done
}
