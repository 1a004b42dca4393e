// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
)

// OutOfReach reports whether thread i, and every other thread, waits, and thread i for something that neither package variables, the
// pointers of SetRoots nor a thread lead to that could be let go on: for a nil channel, or an object of its own. Then it waits for ever,
// whatever threads do that begin in this state.
func (m *Machine) OutOfReach(i int) bool {
	var waiting []int
	for k, t := range m.Thread {
		switch {
		case t.Idle():
		case m.mayGoOn(t) || takesTurns(t):
			return false
		default:
			waiting = append(waiting, k)
		}
	}
	return slices.Contains(m.outOfReach(waiting, false), i)
}

// Channels lists the channels that thread i waits at, and counts the nil channels that it waits at besides.
func (m *Machine) Channels(i int) (list []Waited, nils int) {
	for _, c := range m.comms(nil, m.Thread[i]) {
		if c.ch == 0 {
			nils++
		} else {
			list = append(list, Waited{c.elem, c.send})
		}
	}
	return list, nils
}

// Waited is a channel at which a thread waits: the type of its elements, and whether the thread sends.
type Waited struct {
	Elem  *ir.Type
	Sends bool
}

// Code lists the functions that thread i is in.
func (m *Machine) Code(i int) (list []*ir.Func) {
	for _, f := range m.Thread[i].Frames {
		list = append(list, f.Code.Func)
	}
	return list
}
