// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"fmt"
	"slices"
)

// Within is a specification of which an operation, given by its index, takes (or looks at) any of the first k items in order: of a queue the
// oldest, of a stack the youngest, of a priority queue the smallest. It finds nothing only where there is nothing. (T. A. Henzinger et al.,
// Quantitative relaxation of concurrent data structures, POPL 2013, call it k-1 out of order.) Only the specification of a kind
// can be relaxed, and one that Within has made.
func Within(spec Spec, operation, k int) (Spec, error) {
	b, ok := spec.(*builtin)
	if !ok {
		return nil, fmt.Errorf("within(%d) needs the order of the items, which only the oracles of the kinds queue, stack, pqueue and deque know", k)
	}
	op := b.ops[operation]
	if !isTake(op.Role) && !isPeek(op.Role) {
		return nil, fmt.Errorf("within(%d) is for operations that take an item or look at one, and %s does not: it is to %s", k, op.Name, op.Role)
	}
	relaxed := *b
	relaxed.ops = slices.Clone(b.ops)
	relaxed.ops[operation].Within = k
	return &relaxed, nil
}

func isPeek(r Role) bool { return r == Peek || r == PeekFront || r == PeekBack }

// further are the effects of a call that takes one of the first op.Within items, but for the first one.
func (b *builtin) further(state []int64, op *Op) (out []effect) {
	n := b.held(state)
	tied := func(i int) bool { // of equal priorities no one is first
		return b.theory.width == 2 && op.Within > 0 && state[2*i] == state[2*(op.Within-1)]
	}
	for i := 1; i < n && (i < op.Within || tied(i)); i++ {
		at := i
		if op.Role == TakeBack || op.Role == PeekBack || b.kind == Stack {
			at = n - 1 - i
		}
		e := effect{done: true, hasItem: true, next: state}
		if b.theory.width == 2 {
			e.priority = state[2*at]
		}
		from := at * b.theory.width
		e.item = state[from+b.theory.width-1]
		if isTake(op.Role) {
			e.next = slices.Delete(slices.Clone(state), from, from+b.theory.width)
		}
		out = append(out, e)
	}
	return out
}
