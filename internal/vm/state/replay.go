// SPDX-License-Identifier: BSD-3-Clause

package state

// Settled sorts what has no order, such as the entries of a map, as in saved states.
func (m *State) Settled() { m.Save(nil) }

// Present appends the state without what only the assumptions need to know of the past: what was
// ever shared, and who holds locks. A machine without assumptions goes on in the same way from two
// states with the same present.
func (m *State) Present(dst []uint64) []uint64 {
	follows := m.Follows
	m.Follows = false
	defer func() { m.Follows = follows }()
	return m.Save(dst)
}

// Arrange moves threads: the one at place perm[i] goes to place i. Saved states have threads in
// such an order, see Permutation.
func (m *State) Arrange(perm []int) {
	old := append([]*Thread(nil), m.Thread...)
	places := append([]int(nil), m.Places...)
	for i, p := range perm {
		m.Thread[i], m.Places[i] = old[p], places[p]
	}
}
