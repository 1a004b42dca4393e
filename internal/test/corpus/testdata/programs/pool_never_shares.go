// construct: sync.Pool, two goroutines
// outcomes: exact
// outcome: "different\n"
// why: an item that was taken is not in the pool, so the two goroutines never hold the same one.

package main

import (
	"fmt"
	"sync"
)

func main() {
	p := sync.Pool{New: func() any { return new(int) }}
	p.Put(new(int))
	var got [2]*int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range got {
		go func() {
			got[i] = p.Get().(*int)
			wg.Done()
		}()
	}
	wg.Wait()
	if got[0] == got[1] {
		fmt.Println("same")
	} else {
		fmt.Println("different")
	}
}
