// construct: sync.Mutex, deadlock by lock order
// outcomes: exact
// outcome: "done\n"
// outcome: deadlock
// waits: sync.Mutex.Lock, sync.Mutex.Lock, sync.WaitGroup.Wait
// why: each thread may take its first lock before the other takes its second: then both wait for
//	ever and so does main. If one thread gets both locks first, both finish.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		wg.Done()
	}()
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
		wg.Done()
	}()
	wg.Wait()
	fmt.Println("done")
}
