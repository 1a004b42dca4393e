package vm

// Settled brings what has no order, such as the entries of a map, into the order of
// saved states.
func (m *Machine) Settled() { m.Save(nil) }

// Arrange changes the places of threads: what stands at place perm[i] moves to place
// i. Saved states hold threads in such an order, see Permutation.
func (m *Machine) Arrange(perm []int) {
	old := append([]*thread(nil), m.threads...)
	places := append([]int(nil), m.places...)
	for i, p := range perm {
		m.threads[i], m.places[i] = old[p], places[p]
	}
}
