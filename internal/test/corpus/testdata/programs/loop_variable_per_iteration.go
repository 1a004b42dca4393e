// construct: loop variables captured by goroutines
// outcomes: exact
// outcome: "0 1 2\n"
// why: since Go 1.22 each iteration has its own variable, also of a three-clause loop.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var got [3]int
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			got[i] = i
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(got[0], got[1], got[2])
}
