// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// set says to which memory a value may lead.
type set uint8

// The members of a set. The empty set is a number, a string or nil.
const (
	own     set = 1 << iota // made in this call, and nobody else can reach it
	foreign                 // reached from package variables
	shared                  // all other
)

const everything = own | foreign | shared

// value is what is known of a word.
type value struct {
	set  set
	hint hint
	path place
	fn   *function
}

// hint is what is known of the word to which a value leads.
type hint struct {
	sort hintSort
	a, b int
}

type hintSort uint8

// The sorts of hints.
const (
	isUnknown hintSort = iota
	isField            // word b of a struct of group a, one of whose fields this is
	isElem             // an element or variable of group a, which is no struct and no array
	isGlobal           // word b of package variable a, or, where an index was computed, of a part of it that begins there
)

// mostWords is how long a path may be.
const mostWords = 4

// place is where a word is, as it is reached from the collection: word off of what the last one of some words leads to, the first of which is one of the collection. It
// is none unless set.
type place struct {
	set   bool
	n     int
	words [mostWords]int
	off   int
}

// from is the place to which the word at the place leads; none if the path is too long.
func (p place) from() place {
	if !p.set || p.n == mostWords {
		return place{}
	}
	p.words[p.n] = p.off
	p.n++
	p.off = 0
	return p
}

// plus is the place so many words further on.
func (p place) plus(n int) place {
	if !p.set || p.off+n > mostOffset {
		return place{}
	}
	p.off += n
	return p
}

// mostOffset is how far a word may be from where an object begins.
const mostOffset = ir.MaxObject

// function is a function that is known, with what it has captured.
type function struct {
	id       int
	captured []value
}

// only is a value of which nothing is known but the set.
func only(s set) value { return value{set: s} }

// covers says whether all is true of a value w that v says of it, if what w says is.
func (v *value) covers(w *value) bool {
	if w.set&^v.set != 0 || !v.knowsCallee(w) {
		return false
	}
	if w.set == 0 {
		return true
	}
	return (v.hint == hint{} || v.hint == w.hint) && (!v.path.set || v.path == w.path)
}

// knowsCallee says whether v says of which functions w may be one. Of what leads to some memory, every function may be called that the program makes values of; of the
// empty set none, for it is nil or a number. A function leads to its code, which is foreign.
func (v *value) knowsCallee(w *value) bool {
	switch {
	case v.fn == nil:
		return true
	case w.fn == nil:
		return w.set == 0
	}
	return v.fn.id == w.fn.id && coverAll(v.fn.captured, w.fn.captured)
}

// coverAll says whether each value of a list covers that of another one.
func coverAll(vs, ws []value) bool {
	if len(vs) != len(ws) {
		return false
	}
	for i := range vs {
		if !vs[i].covers(&ws[i]) {
			return false
		}
	}
	return true
}

// equal says whether two values say the same.
func (v *value) equal(w *value) bool { return v.covers(w) && w.covers(v) }

// publish makes what was own shared.
func (v *value) publish() {
	if v.set&own != 0 {
		v.set = v.set&^own | shared
	}
	if v.fn == nil {
		return
	}
	f := &function{v.fn.id, slices.Clone(v.fn.captured)} // it is part of other values as well
	for i := range f.captured {
		f.captured[i].publish()
	}
	v.fn = f
}

// join is what is true of a value that is one of several.
func join(list []value) value {
	if len(list) == 0 {
		return value{}
	}
	v, alike := list[0], true
	for i := range list[1:] {
		w := &list[1+i]
		alike = alike && v.equal(w)
		v.set |= w.set
	}
	if alike {
		return v
	}
	return only(v.set)
}

// leads says whether a word of the kind may lead to memory.
func leads(k ir.Kind) bool {
	return k == ir.Pointer || k == ir.Unsafe || k == ir.Code || k == ir.IfaceData
}

// mayCall says whether a word of the kind may be a function.
func mayCall(k ir.Kind) bool { return k == ir.Code || k == ir.IfaceData }

// fitted is the value in a word of the kind.
func (v value) fitted(k ir.Kind) value {
	if !leads(k) {
		return value{}
	}
	if !mayCall(k) {
		v.fn = nil
	}
	if v.set == 0 {
		return value{}
	}
	return v
}
