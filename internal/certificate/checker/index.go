package checker

import (
	"encoding/binary"
	"slices"
)

// An index of views. Nothing that is found by it is believed for that.

// point is where a thread may stand in the code.
type point struct {
	views map[string][]*claim // by what look gives; "": all of them
	regs  [][]int             // by call: the registers that one of them names
	found map[string]bool     // what encode gives of states for which one of them stands
}

// place is the key of the point of a state: what it and a view that stands for it agree on.
func (c *Checker) place(s *state) []byte {
	dst := append(c.key[:0], byte(s.op), byte(s.arg.Form), byte(s.arg.N), byte(s.taken.Form), byte(s.taken.N))
	for i := range s.frames {
		f := &s.frames[i]
		dst = binary.LittleEndian.AppendUint32(dst, uint32(f.fn.ID))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(f.pc))
		for _, d := range f.deferred {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(d.call.ID))
		}
	}
	c.key = dst
	return dst
}

// look is what the registers that a view names show at first sight. A view and a state for
// which it stands mostly have the same; those with another are looked at only if there is none.
func (c *Checker) look(s *state, v *claim) []byte {
	dst := append(c.key[:0], byte(s.saw), byte(s.saw>>8))
	var met []int32
	put := func(w word) {
		dst = append(dst, byte(w.Form), byte(w.Off), byte(w.Off>>8))
		if !w.IsRef() {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(w.N))
			return
		}
		i := slices.Index(met, w.N)
		dst = append(dst, byte(i))
		if i >= 0 {
			return
		}
		met = append(met, w.N)
		d := &s.g[w.N]
		dst = append(dst, byte(d.typ))
		for off, x := range d.words {
			if !x.IsRef() && off != c.types[d.typ].link {
				dst = append(dst, byte(x.Form), byte(x.N))
			}
		}
	}
	for i := range v.calls {
		for _, r := range v.calls[i].Regs {
			put(s.frames[i].regs[r.Reg])
		}
	}
	for _, n := range append([]int32{0}, met...) {
		for off, w := range s.g[n].words {
			if w.IsRef() || off == c.types[s.g[n].typ].link {
				dst = c.way(dst, s.g, w, met)
			}
		}
	}
	c.key = dst
	return dst
}

// way notes what a word leads to by links: cells with k, and the first one that is named.
func (c *Checker) way(dst []byte, g graph, w word, named []int32) []byte {
	for range g {
		if !w.IsRef() {
			break
		}
		d := &g[w.N]
		if i := slices.Index(named, w.N); i >= 0 {
			return append(dst, 'n', byte(i))
		}
		if d.chain {
			w = d.next
			continue
		}
		if c.equal(d) {
			dst = append(dst, 'k')
			for off, x := range d.words {
				if !x.IsRef() && off != c.types[d.typ].link {
					dst = append(dst, byte(x.Form), byte(x.N))
				}
			}
		}
		link := c.types[d.typ].link
		if link < 0 {
			return dst
		}
		w = d.words[link]
	}
	return append(dst, 'e')
}

// encode writes down all that a view may ask of a state, with nodes numbered as they are met:
// states with one text are the same but for the numbers.
func (c *Checker) encode(s *state, regs [][]int) []byte {
	dst := append(c.text[:0], byte(s.saw), byte(s.saw>>8))
	number := append(c.order[:0], make([]int32, len(s.g))...)
	met := append(c.met[:0], 0)
	number[0] = 1
	put := func(w word) {
		n := w.N
		if w.IsRef() {
			if number[n] == 0 {
				met = append(met, n)
				number[n] = int32(len(met))
			}
			n = number[n]
		}
		dst = append(dst, byte(w.Form), byte(w.Off), byte(w.Off>>8), byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	put(s.mine)
	for i := range s.frames {
		f := &s.frames[i]
		for _, r := range regs[i] {
			put(f.regs[r])
		}
		for _, d := range f.deferred {
			for _, w := range d.words {
				put(w)
			}
		}
	}
	for i := 0; i < len(met); i++ {
		d := &s.g[met[i]]
		if d.chain {
			dst = append(dst, 'c', byte(truth(d.opt).N))
			for _, x := range []set{d.all, d.first, d.last} {
				dst = binary.LittleEndian.AppendUint64(dst, uint64(x))
			}
			put(d.next)
			continue
		}
		dst = binary.LittleEndian.AppendUint32(append(dst, 'n', byte(truth(d.private).N)), uint32(d.typ))
		dst = append(dst, d.offer.String()...)
		for _, w := range d.words {
			put(w)
		}
	}
	c.text, c.order, c.met = dst, number, met
	return dst
}
