// construct: deadlock after different outputs
// outcomes: exact
// outcome: "a\n" deadlock
// waits: chan receive
// outcome: "b\n" deadlock
// waits: chan receive
// why: two values are offered, one is printed, then main waits for a third that nobody sends.

package main

import "fmt"

func main() {
	c := make(chan string)
	go func() { c <- "a" }()
	go func() { c <- "b" }()
	fmt.Println(<-c)
	<-c
	<-c
}
