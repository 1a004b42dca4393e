// construct: sync.Map
// outcomes: exact
// outcome: "2 false\n1\n"
// why: one goroutine; a Range goes on over what a Clear has taken away, and does not find what a Delete has.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var m sync.Map
	m.Store(1, 1)
	m.Store(2, 2)
	seen := 0
	m.Range(func(_, _ any) bool {
		seen++
		m.Clear()
		m.Store(9, 9)
		return true
	})
	_, there := m.Load(1)
	fmt.Println(seen, there)
	seen = 0
	m.Store(1, 1)
	m.Range(func(_, _ any) bool {
		seen++
		m.Delete(1)
		m.Delete(9)
		return true
	})
	fmt.Println(seen)
}
