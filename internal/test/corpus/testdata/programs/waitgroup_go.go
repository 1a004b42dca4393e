// construct: sync.WaitGroup Go
// outcomes: exact
// outcome: "3\n"
// why: Wait returns only after both functions have; additions commute.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(2) })
	wg.Wait()
	fmt.Println(n.Load())
}
