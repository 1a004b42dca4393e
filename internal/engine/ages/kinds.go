// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"slices"
	"strings"
)

// set is a set of kinds, as bits; the bit of none says that no cell counts.
type set uint64

const (
	mostKinds = 62
	none      = -1      // no cell counts, or a cell that does not count
	everyKind = ^set(0) // and none
	noneBit   = set(1) << 63
)

func bit(kind int) set {
	if kind == none {
		return noneBit
	}
	return 1 << kind
}

func (s set) has(kind int) bool { return s&bit(kind) != 0 }

// all lists the kinds of a set, and none last.
func (s set) all() (list []int) {
	for k := range mostKinds {
		if s.has(k) {
			list = append(list, k)
		}
	}
	if s.has(none) {
		list = append(list, none)
	}
	return list
}

// kind is what is known of a cell that counts: its item is k, and its state not that of cells that do not count.
type kind struct {
	op    int   // the operation whose call has linked it in
	found bool  // k was held just before
	done  bool  // that call has changed the state of the first cell below that counted
	state int32 // the number in its state
}

// counting says which cells count, and which of them say that k is held.
type counting struct {
	dead int32 // the state of cells that do not count
	held []int32
}

// knowledge is what is known of all states: it grows while a table is computed, and then everything begins again.
type knowledge struct {
	counting
	kinds []kind
	ids   map[kind]int
	below [mostKinds]set // by kind of a cell that counts: the kinds of the first one below it that counts
	words *layout        // of the cells; nil: no step was met that links one in
	ends  bool           // there are cells with k that do not count
	grew  bool           // since the table was begun: it rests on less than is known now
}

func newKnowledge(c counting) *knowledge { return &knowledge{counting: c, ids: map[kind]int{}} }

// kindID is the number of a kind; false if there are too many.
func (n *knowledge) kindID(k kind) (int, bool) {
	id, known := n.ids[k]
	if !known {
		if len(n.kinds) == mostKinds {
			return 0, false
		}
		id = len(n.kinds)
		n.ids[k] = id
		n.kinds = append(n.kinds, k)
	}
	return id, true
}

// inState is the number of the kind that a cell of another kind has with a state.
func (n *knowledge) inState(id int, state int32) (int, bool) {
	k := n.kinds[id]
	k.state = state
	return n.kindID(k)
}

// asDone is the number of the kind that a cell of another kind has when its call has changed the state of the first cell below it.
func (n *knowledge) asDone(id int) (int, bool) {
	k := n.kinds[id]
	k.done = true
	return n.kindID(k)
}

// learn notes that the first cell that counts below one of a kind may be of some kinds.
func (n *knowledge) learn(kind int, below set) {
	if below&^n.below[kind] != 0 {
		n.below[kind] |= below
		n.grew = true
	}
}

// end notes that there is a cell with k that does not count.
func (n *knowledge) end() {
	n.grew = n.grew || !n.ends
	n.ends = true
}

// uncounted lists the cells that a load may lead to and that do not count.
func (n *knowledge) uncounted() []cell {
	if n.ends {
		return []cell{{kind: none}, {is: true, kind: none}}
	}
	return []cell{{kind: none}}
}

// above lists the kinds of cells of which the first one below may be of a kind.
func (n *knowledge) above(kind int) (list []int) {
	for r := range n.kinds {
		if n.below[r].has(kind) {
			list = append(list, r)
		}
	}
	return list
}

// isHeld says whether k is held when the youngest cell that counts is of a kind.
func (n *knowledge) isHeld(first int) bool {
	return first != none && slices.Contains(n.held, n.kinds[first].state)
}

// String names what is held: "the items whose youngest cell in another state than 3 is in state 0 or 2".
func (c counting) String() string {
	var states []string
	for _, s := range c.held {
		states = append(states, fmt.Sprint(s))
	}
	return fmt.Sprintf("the items whose youngest cell in another state than %d is in state %s", c.dead, strings.Join(states, " or "))
}
