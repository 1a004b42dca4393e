// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/ir"

// MakeIface makes an interface value of the words of a value.
func (m *State) MakeIface(t *ir.Type, w []uint64) (typ, data uint64) {
	switch t.Size {
	case 0:
	case 1:
		data = w[0]
	default:
		flat, n := t.Flatten()
		data = Pointer(m.Alloc(flat, n), 0)
		if m.Failure != nil {
			return 0, 0
		}
		copy(m.Words(data, t.Size), w)
	}
	return ir.TypeWord(t), data
}

// Printed shows a state's memory to package format.
type Printed struct{ State *State }

// Text is the text of a string word.
func (p Printed) Text(w uint64) string { return p.State.Text(w) }

// At reads n words from q on.
func (p Printed) At(q uint64, n int) []uint64 { return p.State.Words(q, n) }

// Dynamic is the type of the value in an interface, by its type word; nil if there is none.
func (p Printed) Dynamic(word uint64) *ir.Type { return p.State.Dynamic(word) }

// Entries is how many entries the map q has.
func (p Printed) Entries(q uint64) int { return int(p.State.Objs[q>>32].Count) }

// Box makes an interface value of the words of a t.
func (p Printed) Box(t *ir.Type, w []uint64) (typ, data uint64) { return p.State.MakeIface(t, w) }

// Address is the number that %p prints for a reference.
func (p Printed) Address(q uint64) uint64 { return p.State.Address(q) }

// Unsupported ends the execution: a value cannot be printed, and message says why.
func (p Printed) Unsupported(message string) { p.State.Fail(FaultUnsupported, message) }

// Failed reports whether the execution has a fault.
func (p Printed) Failed() bool { return p.State.Failure != nil }
