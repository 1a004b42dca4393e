// construct: atomic.Int64, litmus MP
// outcomes: exact
// outcome: "r1=0 r2=0\n"
// outcome: "r1=0 r2=1\n"
// outcome: "r1=1 r2=1\n"
// why: r1=1 means that flag=1, and so the earlier x=1, came before the load of flag and so before
//	the later load of x: r2=1. With r1=0 the load of x may come before or after x=1.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, flag atomic.Int64
	var r1, r2 int64
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		x.Store(1)
		flag.Store(1)
	}()
	go func() {
		defer wg.Done()
		r1 = flag.Load()
		r2 = x.Load()
	}()
	wg.Wait()
	fmt.Printf("r1=%d r2=%d\n", r1, r2)
}
