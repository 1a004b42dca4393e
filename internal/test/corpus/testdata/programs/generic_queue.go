// construct: generic type with methods, constraint, lock
// outcomes: exact
// outcome: "3 xy\n"
// outcome: "3 yx\n"
// why: sums commute, concatenation shows the order of the two pushes.

package main

import (
	"fmt"
	"sync"
)

type addable interface{ ~int | ~string }

type total[T addable] struct {
	mu  sync.Mutex
	sum T
}

func (t *total[T]) add(v T) {
	t.mu.Lock()
	t.sum += v
	t.mu.Unlock()
}

func main() {
	var ints total[int]
	var words total[string]
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { words.add("x"); ints.add(1); wg.Done() }()
	go func() { ints.add(2); words.add("y"); wg.Done() }()
	wg.Wait()
	fmt.Println(ints.sum, words.sum)
}
