// construct: sync.WaitGroup, Add inside the goroutine
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// why: Wait does not wait if it comes before Add; otherwise it sees the increment. The load after
//	an early Wait may still come after the increment, which gives 1 as well.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var wg sync.WaitGroup
	var n atomic.Int32
	go func() {
		wg.Add(1)
		n.Add(1)
		wg.Done()
	}()
	wg.Wait()
	fmt.Println(n.Load())
}
