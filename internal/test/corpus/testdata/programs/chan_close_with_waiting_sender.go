// construct: close, blocked sender panics
// outcomes: exact
// outcome: panic "send on closed channel"
// why: nobody ever receives, so the send can only end by the close, whether it waits already or
//	comes later.

package main

func main() {
	c := make(chan int)
	done := make(chan bool)
	go func() {
		c <- 1
		done <- true
	}()
	close(c)
	<-done
}
