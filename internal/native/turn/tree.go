// Package turn enumerates the ways through a tree of decisions whose shape is only known
// by walking it: whoever walks asks at each fork which way to go.
//
// The order is depth first and nothing is left out. The package does not know what the
// decisions are about. It imports nothing, because it is also compiled into the programs
// that package native builds.
package turn

// Tree is the state of an enumeration. The zero value is ready for the first walk.
type Tree struct {
	path  []fork // of the present walk; what lies behind depth is planned
	depth int
}

type fork struct{ ways, taken int }

// Choose returns the number of the way to take at the next fork of the present walk, out
// of n. The forks that a walk meets may only depend on the ways taken before; Choose
// panics if it sees that they do not.
func (t *Tree) Choose(n int) int {
	if n < 1 {
		panic("turn: a fork without a way")
	}
	if t.depth == len(t.path) {
		t.path = append(t.path, fork{ways: n})
	}
	f := &t.path[t.depth]
	if f.ways != n {
		panic("turn: the same decisions have led to another fork")
	}
	t.depth++
	return f.taken
}

// Next begins the next walk. It says false when there is none.
func (t *Tree) Next() bool {
	t.path = t.path[:t.depth]
	t.depth = 0
	for len(t.path) > 0 {
		last := &t.path[len(t.path)-1]
		if last.taken++; last.taken < last.ways {
			return true
		}
		t.path = t.path[:len(t.path)-1]
	}
	return false
}

// SPDX-License-Identifier: BSD-3-Clause
