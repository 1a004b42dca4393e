package interference

import (
	"encoding/binary"

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
	// Merges is how many times an effect has been merged with a heap.
	Merges int
}

// NewMemo makes an empty one.
func NewMemo(d *shape.Domain, p *content.Property) *Memo {
	return &Memo{p: p, merger: NewMerger(d), canon: shape.NewCanonizer(d), shapes: map[string]*Shape{}}
}

// Shape is a heap with the cells that registers refer to.
type Shape struct {
	heap    shape.Heap
	named   []shape.Word // one for each cell, in the order of the registers
	spreads map[int]*Spread
	exact   string // with named, once it is asked for
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
		s = &Shape{heap: v.Heap.Clone(), named: named, spreads: map[int]*Spread{}}
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
	sp := s.spreads[id]
	if sp != nil && sp.version == version {
		return sp, nil
	}
	m.Merges++
	list, err := m.merger.Merge(&s.heap, f)
	if err != nil {
		return nil, err
	}
	sp = &Spread{version: version, Applies: len(list) > 0}
	s.spreads[id] = sp
	if len(list) == 0 {
		return sp, nil
	}
	if s.exact == "" {
		s.exact = string(exact(&s.heap, s.named))
	}
	at := map[string]int{}
	for i := range list {
		x := &list[i]
		if names(s.named, x.Hit) && !contains(sp.Hits, x.Hit) {
			sp.Hits = append(sp.Hits, x.Hit)
		}
		named := append([]shape.Word(nil), s.named...)
		h := m.canon.Run(&x.Heap, named, nil)
		if m.key = refs(h.Exact(m.key[:0]), named); string(m.key) == s.exact {
			continue
		}
		key := string(hard(&h, named))
		if k, ok := at[key]; ok {
			sp.Outs[k].Heap.Join(&h)
			continue
		}
		at[key] = len(sp.Outs)
		sp.Outs = append(sp.Outs, Out{Heap: h, named: named})
	}
	for i := range sp.Outs {
		sp.Outs[i].Certain = m.p.Certain(&sp.Outs[i].Heap)
	}
	return sp, nil
}

func contains(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

func exact(h *shape.Heap, named []shape.Word) []byte { return refs(h.Exact(nil), named) }

func hard(h *shape.Heap, named []shape.Word) []byte { return refs(h.Key(nil), named) }

func refs(dst []byte, named []shape.Word) []byte {
	for _, w := range named {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(w))
	}
	return dst
}

// View is the view of a victim after an effect. minds are the flags that its operation
// takes note of.
func (s *Shape) View(v *shape.View, o *Out, minds shape.Flags) *shape.View {
	c := *v
	c.Heap = o.Heap.Clone()
	c.Regs = append([]shape.Word(nil), v.Regs...)
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
	return &c
}
