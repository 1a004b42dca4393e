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
	name, _, _ := strings.Cut(fold(c.Type), "[")
	if strings.Contains(name, "multi") {
		return nil // of each item as many as one likes
	}
	for _, w := range []struct {
		word  string
		kinds []oracle.Kind
	}{
		{"priority", []oracle.Kind{oracle.PQueue}},
		{"heap", []oracle.Kind{oracle.PQueue}},
		{"deque", []oracle.Kind{oracle.Deque}},
		{"fifo", []oracle.Kind{oracle.Queue}},
		{"queue", []oracle.Kind{oracle.Queue, oracle.PQueue, oracle.Deque}},
		{"lifo", []oracle.Kind{oracle.Stack}},
		{"stack", []oracle.Kind{oracle.Stack}},
	} {
		if strings.Contains(name, w.word) {
			return w.kinds
		}
	}
	switch { // short words are parts of others
	case strings.HasSuffix(name, "set"):
		return []oracle.Kind{oracle.Set}
	case strings.HasSuffix(name, "map"):
		return []oracle.Kind{oracle.Map}
	case c.Kind == oracle.Register && swaps(c):
		return []oracle.Kind{oracle.Register}
	}
	return nil
}

// Unmistakable says that the name of an operation tells what it has to give, whatever else the type does: DeleteMin,
// RemoveMin, PopMin and ExtractMin of a priority queue give the smallest of what there is. Enqueue and Dequeue do not: many a
// priority queue has them.
func Unmistakable(c *collection.Collection, operation string) bool {
	bare, _ := untried(operation)
	return c.Kind == oracle.PQueue && slices.Contains(minNames(), bare)
}

// swaps says that a register has Load, Store and Swap or CompareAndSwap, as those of sync/atomic,
// which is as good as their name.
func swaps(c *collection.Collection) bool {
	has := func(r oracle.Role) bool {
		return slices.ContainsFunc(c.Operations, func(o collection.Operation) bool { return o.Op.Role == r })
	}
	return has(oracle.Load) && has(oracle.Store) && (has(oracle.Swap) || has(oracle.CompareAndSwap))
}
