// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/certificate"
)

// How what the checker comes to fits what is claimed. The certificate says it, as numbers that are read in the order in
// which they are asked for, and each is only believed if the comparison agrees: so whatever the numbers are, what is accepted
// is claimed. While a certificate is being written the numbers are looked for, by the same comparisons.

// fits are the numbers for what is being checked.
type fits struct {
	given []certificate.Fits // the certificate's
	list  certificate.Fits   // of these, the ones for what is being checked
	at    int                // index in list of the next one
	// writing says that they are looked for, see search.go.
	writing bool
	effects []int
	views   map[string][]int  // by place, and by what look gives
	first   map[string]*claim // by place
}

// next is the next number; behind the last one -1, or 0 while they are being written.
func (f *fits) next() int {
	if f.at == len(f.list) {
		if !f.writing {
			return -1
		}
		f.list = append(f.list, 0)
	}
	f.at++
	return int(f.list[f.at-1])
}

// which is the claim that fits, of so many, by its number; -1: none that the next number names. lists are those to try when it is looked for.
func (f *fits) which(count int, lists [][]int, compare func(i int) bool) int {
	if f.writing {
		return f.search(lists, compare)
	}
	if i := f.next(); i >= 0 && i < count && compare(i) {
		return i
	}
	return -1
}

// one says whether one claim fits that alone comes into question.
func (f *fits) one(compare func() bool) bool {
	return f.which(1, [][]int{{0}}, func(int) bool { return compare() }) == 0
}

// match is what a comparison of a memory with a claim comes to.
type match uint8

const (
	differs match = iota
	tooLong       // the last row that was asked for cannot have so many nodes
	covered
)

// rows says whether a comparison that asks for numbers of nodes comes out right; those that are looked for are the least ones.
func (f *fits) rows(compare func() match) bool {
	for from := f.at; ; {
		switch result := compare(); {
		case result == covered:
			return true
		case !f.writing:
			return false
		case result == tooLong:
			f.at--
		}
		if f.list = f.list[:f.at]; f.at == from {
			return false
		}
		f.list[f.at-1]++
		f.at = from
	}
}

// placeOf is what a state and a view that stands for it agree on, as a key.
func (c *Checker) placeOf(s *state) string {
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
	return string(dst)
}

// claimed says that a state is one of those that some view stands for.
func (c *Checker) claimed(s *state) error {
	place := c.placeOf(s)
	if c.fit.which(len(c.views), c.candidates(place, s), func(i int) bool { return c.views[i].place == place && c.standsFor(c.views[i], s) }) >= 0 {
		return nil
	}
	if len(s.frames) == 0 {
		return &Rejection{What: "no view stands for what a thread may see that calls nothing"}
	}
	return c.reject(s, "no view stands for what a thread in %s may see", c.ops[s.op].name)
}

// effectClaimed says that a write in a memory is one of the claimed ones.
func (c *Checker) effectClaimed(s *state, before graph, w *write) error {
	if c.fit.which(len(c.effects), [][]int{c.fit.effects}, func(i int) bool {
		e := &c.effects[i]
		if e.plain != w.plain || e.lock != w.lock || len(e.words) != len(w.words) {
			return false
		}
		pairs := []goal{{e.at, w.at}}
		for k := range w.words {
			pairs = append(pairs, goal{e.words[k], w.words[k]})
		}
		return c.covers(e.g, before, pairs)
	}) >= 0 {
		return nil
	}
	return c.reject(s, "the certificate does not have this write")
}

// standsFor says whether a view at the place of a state stands for it.
func (c *Checker) standsFor(v *claim, s *state) bool {
	const exact = changed | announced | offers
	return v.saw&^s.saw == 0 && v.saw&exact == s.saw&exact && c.pair(v, s) && c.covers(v.g, s.g, c.pairs)
}

// pair notes the words that must agree if a view stands for a state; false if they do not.
func (c *Checker) pair(v *claim, s *state) bool {
	c.pairs = c.pairs[:0]
	if v.saw&announced != 0 && !c.agree(v.mine, s.mine) {
		return false
	}
	for i := range v.calls {
		f := &s.frames[i]
		for _, r := range v.calls[i].Regs {
			if !c.agree(r.Word, f.regs[r.Reg]) {
				return false
			}
		}
		for k, d := range v.calls[i].Deferred {
			for at, w := range d.Words {
				if !c.agree(w, f.deferred[k].words[at]) {
					return false
				}
			}
		}
	}
	return true
}

func (c *Checker) agree(claim, real word) bool {
	if !claim.IsRef() || !real.IsRef() {
		return !claim.IsRef() && !real.IsRef() && within(claim, real)
	}
	c.pairs = append(c.pairs, goal{claim, real})
	return claim.Off == real.Off
}

// Claims says whether the certificate claims everything that a view stands for, which need
// not be one of its own. An error says that the view makes no sense.
func (c *Checker) Claims(v *certificate.View) (bool, error) {
	n, _, err := c.read(v)
	if err != nil {
		return false, err
	}
	s := c.stateOf(n, n.g)
	return slices.ContainsFunc(c.views, func(x *claim) bool {
		c.fit = fits{given: c.fit.given, writing: true}
		return x.place == n.place && c.standsFor(x, s)
	}), nil
}
