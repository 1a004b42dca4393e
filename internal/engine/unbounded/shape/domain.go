// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"encoding/binary"

	"pangolin/internal/ir"
)

// Domain is what the views of one program have in common: the layout of types, the kinds of cells
// that were met, and which words are written while other threads may see them.
type Domain struct {
	Prog *ir.Program
	// Ordered says that items are compared by order: their classes are Below, Equal, Above,
	// and a summary has cells of one class.
	Ordered bool

	types []typeInfo // by type ID
	kinds []kindInfo
	known map[string]Kind
	key   []byte
	// returning are accesses that a step can come back to, see Returning.
	returning map[Site]bool
	// losses numbers the words that are forgotten at sites; needed tells by number whether the word
	// turned out to be read later.
	losses map[loss]int
	needed []bool
	// Full is true if there were more than MaxKinds kinds.
	Full bool
}

// typeInfo is what the domain knows of a type of cells.
type typeInfo struct {
	typ      *ir.Type
	link     int    // offset of the word that links cells into chains; -1: none
	to       int    // type of the cells that the link leads to
	pointers int    // how many words may hold references
	mutexes  []int  // offsets of locks
	mutable  []bool // words that are written while the cell is shared
	data     []bool // words that hold items
	plain    []bool // words that are accessed without synchronisation while they are shared
	scalar   []bool // words that hold numbers
	address  []bool // words that hold addresses
	writes   []writes
	hasData  bool
}

// kindInfo describes a kind.
type kindInfo struct {
	typ   int
	words []Word // the words of a cell; Nil for the link
	class Class
	data  bool // some word is an item
}

// NewDomain looks at the types of a program.
func NewDomain(p *ir.Program, ordered bool) *Domain {
	d := &Domain{Prog: p, Ordered: ordered, types: make([]typeInfo, len(p.Types)), known: map[string]Kind{}, returning: map[Site]bool{}, losses: map[loss]int{}}
	for i, t := range p.Types {
		if t != nil {
			d.types[i] = describe(t)
		}
	}
	for i := range d.types {
		if !d.recursive(i) {
			d.types[i].link = -1
		}
	}
	return d
}

func describe(t *ir.Type) typeInfo {
	x := typeInfo{typ: t, link: -1, mutable: make([]bool, t.Size), data: make([]bool, t.Size), plain: make([]bool, t.Size),
		scalar: make([]bool, t.Size), address: make([]bool, t.Size), writes: make([]writes, t.Size)}
	for off, kind := range t.Layout() {
		x.scalar[off], x.address[off] = kind == ir.Scalar, kind == ir.Pointer || kind == ir.Unsafe
		switch kind {
		case ir.Pointer, ir.Unsafe:
			x.pointers++
			x.link = -1
			if to := t.PointeeAt(off); to != nil && x.pointers == 1 {
				x.link, x.to = off, to.ID
			}
		case ir.Code, ir.IfaceData:
			x.pointers++
			x.link = -1
		}
		if leaf, at := t.LeafAt(off); leaf.Name == "sync.Mutex" {
			x.scalar[off] = false // changes without an instruction that writes it
			if at == 0 {
				x.mutexes = append(x.mutexes, off)
			}
		}
	}
	if x.pointers != 1 {
		x.link = -1
	}
	return x
}

// recursive says whether cells of a type form chains: following links leads back to the type.
func (d *Domain) recursive(t int) bool {
	at := t
	for range d.types {
		if d.types[at].link < 0 {
			return false
		}
		if at = d.types[at].to; at == t {
			return true
		}
	}
	return false
}

// within is the offset, in one element of type t, of word off of an object with several elements.
// Elements are not told apart.
func (d *Domain) within(t, off int) int { return off % len(d.types[t].writes) }

// Link is the offset of the word by which cells of a type form chains; -1: they form none.
func (d *Domain) Link(t int) int { return d.types[t].link }

// LinkTo is the type of the cells to which the link of a type leads.
func (d *Domain) LinkTo(t int) int { return d.types[t].to }

// Mutexes are the offsets of the locks in cells of a type.
func (d *Domain) Mutexes(t int) []int { return d.types[t].mutexes }

