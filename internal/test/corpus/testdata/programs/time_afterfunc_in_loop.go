// construct: time.AfterFunc in a loop
// outcomes: exact
// outcome: "0 stopped, 2 called\n"
// outcome: "1 stopped, 1 called\n"
// outcome: "2 stopped, 0 called\n"
// why: each of the two either is stopped before it fires, or its function runs in a goroutine of its own and is waited for.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var wg sync.WaitGroup
	var called atomic.Int64
	stopped := 0
	for i := range 2 {
		wg.Add(1)
		t := time.AfterFunc(time.Duration(i*20)*time.Microsecond, func() { called.Add(1); wg.Done() })
		time.Sleep(10 * time.Microsecond)
		if t.Stop() {
			stopped++
			wg.Done()
		}
	}
	wg.Wait()
	fmt.Println(stopped, "stopped,", called.Load(), "called")
}
