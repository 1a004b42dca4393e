// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/certificate"
)

// The certificate names the claim that covers each result of a check, as numbers that are read in the order in which they are needed. The
// checker compares the result with that claim and trusts no number, so whatever the numbers are, what it accepts is claimed. When a
// certificate is written, the numbers are searched for with the same comparisons.

// fits are the numbers for the check in progress.
type fits struct {
	given []certificate.Fits // the certificate's
	list  certificate.Fits   // of these, the ones for what is being checked
	at    int                // index in list of the next one
	// the numbers are being searched for, see search.go
	writing bool
	effects []int             // indexes of all effects, those found last first
	views   map[string][]int  // by place, and by what look gives
	first   map[string]*claim // by place: the first view there
}

// next is the next number; -1 after the last one. While a certificate is written, 0 is appended.
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

// which is the index of the claim, among count claims, that covers what is compared; -1 if the claim that the next number names does not.
// While a certificate is written, the claims in lists are tried.
func (f *fits) which(count int, lists [][]int, compare func(i int) bool) int {
	if f.writing {
		return f.search(lists, compare)
	}
	if i := f.next(); i >= 0 && i < count && compare(i) {
		return i
	}
	return -1
}

// one reports whether a single claim covers what is compared.
func (f *fits) one(compare func() bool) bool {
	return f.which(1, [][]int{{0}}, func(int) bool { return compare() }) == 0
}

// match is the result of comparing a memory with a claim.
type match uint8

const (
	differs match = iota
	tooLong       // the row that was compared last cannot have as many nodes as the number says
	covered
)

// rows reports whether a comparison that reads numbers of nodes succeeds. While a certificate is written, it searches for the smallest
// numbers with which it does.
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

// placeOf is a key of what a state and a view that stands for it must have in common exactly: the operation, its argument, and the calls in
// progress with their instructions and deferred calls.
func (c *Checker) placeOf(s *state) string {
	dst := c.key[:0]
	put := func(numbers ...int) {
		for _, n := range numbers {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
		}
	}
	put(s.op, int(s.arg.Form), int(s.arg.N), int(s.taken.Form), int(s.taken.N))
	for i := range s.frames {
		f := &s.frames[i]
		put(f.fn.ID, f.pc, len(f.deferred)) // how many, so that no deferred call looks like a call in progress
		for _, d := range f.deferred {
			put(d.call.ID)
		}
	}
	c.key = dst
	return string(dst)
}

// claimed rejects a state for which no view stands.
func (c *Checker) claimed(s *state) error {
	place := c.placeOf(s)
	if i := c.fit.which(len(c.views), c.candidates(place, s), func(i int) bool { return c.views[i].place == place && c.standsFor(c.views[i], s) }); i >= 0 {
		c.arrive(s, c.views[i])
		return nil
	}
	if len(s.frames) == 0 {
		return &Rejection{What: "no claimed view stands for what a thread may see between two calls"}
	}
	return c.reject(s, "no claimed view stands for what a thread in %s may see", c.ops[s.op].name)
}

// effectClaimed rejects a write, in the memory before, that is not claimed.
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
	return c.reject(s, "the certificate does not claim this write")
}

// standsFor reports whether view v, at the place of state s, stands for s.
func (c *Checker) standsFor(v *claim, s *state) bool {
	const exact = changed | announced | offers
	return v.saw&^s.saw == 0 && v.saw&exact == s.saw&exact && c.pair(v, s) && c.covers(v.g, s.g, c.pairs)
}

// pair collects the pairs of addresses in registers that must agree if view v stands for state s; false if other words differ.
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

// Claims reports whether the certificate claims everything that a view stands for, which need not be one of its own. An error means that
// the view makes no sense.
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
