// construct: unbuffered channels, deadlock of a cycle
// outcomes: exact
// outcome: deadlock
// waits: chan send, chan send
// why: both send first, and nobody is left to receive.

package main

func main() {
	a, b := make(chan int), make(chan int)
	go func() {
		a <- 1
		<-b
	}()
	b <- 1
	<-a
}
