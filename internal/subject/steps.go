// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"iter"

	"pangolin/internal/explore"
	"pangolin/internal/vm"
)

// stepsFrom yields every step that can be taken in a saved state by the threads for which moves returns true, once for each decision
// within it. It yields the thread's index while the machine is in the state after the step. moves is called in the saved state, before
// the first step.
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
