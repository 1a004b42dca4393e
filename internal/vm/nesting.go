// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/vm/state"
)

// Depth is the number of thread i's calls in progress.
func (m *Machine) Depth(i int) int { return len(m.Thread[i].Frames) }

// Nesting finds the function of which most calls are in progress in thread i, and
// says how many; of several the one that was called first.
func (m *Machine) Nesting(i int) (function string, calls int) {
	count := make(map[*state.Code]int)
	frames := m.Thread[i].Frames
	for k := range frames {
		count[frames[k].Code]++
	}
	for k := range frames {
		if n := count[frames[k].Code]; n > calls {
			function, calls = frames[k].Code.Func.Short, n
		}
	}
	return function, calls
}

// MemoryBytes is the size of the program's memory, garbage included.
func (m *Machine) MemoryBytes() int { return 8 * len(m.Mem) }
