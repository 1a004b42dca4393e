// construct: sync.Map LoadOrStore
// outcomes: exact
// outcome: "a a true false\n"
// outcome: "b b false true\n"
// why: the first call stores, the second finds the stored value.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var m sync.Map
	var got [2]any
	var found [2]bool
	var wg sync.WaitGroup
	wg.Add(2)
	for i, v := range []string{"a", "b"} {
		go func() {
			got[i], found[i] = m.LoadOrStore("k", v)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(got[0], got[1], !found[0], !found[1])
}
