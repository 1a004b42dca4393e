// construct: atomic.Uint32 And and Or, atomic.OrInt32, atomic.AndUint64
// outcomes: exact
// outcome: "3 3 7\n"
// outcome: "3 7 3\n"
// why: x is 3. Or(4) then And(3): old values 3 and 7, x ends as 3. And(3) then Or(4): old values 3
//	and 3, x ends as 7. The function forms at the end run alone.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x atomic.Uint32
	x.Store(3)
	var byOr, byAnd uint32
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { byOr = x.Or(4); wg.Done() }()
	go func() { byAnd = x.And(3); wg.Done() }()
	wg.Wait()
	fmt.Println(byOr, byAnd, x.Load())
	var a int32 = 5
	var b uint64 = 1<<63 | 9
	if atomic.OrInt32(&a, 2) != 5 || a != 7 {
		panic("OrInt32")
	}
	if atomic.AndUint64(&b, 1<<63|1) != 1<<63|9 || b != 1<<63|1 {
		panic("AndUint64")
	}
}
