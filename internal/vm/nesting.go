package vm

// Depth is the number of thread i's calls in progress.
func (m *Machine) Depth(i int) int { return len(m.threads[i].frames) }

// Nesting finds the function of which most calls are in progress in thread i, and
// says how many; of several the one that was called first.
func (m *Machine) Nesting(i int) (function string, calls int) {
	count := make(map[*code]int)
	frames := m.threads[i].frames
	for k := range frames {
		count[frames[k].code]++
	}
	for k := range frames {
		if n := count[frames[k].code]; n > calls {
			function, calls = frames[k].code.fn.Short, n
		}
	}
	return function, calls
}

// MemoryBytes is the size of the program's memory, garbage included.
func (m *Machine) MemoryBytes() int { return 8 * len(m.mem) }
