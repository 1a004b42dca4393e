// construct: atomic.Int32, litmus 2+2W
// outcomes: exact
// outcome: "x=1 y=2\n"
// outcome: "x=2 y=1\n"
// outcome: "x=2 y=2\n"
// why: x=1 at the end puts y=1 < x=2 < x=1 < y=2, so y=2. x=1 and y=1 is therefore impossible;
//	one thread after the other gives two outcomes, both second writes last gives the third.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		x.Store(1)
		y.Store(2)
		wg.Done()
	}()
	go func() {
		y.Store(1)
		x.Store(2)
		wg.Done()
	}()
	wg.Wait()
	fmt.Printf("x=%d y=%d\n", x.Load(), y.Load())
}
