// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"slices"
	"testing"
)

// Block 0 is an if that leads to block 1 or 2, block 2 one that leads to block 3 or 4. Blocks 1, 3 and 4 end the function, and nothing leads to block 5. Block n stands in line n+1.
func TestMissed_ListsWhatNoWayTakenLeadsTo(t *testing.T) {
	f := drawn(-1, []int{1, 2}, nil, []int{3, 4}, nil, nil, []int{4})
	for b := range f.Blocks {
		f.Pos = append(f.Pos, Pos{Line: int32(b + 1)})
	}
	for name, c := range map[string]struct {
		yes, no []int // the jumps that went on at their first target, and at the second
		ends    Op    // of block 4
		want    []int32
	}{
		"no jump went any way":        {nil, nil, OpReturn, []int32{2, 4, 5}},
		"one way of each":             {[]int{2}, []int{0}, OpReturn, []int32{2, 5}},
		"a way is not come to":        {[]int{0, 2}, nil, OpReturn, []int32{4, 5}},
		"all ways":                    {[]int{0, 2}, []int{0, 2}, OpReturn, nil},
		"what panics does not count":  {[]int{2}, []int{0}, OpPanic, []int32{2}},
		"nor does it if none is gone": {nil, nil, OpPanic, []int32{2, 4}},
	} {
		f.Code[4].Op = c.ends
		var got []int32
		for _, at := range f.Missed(func(pc int) (bool, bool) { return slices.Contains(c.yes, pc), slices.Contains(c.no, pc) }) {
			got = append(got, at.Line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: lines %v, want %v", name, got, c.want)
		}
	}
}
