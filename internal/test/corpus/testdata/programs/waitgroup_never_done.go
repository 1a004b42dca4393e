// construct: sync.WaitGroup, deadlock
// outcomes: exact
// outcome: deadlock
// waits: sync.WaitGroup.Wait
// why: the counter stays at 1 after the only goroutine has ended.

package main

import "sync"

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go wg.Done()
	wg.Wait()
}
