// construct: atomic.Int64 Add, closure
// outcomes: exact
// outcome: "1 2 3\n"
// outcome: "1 3 2\n"
// outcome: "2 1 3\n"
// outcome: "2 3 1\n"
// outcome: "3 1 2\n"
// outcome: "3 2 1\n"
// why: three indivisible additions in any of the 3! orders; each thread learns its place.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var n atomic.Int64
	var got [3]int64
	var wg sync.WaitGroup
	take := func(i int) {
		defer wg.Done()
		got[i] = n.Add(1)
	}
	wg.Add(3)
	for i := 0; i < 3; i++ {
		go take(i)
	}
	wg.Wait()
	fmt.Println(got[0], got[1], got[2])
}
