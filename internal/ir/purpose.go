// SPDX-License-Identifier: BSD-3-Clause

package ir

import "slices"

// Purpose says what a word of memory is for, as far as the code shows. It is a hint, for
// names in pictures and for candidates of lemmas and abstractions, and never more:
// memory may be reached in ways that the analysis does not follow (through interfaces,
// calls of closures, unsafe.Pointer).
type Purpose uint8

const (
	Data    Purpose = iota // none of the others
	Link                   // a reference to another object
	Mutex                  // a lock of package sync
	Flag                   // only ever set to one of a few constants
	Key                    // compared by order, or with others of its kind, and not used in calculations
	Counter                // set to itself plus or minus something
)

var purposeNames = [...]string{"data", "link", "mutex", "flag", "key", "counter"}

func (p Purpose) String() string { return purposeNames[p] }

// Purposes knows what the words of a program's types are for.
type Purposes struct {
	uses map[wordClass]*uses
}

// A wordClass are all words at one offset of values of one type.
type wordClass struct {
	typ *Type
	off int
}

// uses is what is known of the uses of a class.
type uses struct {
	constants  []uint64 // constants that it is set to
	set        bool     // it is set to something that is no constant
	compared   bool     // it is compared by order, or with something that is no constant
	calculated bool     // it is an operand of calculations other than counting
	counted    bool     // it is set to itself plus or minus something
}

// flagValues is the greatest number of different values of a flag, zero included.
const flagValues = 4

// FindPurposes looks at all functions of a program.
func FindPurposes(p *Program) *Purposes {
	u := &Purposes{uses: map[wordClass]*uses{}}
	for _, f := range p.Funcs {
		if len(f.Code) > 0 {
			t := &tracer{p: p, f: f, u: u}
			t.run()
		}
	}
	return u
}

// classOf is the class of word off of memory of type t: what a struct embeds is its own
// part, but for the types of package sync, whose words are named after the field.
func classOf(t *Type, off int) wordClass {
	for {
		switch {
		case t.Class == Array && t.Elem.Size > 0:
			t, off = t.Elem, off%t.Elem.Size
			continue
		case t.Class == Struct && !t.Opaque():
			if f := t.FieldAt(off); f != nil && (f.Type.Class == Struct || f.Type.Class == Array) && !f.Type.Opaque() {
				t, off = f.Type, off-f.Offset
				continue
			}
		}
		return wordClass{t, off}
	}
}

func (u *Purposes) at(c wordClass) *uses {
	if u.uses[c] == nil {
		u.uses[c] = &uses{}
	}
	return u.uses[c]
}

// Of is the purpose of word off of memory of type t.
func (u *Purposes) Of(t *Type, off int) Purpose {
	if off < 0 || off >= t.Size {
		return Data
	}
	c := classOf(t, off)
	leaf, at := c.typ.LeafAt(c.off)
	if leaf.PkgPath == "sync" {
		if leaf.Name == "sync.Mutex" || leaf.Name == "sync.RWMutex" {
			return Mutex
		}
		return Data
	}
	switch kind := t.Layout()[off]; kind {
	case Pointer, Unsafe, Code, IfaceData:
		return Link
	case IfaceType:
		return Data
	}
	seen := uses{}
	seen.add(u.uses[c])
	if leaf != c.typ { // it is also used through a pointer to the leaf alone
		seen.add(u.uses[wordClass{leaf, at}])
	}
	return seen.purpose()
}

func (s *uses) add(o *uses) {
	if o == nil {
		return
	}
	for _, w := range o.constants {
		s.setTo(w)
	}
	s.set = s.set || o.set
	s.compared = s.compared || o.compared
	s.calculated = s.calculated || o.calculated
	s.counted = s.counted || o.counted
}

func (s *uses) setTo(w uint64) {
	if w != 0 && !slices.Contains(s.constants, w) {
		s.constants = append(s.constants, w)
	}
}

func (s *uses) purpose() Purpose {
	switch {
	case s.counted:
		return Counter
	case !s.set && len(s.constants) > 0 && len(s.constants) < flagValues && !s.calculated:
		return Flag
	case s.set && s.compared && !s.calculated:
		return Key
	}
	return Data
}
