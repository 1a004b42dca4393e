// SPDX-License-Identifier: BSD-3-Clause

package memo

import "sync/atomic"

// Numbers gives values the numbers 0, 1, 2, … in the order in which they come, and finds them again. The zero
// Numbers has none. Of and Find are for one goroutine at a time, under a lock of the caller's; At needs none.
type Numbers[T comparable] struct {
	number map[T]int
	values Growing[T]
}

// Of is the number of a value, which gets the next one if it has none.
func (n *Numbers[T]) Of(v T) (number int, isNew bool) {
	i, ok := n.number[v]
	if ok {
		return i, false
	}
	if n.number == nil {
		n.number = make(map[T]int)
	}
	i = len(n.number)
	n.number[v] = i
	n.values.Append(v)
	return i, true
}

// Find is the number of a value that has one. It may run beside other calls of Find.
func (n *Numbers[T]) Find(v T) (number int, ok bool) {
	i, ok := n.number[v]
	return i, ok
}

// At is the value with a number that has been given; it must not be changed.
func (n *Numbers[T]) At(number int) *T { return &n.values.All()[number] }

// All are the values with numbers, in the order of these; they must not be changed.
func (n *Numbers[T]) All() []T { return n.values.All() }

// Len is how many values have numbers: under the lock, like Find.
func (n *Numbers[T]) Len() int { return len(n.number) }

// Growing is a list that is read while one goroutine at a time, under a lock of its own, appends to it.
type Growing[T any] struct{ list atomic.Pointer[[]T] }

// All is what has been appended so far.
func (g *Growing[T]) All() []T {
	if p := g.list.Load(); p != nil {
		return *p
	}
	return nil
}

// Append appends values. Who has called All before sees none of them.
func (g *Growing[T]) Append(v ...T) {
	list := append(g.All(), v...) // readers look no further than their own length
	g.list.Store(&list)
}
