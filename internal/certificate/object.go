// SPDX-License-Identifier: BSD-3-Clause

package certificate

import "slices"

// Object describes the operations of an object of registers, and how its registers are read from memory. It is what is proved: if no oracle
// is known, it was learned from the code, and the proof shows that the code does this with any number of threads.
type Object struct {
	Registers []Register `json:"registers"`
	Rules     []Rule     `json:"rules"` // by operation
}

// Value is the kind of value of a register or an argument.
type Value int

// The kinds: a number; an item that is compared only with k; one that is compared only with another value j.
const (
	Number Value = iota
	OfK
	OfJ
)

// text writes the class of a value: equal to k or j if is is set; for a number, a truth value.
func (v Value) text(is bool) string {
	switch {
	case v == Number:
		return map[bool]string{true: "false", false: "true"}[is]
	case is:
		return map[Value]string{OfK: "=k", OfJ: "=j"}[v]
	}
	return map[Value]string{OfK: ">k", OfJ: ">j"}[v]
}

// Register is a word of the collection that contains a value, or refers to a cell that does, which may refer to a descriptor instead.
type Register struct {
	Word   int   `json:"word"` // of the collection
	Holds  Value `json:"holds"`
	Cell   int   `json:"cell,omitempty"` // the type of the cells; 0: the word itself holds the value
	Offset int   `json:"offset"`         // of the value in the cell
	// Descriptor describes an operation that other threads may complete; nil: there is none.
	Descriptor *Descriptor `json:"descriptor,omitempty"`
}

// Descriptor is an object to which a cell refers while an operation is in progress that changes the register.
type Descriptor struct {
	Link  int   `json:"link"`  // the word of the cell that leads to it
	Type  int   `json:"type"`  // of the descriptor
	Value int   `json:"value"` // its word with the register's value until the operation takes effect
	Op    int   `json:"op"`    // whose descriptors these are
	Args  []int `json:"args"`  // its words with the arguments
}

// Rule is the effect of an operation: if all guards hold, a register gets the value of an argument. It returns the value that a register
// had before.
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

// Uses reports whether an operation depends on a register or changes it.
func (r *Rule) Uses(register int) bool {
	return r.Assigns == register || r.Returns == register ||
		slices.ContainsFunc(r.Guards, func(g Guard) bool { return g.Register == register })
}
