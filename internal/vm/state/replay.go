package state

// Settled brings what has no order, such as the entries of a map, into the order of
// saved states.
func (m *State) Settled() { m.Save(nil) }

// Arrange changes the places of threads: what stands at place perm[i] moves to place
// i. Saved states hold threads in such an order, see Permutation.
func (m *State) Arrange(perm []int) {
	old := append([]*Thread(nil), m.Thread...)
	places := append([]int(nil), m.Places...)
	for i, p := range perm {
		m.Thread[i], m.Places[i] = old[p], places[p]
	}
}
