// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"slices"
	"testing"

	"pangolin/internal/collection"
)

// What names and types are taken to mean, one by one.

func TestWords_AreThoseOfIdentifiersAndPaths(t *testing.T) {
	for name, want := range map[string][]string{
		"TryPushHTTPItem":       {"try", "push", "http", "item"},
		"example.com/lock-free": {"example", "com", "lock", "free"},
		"ring_buffer/v2":        {"ring", "buffer", "v2"},
		"//a":                   {"a"},
		"X":                     {"x"},
		"":                      nil,
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("%q has the words %q, want %q", name, got, want)
		}
	}
}

func TestHintsOf_ReadsNames(t *testing.T) {
	for name, want := range map[string]hints{
		"RingBuffer":        {fifo: true},
		"lockfree_ring":     {fifo: true},
		"ringbuf":           {fifo: true},
		"OrderingStack":     {lifo: true},
		"StringRing":        {fifo: true},
		"StringList":        {},
		"monitoring":        {},
		"IntStack":          {lifo: true},
		"SynchronousQueue":  {fifo: true, synchronous: true},
		"AsynchronousQueue": {fifo: true},
		"PriorityQueue":     {fifo: true, priority: true},
		"CheapStack":        {lifo: true},
		"MPQ":               {},
		"MinPQ":             {priority: true, first: collection.Smallest},
		"MaxHeap":           {priority: true, first: collection.Largest},
		"MaxSizeHeap":       {priority: true},
		"MinMaxHeap":        {priority: true},
		"GroupQueue":        {fifo: true},
		"CheapQueue":        {fifo: true},
		"IntPQueue":         {fifo: true, priority: true},
		"minheap":           {priority: true},
		"Chan":              {fifo: true},
		"Changes":           {},
		"UnboundedDeque":    {unbounded: true},
		"BoundedQueue":      {fifo: true, unbounded: false},
		"ExpiringSet":       {forgets: true},
		"LRU":               {forgets: true},
	} {
		if got := hintsOf(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestComparison_IsToldByNameAndResult(t *testing.T) {
	number, truth, text := types.Typ[types.Int], types.Typ[types.Bool], types.Typ[types.String]
	list := types.NewSlice(number)
	for _, c := range []struct {
		name string
		a, r types.Type
		want string
	}{
		{"less", number, truth, "return a < b"},
		{"comparebefore", text, truth, "return a < b"},
		{"equal", number, truth, "return a == b"},
		{"same", list, truth, ""}, // slices cannot be compared
		{"less", list, truth, ""},
		{"keep", number, truth, ""}, // whatever it is
		{"anything", number, number, "if a < b { return -1 }; if a > b { return 1 }; return 0"},
		{"anything", list, number, ""},
		{"less", number, text, ""},
	} {
		if got := comparison(c.name, c.a, c.r); got != c.want {
			t.Errorf("%s of %s, which returns %s: %q, want %q", c.name, c.a, c.r, got, c.want)
		}
	}
}

func TestHasPart_LooksIntoTypes(t *testing.T) {
	c := check(t, "example.com/p", `package p
type Leaf struct{ n int }
type Pair struct{ a string; b *Leaf }
type Held struct{ m map[string][]Leaf }
type Key struct{ m map[Leaf]bool }
type Other struct{ s string; f func(Leaf); list *Other }`)
	of := func(name string) types.Type { return c.pkg.Scope().Lookup(name).Type() }
	for name, want := range map[string]bool{"Leaf": true, "Pair": true, "Held": true, "Key": true, "Other": false} {
		if got := hasPart(of(name), of("Leaf"), 0); got != want {
			t.Errorf("%s has a part of type Leaf: %t", name, got)
		}
	}
	if hasPart(types.NewSlice(types.Typ[types.Int]), of("Leaf"), 0) || hasPart(types.NewChan(types.SendRecv, types.Typ[types.String]), of("Leaf"), 0) || hasPart(types.Typ[types.Int], of("Leaf"), 0) {
		t.Error("numbers have a part of type Leaf")
	}
}
