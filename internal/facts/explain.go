// SPDX-License-Identifier: BSD-3-Clause

package facts

import (
	"reflect"
	"slices"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/verdict"
)

// Explain converts an explanation of the calls that were judged to one of the whole history.
func Explain(why *consist.Explanation, h history.History) *verdict.Explanation {
	x := &verdict.Explanation{Kind: verdict.NoOrder, Property: string(why.Property), Unfinished: why.Unfinished}
	calls := numbersOf(why.Operations, h.Operations())
	x.Calls = calls
	if why.Thread >= 0 {
		x.Stuck = append(x.Stuck, why.Thread+1)
	}
	if why.Partner >= 0 {
		x.Kind, x.Stuck = verdict.Partners, append(x.Stuck, why.Partner+1)
		return x
	}
	for _, end := range why.DeadEnds {
		order := verdict.Order{Calls: []int{}}
		for _, op := range end.Order {
			order.Calls = append(order.Calls, calls[op])
		}
		for _, r := range end.Rejected {
			rejected := verdict.Rejection{Call: calls[r.Op], Allowed: []verdict.Returned{}}
			for _, result := range r.Allowed {
				rejected.Allowed = append(rejected.Allowed, Returned(why.Operations[r.Op].Notation, result))
			}
			order.Rejected = append(order.Rejected, rejected)
		}
		// Orders that differ in where a call that takes effect at two moments begins have the same calls, and read the same.
		if !slices.ContainsFunc(x.Tried, func(o verdict.Order) bool { return reflect.DeepEqual(o, order) }) {
			x.Tried = append(x.Tried, order)
		}
	}
	return x
}

// numbersOf finds the numbers of some calls among all calls.
func numbersOf(some, all []history.Operation) []int {
	numbers, at := make([]int, len(some)), 0
	for i, op := range some {
		// The judged calls are some of the history's, in the same order, so
		// that the first that is equal from here on is the one.
		for all[at].Thread != op.Thread || all[at].Method != op.Method || all[at].Args != op.Args {
			at++
		}
		at++
		numbers[i] = at
	}
	return numbers
}

// Returned is how a call has returned.
func Returned(n *history.Notation, result history.Tuple) verdict.Returned {
	return verdict.Returned{Results: append([]string{}, n.Returned(result)...), Panicked: result.IsPanic()}
}
