// SPDX-License-Identifier: BSD-3-Clause

package state

// Settled brings what has no order, such as the entries of a map, into the order of
// saved states.
func (m *State) Settled() { m.Save(nil) }

// Present appends the state without what is remembered of the past, which serves assumptions alone:
// what has ever been shared, and who holds locks. A machine that assumes nothing goes on in the same
// way from two states whose present is the same.
func (m *State) Present(dst []uint64) []uint64 {
	follows := m.Follows
	m.Follows = false
	defer func() { m.Follows = follows }()
	return m.Save(dst)
}

// Arrange changes the places of threads: what stands at place perm[i] moves to place
// i. Saved states hold threads in such an order, see Permutation.
func (m *State) Arrange(perm []int) {
	old := append([]*Thread(nil), m.Thread...)
	places := append([]int(nil), m.Places...)
	for i, p := range perm {
		m.Thread[i], m.Places[i] = old[p], places[p]
	}
}
