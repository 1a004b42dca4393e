// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"iter"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// stepsFrom takes every step that a thread for which moves holds can take in a saved state, with every decision in it. The machine stands
// behind each while it is looked at. moves is asked in the state itself, before the first step is taken.
func stepsFrom(m *vm.Machine, words []uint64, moves func(i int) bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		m.Load(words)
		var able []int
		for i := range m.Threads() {
			if moves(i) && !m.Idle(i) && m.Enabled(i) {
				able = append(able, i)
			}
		}
		for _, i := range able {
			for ch := (&explore.Choices{}); ; {
				m.Load(words)
				m.Step(i, ch)
				if !yield(i) {
					return
				}
				if !ch.Next() {
					break
				}
			}
		}
	}
}
