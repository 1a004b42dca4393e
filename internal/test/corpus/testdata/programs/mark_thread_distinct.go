// construct: mark.Thread, several goroutines
// outcomes: exact
// outcome: "true true\n"
// why: the numbers of two threads differ, and each thread keeps its own.

package main

import (
	"fmt"
	"sync"

	"pangolin/mark"
)

func main() {
	var id [2]int
	var same [2]bool
	var wg sync.WaitGroup
	for i := range id {
		wg.Add(1)
		go func() {
			id[i] = mark.Thread()
			same[i] = mark.Thread() == id[i]
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(id[0] != id[1], same[0] && same[1])
}
