// construct: close of closed channel
// outcomes: exact
// outcome: panic "close of closed channel"
// why: both goroutines close it; the second to do so panics before main has heard from both.

package main

func main() {
	c := make(chan int)
	done := make(chan bool)
	for range 2 {
		go func() {
			close(c)
			done <- true
		}()
	}
	<-done
	<-done
}
