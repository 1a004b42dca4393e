// construct: sync.WaitGroup misuse, panic
// outcomes: exact
// outcome: panic "sync: negative WaitGroup counter"
// why: three Done after Add(2): whichever goroutine is last panics, and main, which needs the counter
//	to be waited for after that goroutine is known to have run, cannot end before.

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	done := make(chan bool)
	wg.Add(2)
	for range 3 {
		go func() {
			wg.Done()
			done <- true
		}()
	}
	<-done
	<-done
	<-done
}
