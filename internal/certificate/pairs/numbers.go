// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"slices"

	"pangolin/internal/vm/state"
)

// Numbers of threads. A view names those that stand in its words: first those in the memory, which two views of one memory name
// alike, then those that its thread alone knows. No two threads have one number. What only one of two threads knows may be
// known to the other as well, or be its own number, or may not.

// identities calls tell with each way in which the numbers that views a and b name can be the same: with a list that has, for each name in b,
// the name in a, or state.NoNumber. The list is valid during the call only. There is none if both threads have the same number.
func identities(a, b *view, tell func(same []int) error) error {
	common := a.numbers.Common
	if a.numbers.Own == b.numbers.Own && a.numbers.Own < common {
		return nil
	}
	same := make([]int, b.numbers.All)
	for n := range common {
		same[n] = n
	}
	var choose func(n int) error
	choose = func(n int) error {
		if n == len(same) {
			return tell(same)
		}
		for k := common - 1; k < a.numbers.All; k++ {
			same[n] = k
			switch {
			case k < common:
				same[n] = state.NoNumber
			case k == a.numbers.Own && n == b.numbers.Own, slices.Contains(same[common:n], k):
				continue
			}
			if err := choose(n + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return choose(common)
}

// equal reports whether a word of view a and one of view b, neither of which refers to a cell, are the same if same is what identities gives.
func equal(x, y uint64, same []int) bool {
	n, number := state.NumberIn(y)
	if !number || !state.IsNumber(x) {
		return x == y
	}
	k, _ := state.NumberIn(x)
	return same[n] == k && state.SameAdded(x, y)
}
