// construct: close of nil channel
// outcomes: exact
// outcome: panic "close of nil channel"
// why: one goroutine only.

package main

func main() {
	var c chan int
	close(c)
}
