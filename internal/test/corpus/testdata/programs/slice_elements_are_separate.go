// construct: interior pointers, disjoint elements of one slice
// outcomes: exact
// outcome: "[10 20]\n"
// why: the two goroutines touch different elements, which is no race.

package main

import (
	"fmt"
	"sync"
)

func main() {
	s := []int{1, 2}
	var wg sync.WaitGroup
	for i := range s {
		p := &s[i]
		wg.Add(1)
		go func() {
			*p *= 10
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(s)
}
