// construct: CompareAndSwap and the ABA problem, array as memory
// outcomes: exact
// outcome: "ok=false s=true,true,true top=1\n"
// outcome: "ok=true s=false,true,true top=1\n"
// outcome: "ok=true s=true,true,true top=0\n"
// outcome: "ok=true s=true,true,true top=2\n"
// why: the stack is 1 -> 2. The slow thread pops 1: n is 1's successor, then CAS(top, 1, n). The other
//	pops 1, pops 2, pushes 1 back. Slow CAS first (n=2): the other's first CAS fails, its second pops 2, its push works.
//	Slow CAS between: fails. Slow CAS last: succeeds, with the new successor 0 or, the ABA
//	problem, with the stale 2.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var top atomic.Int32
	var next [3]atomic.Int32
	top.Store(1)
	next[1].Store(2)
	done := make(chan bool)
	var ok bool
	go func() {
		n := next[1].Load()
		ok = top.CompareAndSwap(1, n)
		done <- true
	}()
	s1 := top.CompareAndSwap(1, 2)
	s2 := top.CompareAndSwap(2, 0)
	next[1].Store(0)
	s3 := top.CompareAndSwap(0, 1)
	<-done
	fmt.Printf("ok=%t s=%t,%t,%t top=%d\n", ok, s1, s2, s3, top.Load())
}
