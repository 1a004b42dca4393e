// SPDX-License-Identifier: BSD-3-Clause

package interference

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
)

// Memo remembers what effects do to heaps. This depends on the heap and on the cells to which registers refer, and
// not on the thread and its place in the code. So an effect is merged once for all views with one heap. It is for one
// goroutine.
type Memo struct {
	p      *content.Property
	merger *Merger
	canon  *shape.Canonizer
	shapes map[string]*Shape
	key    []byte
	none   []*Spread      // results of effects that do nothing, by version
	at     map[string]int // indexes in Outs of the result in progress, by key
	named  []shape.Word
	// Merges is how many times an effect has been merged with a heap.
	Merges int
}

// NewMemo makes a memo that remembers nothing.
func NewMemo(d *shape.Domain, p *content.Property) *Memo {
	return &Memo{p: p, merger: NewMerger(d), canon: shape.NewCanonizer(d), shapes: map[string]*Shape{}, at: map[string]int{}}
}

// Shape is a heap with the cells to which registers refer.
type Shape struct {
	heap    shape.Heap
	named   []shape.Word // each of these cells once, in the order of the registers
	spreads []*Spread    // what effects do to it, by number of the effect
	exact   string       // its key, once it was needed
}

// Spread is what an effect does to a shape.
type Spread struct {
	version int
	Outs    []Out
	Hits    []int // cells to which registers refer and that the effect writes
	Applies bool  // the effect does not contradict the shape
}

// Out is a heap behind an effect, in canonical form for the registers of the view.
type Out struct {
	Heap    shape.Heap
	named   []shape.Word
	Certain shape.Flags // what is certain of its content
}

// Of is the shape of a view.
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

// Spread is what an effect, of number id and in a version, does to a shape.
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

// nothing is the result of an effect that contradicts a shape, one value for each version.
func (m *Memo) nothing(version int) *Spread {
	for len(m.none) <= version {
		m.none = append(m.none, &Spread{version: len(m.none)})
	}
	return m.none[version]
}

// note adds a heap to which an effect has led, unless the effect leaves the shape as it was.
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

// View is view v behind an effect, with dst as memory for its registers. It shares its heap with the memo. minds are
// the flags that matter to its operation.
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
