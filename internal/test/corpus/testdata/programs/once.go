// construct: sync.Once
// outcomes: exact
// outcome: "0 1\n"
// outcome: "1 1\n"
// why: one of the two functions runs, once, and both callers return after it has set the value.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var once sync.Once
	var wg sync.WaitGroup
	value, runs := -1, 0
	var seen [2]int
	wg.Add(2)
	for i := range 2 {
		go func() {
			defer wg.Done()
			once.Do(func() {
				value = i
				runs++
			})
			seen[i] = value
		}()
	}
	wg.Wait()
	if seen[0] != seen[1] {
		panic("saw different values")
	}
	fmt.Println(seen[0], runs)
}
