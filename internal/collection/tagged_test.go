// SPDX-License-Identifier: BSD-3-Clause

package collection

import "testing"

// Set(1) is Set(Pair{A: 1, B: 17}): no part of a value holds what another part holds, so that one put in another's place shows.
func TestTagged_GivesEachPartAValueOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		v    int64
		tag  int
		want int64
	}{
		{0, 1, 0}, // the number 0 is the zero value
		{1, 0, 1},
		{1, 1, 17},
		{2, 1, 18},
		{1, 2, 33},
		{3, 1, 19},
		{16, 1, 16}, // else it would be 0
	} {
		if got := Tagged(c.v, c.tag); got != c.want {
			t.Errorf("part %d of %d: %d, want %d", c.tag, c.v, got, c.want)
		} else if back := Tagged(got, c.tag); back != c.v {
			t.Errorf("part %d of %d is %d, which is read as %d", c.tag, c.v, got, back)
		}
	}
}
