// construct: close, panic in a goroutine
// outcomes: exact
// outcome: "sent 1\n"
// outcome: panic "send on closed channel"
// why: the send may come before the close, then main drains the value and knows; or after it, then it panics
//	while main waits for word from the goroutine.

package main

import "fmt"

func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		done <- true
	}()
	close(c)
	<-done
	fmt.Println("sent", <-c)
}
