// construct: atomic.Pointer[T] Swap and CompareAndSwap, generic type
// outcomes: exact
// outcome: "a got init, b got a, left b\n"
// outcome: "b got init, a got b, left a\n"
// why: two swaps in either order hand the value on.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type cell[T any] struct{ p atomic.Pointer[T] }

func (c *cell[T]) put(v T) T { return *c.p.Swap(&v) }

func main() {
	var c cell[string]
	first := "init"
	c.p.Store(&first)
	if c.p.CompareAndSwap(new(string), &first) {
		panic("equal contents are not equal pointers")
	}
	var a, b string
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a = c.put("a"); wg.Done() }()
	go func() { b = c.put("b"); wg.Done() }()
	wg.Wait()
	if a == "init" {
		fmt.Printf("a got %s, b got %s, left %s\n", a, b, *c.p.Load())
	} else {
		fmt.Printf("b got %s, a got %s, left %s\n", b, a, *c.p.Load())
	}
}
