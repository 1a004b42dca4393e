// construct: buffered channel, deadlock
// outcomes: exact
// outcome: "sent 2\n" deadlock
// waits: chan send
// why: nobody receives, and the third send finds the buffer of two full.

package main

import "fmt"

func main() {
	c := make(chan int, 2)
	c <- 1
	c <- 2
	fmt.Println("sent", len(c))
	c <- 3
	fmt.Println("sent", len(c))
}
