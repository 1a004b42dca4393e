// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"slices"
	"strings"
)

// Where the program's own code makes objects of a type and writes a field, for messages about what grows.

// own calls f with the instructions of the program's own functions until it returns true.
func (p *Program) own(f func(fn *Func, pc int, in *Instr) bool) {
	for _, fn := range p.Funcs {
		if fn.Library() || fn.Harness || fn.Wrapper {
			continue
		}
		for pc := range fn.Code {
			if f(fn, pc, &fn.Code[pc]) {
				return
			}
		}
	}
}

// unknownPlace stands for a place that is not in the collection's own code.
const unknownPlace = "a place outside of its code"

// MadeAt is where objects of a type are made first.
func (p *Program) MadeAt(name string) string {
	at := unknownPlace
	p.own(func(fn *Func, pc int, in *Instr) bool {
		made := (in.Op == OpNew || in.Op == OpMakeSlice || in.Op == OpAppend) && in.T != nil && (in.T.Name == name || in.T.Elem != nil && in.T.Elem.Name == name)
		if made {
			at = p.Position(fn.Pos[pc])
		}
		return made
	})
	return at
}

// LinkOf is the field by which objects of a type are linked to each other: ", linked by next"; "" if there is none.
func (p *Program) LinkOf(name string) (link string) {
	p.own(func(_ *Func, _ int, in *Instr) bool {
		if in.Op != OpField || in.T == nil || in.T.Name != name {
			return false
		}
		for _, f := range in.T.Fields {
			if leads(f.Type, name, 3) {
				link = ", linked by " + f.Name
				return true
			}
		}
		return true
	})
	return link
}

// leads reports whether a value of a type contains a pointer to a named one.
func leads(t *Type, name string, depth int) bool {
	if t == nil || depth == 0 {
		return false
	}
	if t.Elem != nil && (t.Elem.Name == name || t.Class == Array && leads(t.Elem, name, depth-1)) {
		return true
	}
	return slices.ContainsFunc(t.Fields, func(f Field) bool { return leads(f.Type, name, depth-1) }) ||
		strings.HasPrefix(t.Name, "atomic.Pointer[") && strings.Contains(t.Name, name)
}

// WrittenAt is where a field, "queue.Queue.tail", is written first.
func (p *Program) WrittenAt(name string) string {
	at := unknownPlace
	dot := strings.LastIndex(name, ".")
	if dot < 0 { // a value on its own, such as an int
		return at
	}
	p.own(func(fn *Func, pc int, in *Instr) bool {
		if in.Op != OpField || in.T == nil || in.T.Name != name[:dot] || in.T.Fields[in.X].Name != name[dot+1:] {
			return false
		}
		addresses := map[Reg]bool{in.Dst: true}
		for k := pc + 1; k < len(fn.Code); k++ {
			next := &fn.Code[k]
			switch next.Op {
			case OpField, OpArrayElem, OpCast:
				if addresses[next.A] {
					addresses[next.Dst] = true
				}
			case OpStore, OpAtomicStore, OpAtomicSwap, OpAtomicCAS, OpAtomicAdd, OpAtomicAnd, OpAtomicOr:
				if addresses[next.A] {
					at = p.Position(fn.Pos[k])
					return true
				}
			}
		}
		return false
	})
	return at
}