// IsMutex says whether a lock begins at a word of a type.
func (d *Domain) IsMutex(t, off int) bool {
	for _, m := range d.types[t].mutexes {
		if m == off {
			return true
		}
	}
	return false
}

// Mutable says whether a word of a type is known to be written while it is shared.
func (d *Domain) Mutable(t, off int) bool { return d.types[t].mutable[d.within(t, off)] }

// SetMutable records that a word of a type is written while others see it. It returns true if that
// was not known; everything computed so far then rests on a wrong assumption.
func (d *Domain) SetMutable(t, off int) bool {
	off = d.within(t, off)
	was := d.types[t].mutable[off]
	d.types[t].mutable[off] = true
	if !was {
		d.unfix(t, off)
	}
	return !was
}

// Plain says whether a word of a type is known to be accessed while it is shared, and not
// atomically.
func (d *Domain) Plain(t, off int) bool { return d.types[t].plain[d.within(t, off)] }

// SetPlain records that a word of a type is accessed without synchronisation while others see it.
// It returns true if that was not known.
func (d *Domain) SetPlain(t, off int) bool {
	off = d.within(t, off)
	was := d.types[t].plain[off]
	d.types[t].plain[off] = true
	return !was
}

// Forget drops all kinds of cells. Views that were made with them have no meaning any more.
func (d *Domain) Forget() {
	d.kinds, d.known, d.Full = nil, map[string]Kind{}, false
}

// HoldsData says whether a word of a type may hold an item.
func (d *Domain) HoldsData(t, off int) bool { return d.types[t].data[d.within(t, off)] }

// SetData records that a word of a type holds items. It returns true if that was not known.
func (d *Domain) SetData(t, off int) bool {
	off = d.within(t, off)
	was := d.types[t].data[off]
	d.types[t].data[off], d.types[t].hasData = true, true
	return !was
}

// kindOf is the kind of a concrete cell that has a link and no other references.
func (d *Domain) kindOf(h *Heap, n int) (Kind, bool) {
	t := int(h.Nodes[n].Type)
	link := d.types[t].link
	d.key = append(d.key[:0], byte(t), byte(t>>8))
	for off, w := range h.Of(n) {
		if off != link {
			d.key = binary.LittleEndian.AppendUint32(d.key, uint32(w))
		}
	}
	if k, ok := d.known[string(d.key)]; ok {
		return k, true
	}
	if len(d.kinds) == MaxKinds {
		d.Full = true
		return 0, false
	}
	k := Kind(len(d.kinds))
	d.known[string(d.key)] = k
	words := append([]Word(nil), h.Of(n)...)
	words[link] = Nil
	info := kindInfo{typ: t, words: words}
	for i, w := range words {
		if w.IsData() && d.types[t].data[i] {
			info.class, info.data = w.Class(), true
		}
	}
	d.kinds = append(d.kinds, info)
	return k, true
}

// KindType is the type of the cells of a kind.
func (d *Domain) KindType(k Kind) int { return d.kinds[k].typ }

// KindWords are the words of the cells of a kind; that of the link says nothing.
func (d *Domain) KindWords(k Kind) []Word { return d.kinds[k].words }

// Kinds is how many kinds were met.
func (d *Domain) Kinds() int { return len(d.kinds) }

// OfType is the part of a set whose cells have a type.
func (d *Domain) OfType(s Set, t int) Set {
	var out Set
	for k := range d.kinds {
		if s.Has(Kind(k)) && d.kinds[k].typ == t {
			out = out.With(Kind(k))
		}
	}
	return out
}

// target is the type of cells that a link at (n, off) leads to; n may be a summary, whose
// last cells may have several types: then it is -1.
func (d *Domain) target(h *Heap, n int) int {
	x := &h.Nodes[n]
	if !x.Summary {
		return d.types[x.Type].to
	}
	to := -1
	for k := range d.kinds {
		if x.Last.Has(Kind(k)) {
			t := d.types[d.kinds[k].typ].to
			if to >= 0 && to != t {
				return -1
			}
			to = t
		}
	}
	return to
}
