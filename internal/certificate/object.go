// SPDX-License-Identifier: BSD-3-Clause

package certificate

import "slices"

// Object says what an object of registers does, and how its registers are read out of the memory. It is what is to be
// proved: for objects of which no oracle is known it has been learned from the code, and the proof shows
// that the code does that, alone or not.
type Object struct {
	Registers []Register `json:"registers"`
	Rules     []Rule     `json:"rules"` // by operation
}

// Value says what a register or an argument holds.
type Value int

// Values are numbers, or items that are compared with k only, or with another value j.
const (
	Number Value = iota
	OfK
	OfJ
)

// text writes whether a value is the one in question, or a truth value.
func (v Value) text(is bool) string {
	switch {
	case v == Number:
		return map[bool]string{true: "false", false: "true"}[is]
	case is:
		return map[Value]string{OfK: "=k", OfJ: "=j"}[v]
	}
	return map[Value]string{OfK: ">k", OfJ: ">j"}[v]
}

// Register is a word of the collection that holds a value, or leads to a cell that does, and which may lead to
// a descriptor instead.
type Register struct {
	Word   int   `json:"word"` // of the collection
	Holds  Value `json:"holds"`
	Cell   int   `json:"cell,omitempty"` // the type of the cells; 0: the word itself holds the value
	Offset int   `json:"offset"`         // of the value in the cell
	// Descriptor says what an operation does that others may complete; nil: there is none.
	Descriptor *Descriptor `json:"descriptor,omitempty"`
}

// Descriptor is what a cell leads to while an operation is in progress that changes the register.
type Descriptor struct {
	Link  int   `json:"link"`  // the word of the cell that leads to it
	Type  int   `json:"type"`  // of the descriptor
	Value int   `json:"value"` // its word with the register's value until the operation takes effect
	Op    int   `json:"op"`    // whose descriptors these are
	Args  []int `json:"args"`  // its words with the arguments
}

// Rule says what an operation does: if all guards hold a register gets the value of an argument. It returns
// the value that a register had before.
type Rule struct {
	Args    []Value `json:"args"`
	Guards  []Guard `json:"guards"`
	Assigns int     `json:"assigns"` // the register; -1: none
	From    int     `json:"from"`    // the argument
	Returns int     `json:"returns"` // the register; -1: it returns nothing
}

// Guard holds if a register has the value of an argument, or a number.
type Guard struct {
	Register int   `json:"register"`
	Arg      int   `json:"arg"` // -1: the number
	Number   int32 `json:"number,omitempty"`
}

// Uses says whether what an operation does depends on a register or changes it.
func (r *Rule) Uses(register int) bool {
	return r.Assigns == register || r.Returns == register ||
		slices.ContainsFunc(r.Guards, func(g Guard) bool { return g.Register == register })
}
