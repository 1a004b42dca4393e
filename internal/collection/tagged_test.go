// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"slices"
	"testing"
)

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

// Save(User{ID, Name}): two users may have one ID or one name, and no two of them both; From and To of two routes may be each other's; and a number whose fields have changed places, or of which
// one is that of another one, is none of the first two.
func TestPaired_LetsTwoFieldsVaryByThemselves(t *testing.T) {
	for first, want := range map[int][][2]int64{FirstOfTwo: {{0, 0}, {1, 2}, {0, 2}, {2, 1}}, BesideFew: {{0, 0}, {1, 1}, {0, 1}, {1, 0}}} {
		values := map[[2]int64]int64{}
		for v := int64(-8); v < 64; v++ {
			pair := [2]int64{Paired(v, first), Paired(v, first+1)}
			if other, known := values[pair]; known {
				t.Errorf("%d and %d both are %v", v, other, pair)
			}
			values[pair] = v
		}
		for v, pair := range want {
			if values[pair] != int64(v) {
				t.Errorf("%v is %d, want %d", pair, values[pair], v)
			}
		}
	}
}

func TestElements_HasBothOrdersOneAndNone(t *testing.T) {
	for v, want := range [][]int64{{0, 1}, {1, 0}, {2}, nil, {4, 3, 2}, {5, 4, 3}} {
		if got := Elements(int64(v)); !slices.Equal(got, want) {
			t.Errorf("the elements of %d are %v, want %v", v, got, want)
		}
	}
}
