// SPDX-License-Identifier: BSD-3-Clause

package interference

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
)

// Memo remembers what effects do to heaps. That depends on the heap and on which of its
// cells registers refer to, not on who they belong to and where in the code he stands, so
// that views with one heap are merged once. It is for one goroutine.
type Memo struct {
	p      *content.Property
	merger *Merger
	canon  *shape.Canonizer
	shapes map[string]*Shape
	key    []byte
	none   []*Spread      // by version
	at     map[string]int // of the outs of a spread in progress
	named  []shape.Word
	// Merges is how many times an effect has been merged with a heap.
	Merges int
}

// NewMemo makes an empty one.
func NewMemo(d *shape.Domain, p *content.Property) *Memo {
	return &Memo{p: p, merger: NewMerger(d), canon: shape.NewCanonizer(d), shapes: map[string]*Shape{}, at: map[string]int{}}
}

// Shape is a heap with the cells that registers refer to.
type Shape struct {
	heap    shape.Heap
	named   []shape.Word // one for each cell, in the order of the registers
	spreads []*Spread    // by effect
	exact   string       // with named, once it is asked for
}

// Spread is what an effect does to a shape.
type Spread struct {
	version int
	Outs    []Out
	Hits    []int // cells that registers refer to and that are written
	Applies bool  // the effect does not contradict the shape
}

// Out is a heap after an effect, canonical for the registers of the view.
type Out struct {
	Heap    shape.Heap
	named   []shape.Word
	Certain shape.Flags // what is certain of its content
}

// Of finds the shape of a view.
func (m *Memo) Of(v *shape.View) *Shape {
	m.key = v.Heap.Exact(m.key[:0])
	var named []shape.Word
	for _, w := range v.Regs {
		if w.IsRef() && !names(named, w.Node()) {
			named = append(named, shape.Ref(w.Node(), 0))
			m.key = binary.LittleEndian.AppendUint16(m.key, uint16(w.Node()))
		}
	}
	s := m.shapes[string(m.key)]
	if s == nil {
		s = &Shape{heap: v.Heap.Clone(), named: named}
		m.shapes[string(m.key)] = s
	}
	return s
}

func names(list []shape.Word, n int) bool {
	for _, w := range list {
		if w.Node() == n {
			return true
		}
	}
	return false
}

// Spread gives what version of effect id does to a shape.
func (m *Memo) Spread(s *Shape, id, version int, f *Effect) (*Spread, error) {
	for len(s.spreads) <= id {
		s.spreads = append(s.spreads, nil)
	}
	if sp := s.spreads[id]; sp != nil && sp.version == version {
		return sp, nil
	}
	m.Merges++
	var sp *Spread
	clear(m.at)
	err := m.merger.Merge(&s.heap, f, func(x *Merged) {
		if sp == nil {
			sp = &Spread{version: version, Applies: true}
		}
		m.note(s, sp, x)
	})
	if err != nil {
		return nil, err
	}
	if sp == nil {
		sp = m.nothing(version)
	}
	s.spreads[id] = sp
	for i := range sp.Outs {
		sp.Outs[i].Certain = m.p.Certain(&sp.Outs[i].Heap)
	}
	return sp, nil
}

// nothing is what effects do that contradict a shape. There is one for all of a version.
func (m *Memo) nothing(version int) *Spread {
	for len(m.none) <= version {
		m.none = append(m.none, &Spread{version: len(m.none)})
	}
	return m.none[version]
}

// note adds a heap that an effect has led to.
func (m *Memo) note(s *Shape, sp *Spread, x *Merged) {
	if names(s.named, x.Hit) && !contains(sp.Hits, x.Hit) {
		sp.Hits = append(sp.Hits, x.Hit)
	}
	m.named = append(m.named[:0], s.named...)
	h := m.canon.Form(x.Heap, m.named, nil)
	m.key = refs(h.Key(m.key[:0]), m.named)
	if k, ok := m.at[string(m.key)]; ok {
		sp.Outs[k].Heap.Join(h)
		return
	}
	if s.exact == "" {
		s.exact = string(refs(s.heap.Exact(nil), s.named))
	}
	hard := len(m.key)
	if m.key = refs(h.Exact(m.key), m.named); string(m.key[hard:]) == s.exact {
		return // it changes nothing
	}
	m.at[string(m.key[:hard])] = len(sp.Outs)
	sp.Outs = append(sp.Outs, Out{Heap: h.Clone(), named: slices.Clone(m.named)})
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

func refs(dst []byte, named []shape.Word) []byte {
	for _, w := range named {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(w))
	}
	return dst
}

// View is the view of a victim after an effect, with registers in dst. It shares its heap with
// the memo. minds are the flags that its operation takes note of.
func (s *Shape) View(v *shape.View, o *Out, minds shape.Flags, dst []shape.Word) shape.View {
	c := *v
	c.Heap = o.Heap
	c.Regs = append(dst[:0], v.Regs...)
	for i, w := range c.Regs {
		if !w.IsRef() {
			continue
		}
		for k := range s.named {
			if s.named[k].Node() == w.Node() {
				c.Regs[i] = shape.Ref(o.named[k].Node(), w.Off())
			}
		}
	}
	c.Flags |= o.Certain & minds
	return c
}
