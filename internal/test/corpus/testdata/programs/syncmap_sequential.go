// construct: sync.Map CompareAndSwap, CompareAndDelete, Clear, Range with stop
// outcomes: exact
// outcome: "false true false true 2 1 0\n"
// why: one goroutine only; each operation as documented, Range stops when told to.

package main

import (
	"fmt"
	"sync"
)

func count(m *sync.Map, limit int) int {
	n := 0
	m.Range(func(k, v any) bool {
		n++
		return n < limit
	})
	return n
}

func main() {
	var m sync.Map
	m.Store(1, "a")
	m.Store(2, "b")
	m.Store(3, "c")
	a := m.CompareAndSwap(1, "b", "z")
	b := m.CompareAndSwap(1, "a", "z")
	c := m.CompareAndDelete(2, "a")
	d := m.CompareAndDelete(2, "b")
	all, first := count(&m, 10), count(&m, 1)
	m.Clear()
	fmt.Println(a, b, c, d, all, first, count(&m, 10))
}
