// SPDX-License-Identifier: BSD-3-Clause

package mutant

import "go/ast"

// operator is one way of planting faults. find calls plant once for each mutant that it can make at a node, with its edits.
type operator struct {
	name string
	doc  string
	find func(s *site, n ast.Node, plant func(...edit))
}

// operators lists all operators in the order in which mutants of one node are numbered.
func operators() []operator {
	return []operator{
		{"cas-store", "a compare-and-swap becomes a store that succeeds", casStore},
		{"cas-succeeds", "a compare-and-swap does nothing and succeeds", casSucceeds},
		{"lock-dropped", "a lock is not taken", lockDropped},
		{"unlock-dropped", "a lock is not released", unlockDropped},
		{"locking-dropped", "a lock is neither taken nor released", lockingDropped},
		{"unlock-early", "a deferred unlock is not deferred", unlockEarly},
		{"negated", "a condition is negated", negated},
		{"always", "a condition is true", always},
		{"never", "a condition is false", never},
		{"boundary", "a comparison takes in or leaves out equal values", boundary},
		{"connective", "and becomes or, or and", connective},
		{"retry-dropped", "a loop that tries again tries once", retryDropped},
		{"continue-break", "a loop ends instead of going on", continueBreak},
		{"swapped", "two neighbouring stores or lock operations change places", swapped},
		{"store-dropped", "a store is left out", storeDropped},
		{"call-dropped", "a call whose result does not matter is left out", callDropped},
		{"constant-up", "a constant is greater by one", constantUp},
		{"constant-down", "a constant is less by one", constantDown},
		{"bool-flipped", "true becomes false, or false true", boolFlipped},
	}
}

// Operators lists the name and description of each operator: {"lock-dropped", "a lock is not taken"}.
func Operators() [][2]string {
	var out [][2]string
	for _, op := range operators() {
		out = append(out, [2]string{op.name, op.doc})
	}
	return out
}
