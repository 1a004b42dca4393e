// Containers of the standard library, sorting, iterators.
package main

import (
	"container/heap"
	"container/list"
	"container/ring"
	"iter"
	"maps"
	"slices"
	"sort"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func upTo(n int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for i := range n {
			if !yield(i, i*i) {
				return
			}
		}
	}
}

func main() {
	h := &ints{3, 1}
	heap.Init(h)
	heap.Push(h, 2)
	println(heap.Pop(h).(int))
	l := list.New()
	l.PushBack(1)
	println(l.Len(), ring.New(3).Len())
	xs := []int{3, 1, 2}
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
	slices.SortFunc(xs, func(a, b int) int { return b - a })
	sort.Sort(sort.Reverse(ints(xs)))
	for _, k := range slices.Sorted(maps.Keys(map[string]int{"a": 1, "b": 2})) {
		println(k, slices.Contains(xs, 2))
	}
	next, stop := iter.Pull2(upTo(3))
	defer stop()
	println(next())
	c := maps.Clone(map[int]int{1: 2})
	println(len(c))
}
