// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// reflect.DeepEqual. It calls no methods and waits for nobody, so it is executed in one go, as formatting is: what it reads is
// found by comparing with a memory that takes notes, so that a race with it is seen. It follows package reflect's source step by step.

// deep is one comparison.
type deep struct {
	m       format.Memory // executing, or taking notes
	vm      *Machine
	visited map[pairVisited]bool
}

// pairVisited are two pointers, maps or slices of a type that are being compared: they count as equal where they meet again.
type pairVisited struct {
	t          *ir.Type
	a, b       uint64
	lenA, lenB uint64
}

func deepEqualAny(c *call) control {
	d := &deep{m: c.m.printed(), vm: c.m}
	c.out[0] = truth(d.ifaces(c.args[:2], c.args[2:4]))
	if c.m.Failure != nil {
		return ctlStop
	}
	return ctlNext
}

// at are n words of memory; none where there are no words.
func (d *deep) at(p uint64, n int) []uint64 {
	if n == 0 {
		return nil
	}
	return d.m.At(p, n)
}

// inside is the value in an interface, which nobody writes.
func (d *deep) inside(iface []uint64) []uint64 {
	w := d.vm.IfaceValue(iface)
	d.looks(w)
	return w
}

// looks notes that words which are compared may be those of times.
func (d *deep) looks(w []uint64) {
	if _, executing := d.m.(printed); executing {
		d.vm.looksAtTimes(w, ir.ClockNumbers)
	}
}

func (d *deep) ifaces(a, b []uint64) bool {
	if a[0] == 0 || b[0] == 0 || a[0] != b[0] {
		return a[0] == b[0]
	}
	return d.equal(d.m.Dynamic(a[0]), d.inside(a), d.inside(b))
}

// equal compares two values of a type.
func (d *deep) equal(t *ir.Type, a, b []uint64) bool {
	if d.m.Failed() {
		return false
	}
	switch t.Class {
	case ir.Array:
		return d.elements(t.Elem, t.Len, a, b)
	case ir.Slice:
		return d.slices(t, a, b)
	case ir.Interface:
		return d.ifaces(a, b)
	case ir.PointerClass:
		return d.pointers(t, a[0], b[0])
	case ir.Struct:
		if format.Opaque(t) {
			d.m.Unsupported("reflect.DeepEqual of a " + t.Name)
			return false
		}
		for _, f := range t.Fields {
			lo, hi := f.Offset, f.Offset+f.Type.Size
			if !d.equal(f.Type, a[lo:hi], b[lo:hi]) {
				return false
			}
		}
		return true
	case ir.Map:
		return d.maps(t, a[0], b[0])
	case ir.FuncClass:
		return a[0] == 0 && b[0] == 0
	case ir.UnsafePointer:
		if d.vm.Sizeless(a[0]) || d.vm.Sizeless(b[0]) {
			d.m.Unsupported("reflect.DeepEqual of pointers to variables of no size")
			return false
		}
	}
	eq, _ := d.vm.equalWords(t, a, b)
	return eq
}

func (d *deep) elements(elem *ir.Type, n int, a, b []uint64) bool {
	for i := range n {
		lo, hi := i*elem.Size, (i+1)*elem.Size
		if !d.equal(elem, a[lo:hi], b[lo:hi]) {
			return false
		}
	}
	return true
}

// seen notes that two values are being compared, and says whether they were before.
func (d *deep) seen(v pairVisited) bool {
	if d.visited[v] {
		return true
	}
	if d.visited == nil {
		d.visited = map[pairVisited]bool{}
	}
	d.visited[v] = true
	return false
}

func (d *deep) slices(t *ir.Type, a, b []uint64) bool {
	switch {
	case (a[0] == 0) != (b[0] == 0), a[1] != b[1]:
		return false
	case a[0] == b[0]:
		return true
	case a[1] == 0:
		return true
	case d.seen(pairVisited{t, a[0], b[0], a[1], b[1]}):
		return true
	}
	n := int(a[1])
	return d.elements(t.Elem, n, d.at(a[0], n*t.Elem.Size), d.at(b[0], n*t.Elem.Size))
}

func (d *deep) pointers(t *ir.Type, a, b uint64) bool {
	switch {
	case t.Elem.Name == format.RtypeName && (d.vm.isSignature(a) || d.vm.isSignature(b)):
		d.m.Unsupported(signatureRefused)
		return false
	case a == b:
		return true
	case a == 0 || b == 0 || t.Elem.Name == format.RtypeName:
		return false
	case d.seen(pairVisited{t: t, a: a, b: b}):
		return true
	}
	return d.equal(t.Elem, d.at(a, t.Elem.Size), d.at(b, t.Elem.Size))
}

func (d *deep) maps(t *ir.Type, a, b uint64) bool {
	if a == b || a == 0 || b == 0 {
		return a == b
	}
	n := d.m.Entries(a)
	if n != d.m.Entries(b) {
		return false
	}
	if d.seen(pairVisited{t: t, a: a, b: b}) {
		return true
	}
	size, k := t.Entry.Size, t.Key.Size
	for i := range n {
		entry := d.vm.Words(a+uint64(i*size), size)
		d.looks(entry)
		if d.vm.leadsToNothing(t.Key, entry[:k]) {
			d.m.Unsupported("reflect.DeepEqual of maps with keys that point to variables of no size")
			return false
		}
		j, _ := d.vm.find(state.ObjectID(b), t, entry[:k])
		if j < 0 || !d.equal(t.Elem, entry[k:], d.vm.Words(b+uint64(j*size+k), size-k)) {
			return false
		}
	}
	return true
}
