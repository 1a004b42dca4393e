// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"cmp"
	"slices"
)

// Missed lists the positions of instructions that executions have not come to, in order, each once. ways says of a conditional jump which ways it went. What no
// execution could come to does not count, nor what leads to a panic of the code's own and nowhere else. If no jump went any way, that is all behind the first one.
func (f *Func) Missed(ways func(pc int) (yes, no bool)) (list []Pos) {
	all := func(int) (bool, bool) { return true, true }
	possible, come, lost := f.comesTo(all), f.comesTo(ways), f.panics()
	for b := range f.Blocks {
		if !possible[b] || come[b] || lost[b] {
			continue
		}
		for at := range f.worked(b) {
			list = append(list, at)
		}
	}
	slices.SortFunc(list, func(a, b Pos) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(list)
}

// comesTo marks the blocks to which executions come that go the given ways. Where a panic may be recovered is one.
func (f *Func) comesTo(ways func(pc int) (yes, no bool)) []bool {
	come := make([]bool, len(f.Blocks))
	queue := []int{0}
	if f.Recover >= 0 {
		queue = append(queue, f.blockOf(f.Recover))
	}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if come[b] {
			continue
		}
		come[b] = true
		last := f.Blocks[b].End - 1
		for k, target := range successors(f, b) {
			if f.Code[last].Op == OpIf {
				if yes, no := ways(last); k == 0 && !yes || k == 1 && !no {
					continue
				}
			}
			queue = append(queue, f.blockOf(target))
		}
	}
	return come
}

// panics marks the blocks from which every way ends in a panic of the code's own.
func (f *Func) panics() []bool {
	lost := make([]bool, len(f.Blocks))
	for changed := true; changed; {
		changed = false
		for b := range f.Blocks {
			if lost[b] {
				continue
			}
			targets := successors(f, b)
			all := len(targets) > 0
			for _, target := range targets {
				all = all && lost[f.blockOf(target)]
			}
			if all || f.Code[f.Blocks[b].End-1].Op == OpPanic {
				lost[b], changed = true, true
			}
		}
	}
	return lost
}
