// construct: nil channel, deadlock
// outcomes: exact
// outcome: deadlock
// waits: chan receive (nil chan), chan send (nil chan)
// why: operations on a nil channel block for ever.

package main

func main() {
	var c chan int
	go func() { c <- 1 }()
	<-c
}
