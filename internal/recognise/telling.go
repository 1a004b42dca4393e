// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Telling is how strongly names tell the kind of a collection.
type Telling int

const (
	// Open: a queue or a stack with methods such as Push and Pop only, and what holds a
	// number, whose first value nothing tells.
	Open Telling = iota
	// ByMethods: names such as Enqueue, RemoveMin, or Add with Contains.
	ByMethods
	// ByType: the type itself is called a queue, a stack, a set, or has all methods of sync/atomic.
	ByType
)

// Tells says what tells the kind of a collection.
func Tells(c *collection.Collection) Telling {
	if slices.Contains(Called(c), c.Kind) {
		return ByType
	}
	switch c.Kind {
	case oracle.Queue, oracle.Stack:
		if !slices.ContainsFunc(c.Operations, func(o collection.Operation) bool {
			bare, _ := untried(o.Name)
			_, _, end := end(o.Name)
			return slices.Contains(fifoNames(), bare) || end && o.Op.Role == oracle.Take
		}) {
			return Open
		}
	case oracle.Counter, oracle.Register:
		return Open
	}
	return ByMethods
}

// Called lists the kinds that a type's name allows; none if it says nothing. What is called
// a queue may serve the smallest first, or have two ends.
func Called(c *collection.Collection) []oracle.Kind {
	typ, _, _ := strings.Cut(c.Type, "[")
	name := fold(typ)
	if strings.Contains(name, "multiset") || strings.Contains(name, "multimap") || strings.Contains(name, "multibag") {
		return nil // of each item as many as one likes
	}
	for _, w := range []struct {
		is    bool
		kinds []oracle.Kind
	}{
		{strings.Contains(name, "priority") || isHeap(typ) || isPQueue(typ), []oracle.Kind{oracle.PQueue}},
		{strings.Contains(name, "deque"), []oracle.Kind{oracle.Deque}},
		{strings.Contains(name, "fifo"), []oracle.Kind{oracle.Queue}},
		{strings.Contains(name, "lifo"), []oracle.Kind{oracle.Stack}},
		{strings.Contains(name, "queue"), []oracle.Kind{oracle.Queue, oracle.PQueue, oracle.Deque}},
		{strings.Contains(name, "stack"), []oracle.Kind{oracle.Stack}},
		{endsIn(name, "set", noSets), []oracle.Kind{oracle.Set}},
		{endsIn(name, "map", noMaps), []oracle.Kind{oracle.Map}},
		{c.Kind == oracle.Register && swaps(c), []oracle.Kind{oracle.Register}},
	} {
		if w.is {
			return w.kinds
		}
	}
	return nil
}

// noSets and noMaps are words that end in set, or map, and name something else.
var (
	noSets = []string{"offset", "reset", "asset", "preset", "dataset", "changeset", "toolset", "headset", "upset", "onset", "outset", "mindset"}
	noMaps = []string{"bitmap", "heatmap", "roadmap", "sitemap", "pixmap", "colormap"}
)

// endsIn reports whether a folded name ends in a word, and in none of others.
func endsIn(name, word string, others []string) bool {
	return strings.HasSuffix(name, word) && !slices.ContainsFunc(others, func(w string) bool { return strings.HasSuffix(name, w) })
}

// Unmistakable says that the name of an operation tells what it has to give, whatever else the type does: DeleteMin,
// RemoveMin, PopMin and ExtractMin of a priority queue give the smallest of what there is, PopMax the largest. Enqueue and Dequeue do not: many a
// priority queue has them.
func Unmistakable(c *collection.Collection, operation string) bool {
	bare, _ := untried(operation)
	return c.Kind == oracle.PQueue && (slices.Contains(minNames(), bare) || slices.Contains(maxNames(), bare))
}

// swaps says that a register has Load, Store and Swap or CompareAndSwap, as those of sync/atomic,
// which is as good as their name.
func swaps(c *collection.Collection) bool {
	has := func(r oracle.Role) bool {
		return slices.ContainsFunc(c.Operations, func(o collection.Operation) bool { return o.Op.Role == r })
	}
	return has(oracle.Load) && has(oracle.Store) && (has(oracle.Swap) || has(oracle.CompareAndSwap))
}
