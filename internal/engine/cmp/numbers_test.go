// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"fmt"
	"slices"
	"testing"

	"pangolin/internal/vm/state"
)

// TestNumbers_AreOneInEveryWay compares the ways in which numbers of two threads can be the same with all lists of names, of which those are
// left that obey the rules: common names are equal, no two names are one, and no thread has another one's number.
func TestNumbers_AreOneInEveryWay(t *testing.T) {
	tries := 0
	for common := range 3 {
		for theirs := 1; theirs <= 3; theirs++ { // names of the acting thread that are not common
			for mine := 1; mine <= 3; mine++ {
				for own := range common + theirs {
					for my := range common + mine {
						if own == my && own < common {
							continue // held tells such threads apart
						}
						n := numbers{common: common, own: own}
						for k := range theirs {
							n.local = append(n.local, common+k)
						}
						view := state.Numbering{Common: common, Own: my, All: common + mine}
						var got []string
						if err := n.each(view, func(names []int) error { got = append(got, fmt.Sprint(names)); return nil }); err != nil {
							t.Fatal(err)
						}
						want := allNames(n, view)
						slices.Sort(got)
						slices.Sort(want)
						if !slices.Equal(got, want) {
							t.Errorf("%+v, %+v: %v, want %v", n, view, got, want)
						}
						tries++
					}
				}
			}
		}
	}
	t.Log(tries, "pairs of threads")
}

// allNames tries all lists of names.
func allNames(n numbers, view state.Numbering) (list []string) {
	names := make([]int, view.All)
	for i := range names {
		names[i] = -1
	}
	for {
		ok := true
		for i, a := range names {
			ok = ok && (i < view.Common) == (a >= 0 && a < n.common) && (i >= view.Common || a == i)
			ok = ok && (i != view.Own || a != n.own || a < 0)
			for _, b := range names[:i] {
				ok = ok && (a < 0 || a != b)
			}
		}
		if ok {
			list = append(list, fmt.Sprint(names))
		}
		i := 0
		for ; i < len(names) && names[i] == n.common+len(n.local)-1; i++ {
			names[i] = -1
		}
		if i == len(names) {
			return list
		}
		names[i]++
	}
}
