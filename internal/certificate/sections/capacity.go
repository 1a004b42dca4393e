// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// Unbuffered is a statement that may make a channel without room for an item.
type Unbuffered struct {
	Elem *ir.Type // of its elements
	At   ir.Pos
}

// AllUnbuffered lists the statements of a program that may make a channel without room for an item, if something may be sent to it. Through such a channel two calls meet, and neither could have been made before the other
// one: so there are no proofs of calls that use one, and both the prover and the checker look for it. A channel to which nobody sends is closed, at most, for which nobody has to wait. The room has to be a constant, or a
// parameter for which every call in the program gives one; functions are looked at as a whole, whatever is executed. same says whether channels with elements of two types may be one.
func AllUnbuffered(p *ir.Program, same func(a, b *ir.Type) bool) (list []Unbuffered) {
	sent := allSent(p)
	if len(sent) == 0 {
		return nil
	}
	values := newMade(p).values
	for _, f := range p.Funcs {
		for pc := range f.Code {
			in := &f.Code[pc]
			if in.Op != ir.OpMakeChan || !slices.ContainsFunc(sent, func(t *ir.Type) bool { return same(t, in.T.Elem) }) {
				continue
			}
			if r := (rooms{p, values, map[variable]bool{}}); !r.positive(f, in.A) {
				list = append(list, Unbuffered{in.T.Elem, f.Pos[pc]})
			}
		}
	}
	return list
}

// allSent lists the types of elements that are sent to channels anywhere in a program.
func allSent(p *ir.Program) (list []*ir.Type) {
	for _, f := range p.Funcs {
		for pc := range f.Code {
			switch in := &f.Code[pc]; in.Op {
			case ir.OpSend:
				list = append(list, in.T.Elem)
			case ir.OpSelect:
				for _, c := range p.Selects[in.X].Cases {
					if c.Send {
						list = append(list, c.Elem)
					}
				}
			}
		}
	}
	return list
}

// rooms finds out which registers have numbers of at least 1.
type rooms struct {
	p      *ir.Program
	values []*ir.Func        // of which the program makes values
	seen   map[variable]bool // those that were looked at, or are now; one that has no such number ends the search
}

// variable is a register of a function.
type variable struct {
	f *ir.Func
	r ir.Reg
}

// positive reports whether an operand is a constant of at least 1, or a parameter of which each call gives such a number, as does all that writes it.
func (o rooms) positive(f *ir.Func, r ir.Reg) bool {
	if r < 0 {
		return r != ir.NoReg && o.p.ConstKinds[^r] == ir.Scalar && int64(o.p.Consts[^r]) >= 1
	}
	if o.seen[variable{f, r}] {
		return true
	}
	o.seen[variable{f, r}] = true
	if int(r) >= f.ParamWords() || !o.calledWith(f, int(r)) {
		return false
	}
	for pc := range f.Code {
		in, ok := &f.Code[pc], true
		o.p.Operands(in, func(to ir.Reg, n int, role ir.Role) {
			if role == ir.Use || r < to || int(r) >= int(to)+n {
				return
			}
			ok = ok && in.Op == ir.OpMove && o.positive(f, in.A.Word(int(r-to)))
		})
		if !ok {
			return false
		}
	}
	return true
}

// calledWith reports whether each call of a function gives a number of at least 1 for a word of its parameters. It is false of a function that may be called otherwise: as a value, by an interface, or from outside.
func (o rooms) calledWith(f *ir.Func, word int) bool {
	if f.Harness || f == o.p.Init || o.isValue(f) {
		return false
	}
	called := false
	for _, g := range o.p.Funcs {
		for pc := range g.Code {
			in := &g.Code[pc]
			if in.Op != ir.OpCall && in.Op != ir.OpDefer && in.Op != ir.OpGo {
				continue
			}
			c := o.p.Calls[in.X]
			if c.Kind != ir.CallStatic || c.Func != f {
				continue
			}
			called = true
			at := 0
			for _, a := range c.Args {
				if word >= at && word < at+a.Type.Size && !o.positive(g, a.Reg.Word(word-at)) {
					return false
				}
				at += a.Type.Size
			}
		}
	}
	return called
}

// isValue reports whether the program makes a value of a function, or some type has it as a method.
func (o rooms) isValue(f *ir.Func) bool {
	if slices.Contains(o.values, f) {
		return true
	}
	for _, t := range o.p.Types {
		if t == nil {
			continue
		}
		for _, m := range t.Methods {
			if m == f {
				return true
			}
		}
	}
	return false
}
