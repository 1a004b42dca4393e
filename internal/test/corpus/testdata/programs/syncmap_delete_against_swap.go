// construct: sync.Map LoadAndDelete, Swap, Range
// outcomes: exact
// outcome: "1 true <nil> false 1\n"
// outcome: "2 true 1 true 0\n"
// why: the map starts with k=1. Delete first: it takes 1, and the swap finds nothing and leaves one entry.
//	Swap first: it finds 1, and the delete takes 2.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var m sync.Map
	m.Store("k", 1)
	var deleted, swapped any
	var wasThere, loaded bool
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { deleted, wasThere = m.LoadAndDelete("k"); wg.Done() }()
	go func() { swapped, loaded = m.Swap("k", 2); wg.Done() }()
	wg.Wait()
	n := 0
	m.Range(func(k, v any) bool { n++; return true })
	fmt.Println(deleted, wasThere, swapped, loaded, n)
}
