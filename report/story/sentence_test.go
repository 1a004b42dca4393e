// SPDX-License-Identifier: BSD-3-Clause

package story

import (
	"testing"

	"pangolin/verdict"
)

// Each order is what is accepted and then the calls that are rejected behind it.
func TestSentence_NamesTheCallsThatNoOrderExplains(t *testing.T) {
	type order struct {
		accepted, rejected []int
	}
	for _, c := range []struct {
		calls  []string // each with the result true
		orders []order
		want   string
	}{
		{[]string{"Add", "Remove", "Remove"}, []order{{[]int{1, 2}, []int{3}}, {[]int{1, 3}, []int{2}}},
			"two Remove() = true: no order of the calls explains both"},
		{[]string{"Allow", "Allow", "Allow"}, []order{{[]int{1, 2}, []int{3}}, {[]int{1, 3}, []int{2}}}, // of two tokens, and the first call returns before the others
			"three Allow() = true: no order of the calls explains them all"},
		{[]string{"Allow", "Allow", "Allow"}, []order{{[]int{1, 2}, []int{3}}, {[]int{1, 3}, []int{2}}, {[]int{2, 3}, []int{1}}},
			"three Allow() = true: no order of the calls explains them all"},
		{[]string{"Allow", "Take", "Allow", "Len"}, []order{{[]int{1, 2}, []int{3}}, {[]int{1, 3}, []int{2}}},
			"two Allow() = true and Take() = true: no order of the calls explains them all"},
	} {
		w := &verdict.Witness{Class: "history", Account: verdict.Account{Explanation: &verdict.Explanation{Kind: verdict.NoOrder}}}
		x := w.Explanation
		for i, name := range c.calls {
			w.History = append(w.History, verdict.Event{Thread: i + 1, Operation: name, Results: []string{"true"}, Invoked: 1, Responded: 9})
			x.Calls = append(x.Calls, i+1)
		}
		for _, o := range c.orders {
			order := verdict.Order{Calls: o.accepted}
			for _, r := range o.rejected {
				order.Rejected = append(order.Rejected, verdict.Rejection{Call: r, Allowed: []verdict.Returned{{Results: []string{"false"}}}})
			}
			x.Tried = append(x.Tried, order)
		}
		if got := Sentence(w); got != c.want {
			t.Errorf("%v: %s, want %s", c.calls, got, c.want)
		}
	}
}
