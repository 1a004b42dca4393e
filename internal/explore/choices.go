// SPDX-License-Identifier: BSD-3-Clause

package explore

import "fmt"

// decision is one answer of Choose.
type decision struct{ taken, arity uint32 }

// Choices enumerates the outcomes of one nondeterministic step: an odometer over the
// decisions that the step asks for. The step is executed again and again,
//
//	var c Choices
//	for more := true; more; more = c.Next() {
//		cursor.Load(state)
//		cursor.Step(move, &c)
//	}
//
// and each time takes the next combination in depth-first order: the last decision
// varies fastest, and a decision may depend on the earlier ones, also in its number of
// alternatives and in whether it is asked for at all. The zero value is ready for use.
type Choices struct {
	made []decision // the decisions of all steps in progress, of this one from base on
	base int
	pos  int // the next decision that will be asked for
	kept int // decisions below are fixed by Replay
}

// Irreproducible is what Choices panic with if a step is no function of the state and the decisions: it was executed
// again with the same answers and asked something else. It says what.
type Irreproducible string

func (e Irreproducible) Error() string { return "explore: " + string(e) }

// IsIrreproducible says whether what Run has panicked with is an Irreproducible, in whatever worker.
func IsIrreproducible(panicked any) bool {
	switch p := panicked.(type) {
	case Irreproducible:
		return true
	case *WorkerPanic: // of a search, or of a search within one
		return IsIrreproducible(p.Value)
	}
	return false
}

// Replay returns choices that first decide as taken says and then, if more is asked,
// choose the first alternative. Next never changes the given decisions.
func Replay(taken []uint32) *Choices {
	c := &Choices{}
	c.replay(taken)
	return c
}

func (c *Choices) replay(taken []uint32) {
	c.made = c.made[:0]
	for _, t := range taken {
		c.made = append(c.made, decision{taken: t})
	}
	c.base, c.pos, c.kept = 0, 0, len(taken)
}

// Choose returns the alternative to take, 0 to n-1. With n = 1 there is nothing to
// decide and nothing is recorded.
//
// It panics if n < 1, and with an Irreproducible if the step asks for other decisions than it did before under
// the same answers.
func (c *Choices) Choose(n int) int {
	if n == 1 {
		return 0
	}
	if n < 1 {
		panic(fmt.Sprintf("explore: Choose(%d): no alternatives", n))
	}
	if c.pos == len(c.made) {
		c.made = append(c.made, decision{arity: uint32(n)})
		c.pos++
		return 0
	}
	d := &c.made[c.pos]
	if d.arity != uint32(n) {
		c.adopt(d, n)
	}
	c.pos++
	return int(d.taken)
}

// adopt gives a replayed decision its number of alternatives.
func (c *Choices) adopt(d *decision, n int) {
	if d.arity != 0 || d.taken >= uint32(n) {
		panic(Irreproducible(fmt.Sprintf("decision %d had %d alternatives and now has %d (taken: %d): the step is not reproducible",
			c.pos-c.base, d.arity, n, d.taken)))
	}
	d.arity = uint32(n)
}

// Next prepares the next combination of decisions and reports whether there is one. It
// is to be called after each execution of the step. When it returns false, the choices
// are empty again and may be used for another step.
func (c *Choices) Next() bool {
	if c.pos != len(c.made) {
		panic(Irreproducible(fmt.Sprintf("a step asked for %d decisions and had asked for %d before: it is not reproducible",
			c.pos-c.base, len(c.made)-c.base)))
	}
	last := len(c.made) - 1
	for last >= c.base+c.kept && c.made[last].taken+1 == c.made[last].arity {
		last--
	}
	c.pos = c.base
	if last < c.base+c.kept {
		c.made = c.made[:c.base]
		c.kept = 0
		return false
	}
	c.made = c.made[:last+1]
	c.made[last].taken++
	return true
}

// Taken returns a copy of the decisions taken so far, nil if there were none.
func (c *Choices) Taken() []uint32 { return taken(c.made[c.base:]) }

func taken(made []decision) []uint32 {
	if len(made) == 0 {
		return nil
	}
	list := make([]uint32, len(made))
	for i, d := range made {
		list[i] = d.taken
	}
	return list
}

// push begins the decisions of a step of a new frame above the present one.
func (c *Choices) push() {
	c.base = len(c.made)
	c.pos = c.base
}

// pop drops the decisions above base and makes those from below on the present ones.
func (c *Choices) pop(below int) {
	c.made = c.made[:c.base]
	c.base = below
	c.pos = len(c.made)
}
