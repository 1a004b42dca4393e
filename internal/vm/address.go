// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"math/bits"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
	"pangolin/internal/vm/state"
)

// Which address an object is given when the program first asks for it (state/addresses.go). In Go the order of two
// addresses is open, and code can see it: it sorts locks by what %p prints. So it is a decision.
//
// A whole program is shown every order in which each new address is above or below all that were given before. What an
// operation of a collection returns may be made of an address, and is compared with what the oracle returns, which
// executes the operations in another order. So which addresses an operation can be given must not depend on how many were given before: it is any
// of a few that no other object has had.
//
// Further ones are above all others, and no address is used again when its object is gone. That is an assumption,
// which the verdict names if an address has been given.

const (
	// openOrders is for how many addresses of a whole program every such order is explored.
	openOrders = 5
	// openSlots is among how many slots an object is given any that is free, where operations are called.
	openSlots = 3
)

// addressNote is what a verdict says if an address was given.
const addressNote = "addresses that the code prints (%p, pointers inside of values) are made up: the first few are in any order, the others ascend as they are asked for, below all are package variables and what they are initialised with, in one order, and none is used for a second object"

// CountsAddresses says that an operation was given an address that depends on how many were given before: the
// oracle, to which the calls come in another order, may give it another one.
func (m *Machine) CountsAddresses() bool { return !m.WholeProgram && m.Addresses.High >= openSlots }

// ManyAddresses is why an execution in which CountsAddresses holds is not judged by its results.
var ManyAddresses = fmt.Sprintf("more than %d addresses are asked for, and the results may depend on their order", openSlots)

// address is the number of the place that a reference refers to; from now on, its object has one.
func (m *Machine) address(p uint64) uint64 {
	if p != 0 {
		m.img.Prog.Notes.Add(addressNote)
	}
	if m.Failure == nil && m.LiesAnywhere(p) {
		m.LieAt(p, m.choose(2) == 0)
	}
	if m.Failure == nil && !m.HasAddress(p) {
		m.giveAddress(state.ObjectID(p))
	}
	return m.Address(p)
}

func (m *Machine) giveAddress(id int) {
	if m.OneOfMany {
		m.Fail(FaultUnsupported, "addresses are not supported where one thread stands for many")
		return
	}
	m.Peered = true // what was given before is part of no heap and no thread
	if init, ok := m.chooser.(*undecided); ok {
		init.asked = true
	}
	at := 0
	if m.img.numbers {
		at = m.choose(state.PlacesInSlot)
	}
	m.GiveSlot(id, m.chooseSlot(), at)
}

// numbersNote is what a verdict says if a pointer was converted to a number.
const numbersNote = "so are those of pointers that it converts to uintptr; for what hashes and remainders make of the number, each object is tried at three places"

// addressNumber is the address that a pointer refers to as a number, in bytes as Go has them.
func (m *Machine) addressNumber(p uint64) uint64 {
	if p == 0 {
		return 0
	}
	m.img.Prog.Notes.Add(numbersNote)
	at := m.address(p)
	if p&ir.TypeTag != 0 || m.Failure != nil {
		return at
	}
	o, words := &m.Objs[p>>32], state.Offset(p)
	return at - uint64(words)<<3 + layout.Bytes(o.Info.Type, words)
}

// chooseSlot decides which slot the next object is given.
func (m *Machine) chooseSlot() int32 {
	a := &m.Addresses
	if !m.WholeProgram {
		if free := ^a.Taken & (1<<openSlots - 1); free != 0 {
			for range m.choose(bits.OnesCount8(free)) {
				free &= free - 1
			}
			return int32(bits.TrailingZeros8(free))
		}
		return max(a.High+1, openSlots)
	}
	switch {
	case !a.Given:
		return 0
	case a.High-a.Low < openOrders-1 && m.choose(2) == 1:
		return a.Low - 1
	}
	return a.High + 1
}

// printed is the machine's memory for package format: who prints an address has asked for it.
type printed struct {
	state.Printed
	m *Machine
}

func (m *Machine) printed() printed { return printed{state.Printed{State: &m.State}, m} }

// At are words in memory that are printed.
func (p printed) At(q uint64, n int) []uint64 {
	words := p.Printed.At(q, n)
	p.m.looksAtTimes(words, ir.ClockNumbers)
	return words
}

// Address is the number of the place that q refers to, as %p prints it: of the machine, which gives slots to objects.
func (p printed) Address(q uint64) uint64 { return p.m.address(q) }
