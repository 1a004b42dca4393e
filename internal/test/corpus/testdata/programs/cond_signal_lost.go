// construct: sync.Cond, lost wakeup, deadlock
// outcomes: exact
// outcome: "woken\n"
// outcome: deadlock
// waits: sync.Cond.Wait
// why: a signal is not remembered. If it comes before Wait, main waits for ever.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	mu.Lock()
	go cond.Signal()
	cond.Wait()
	mu.Unlock()
	fmt.Println("woken")
}
