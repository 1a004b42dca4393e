// construct: atomic.Uint32, four goroutines, litmus IRIW
// outcomes: exact
// outcome: "0 0 0 0\n"
// outcome: "0 0 0 1\n"
// outcome: "0 0 1 0\n"
// outcome: "0 0 1 1\n"
// outcome: "0 1 0 0\n"
// outcome: "0 1 0 1\n"
// outcome: "0 1 1 0\n"
// outcome: "0 1 1 1\n"
// outcome: "1 0 0 0\n"
// outcome: "1 0 0 1\n"
// outcome: "1 0 1 1\n"
// outcome: "1 1 0 0\n"
// outcome: "1 1 0 1\n"
// outcome: "1 1 1 0\n"
// outcome: "1 1 1 1\n"
// why: only 1 0 1 0 is impossible: the first reader saw x=1 before y=1 happened, the second saw
//	y=1 before x=1 happened. For any other vector, place each reader's two loads around the two
//	stores; a reader that saw 0 0 or 1 1 or 0 1 fits either order of the stores.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var x, y atomic.Uint32
	var r [4]uint32
	var wg sync.WaitGroup
	wg.Add(4)
	go func() { x.Store(1); wg.Done() }()
	go func() { y.Store(1); wg.Done() }()
	go func() { r[0] = x.Load(); r[1] = y.Load(); wg.Done() }()
	go func() { r[2] = y.Load(); r[3] = x.Load(); wg.Done() }()
	wg.Wait()
	fmt.Println(r[0], r[1], r[2], r[3])
}
