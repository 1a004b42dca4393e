// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
)

// An access is settled if it gives the same result whenever it is made from now on and changes nothing, so that a step may continue after
// it. This rests on the certificate's facts about all writes, and each write is compared with them.

// loadReplaced reads the certificate's facts about the values that writes replace.
func (c *Checker) loadReplaced(h *certificate.Head) error {
	for _, r := range h.Replaced {
		if r.Type <= 0 || r.Type >= len(c.types) || r.Off < 0 || r.Off >= c.types[r.Type].size() {
			return fmt.Errorf("there is no word %d of type %d", r.Off, r.Type)
		}
		for _, x := range r.Words {
			if r.Cell <= 0 || r.Cell >= len(c.types) || x.Off < 0 || x.Off >= c.types[r.Cell].size() {
				return fmt.Errorf("there is no word %d of type %d", x.Off, r.Cell)
			}
			// Facts about the cell may identify an address only if they never change.
			if l := &c.types[r.Cell]; l.mutable[x.Off] || l.mutex[x.Off] || l.typ.Layout()[x.Off] != ir.Scalar || !known(x.Value) {
				return fmt.Errorf("word %d of type %d is not a number that never changes", x.Off, r.Cell)
			}
		}
		l := &c.types[r.Type]
		l.replaced[r.Off] = append(l.replaced[r.Off], r)
	}
	return nil
}

// replacing rejects a write that replaces a value, or stores an address, although the certificate says that no write does.
func (c *Checker) replacing(s *state, before graph, r *reach, words []word) error {
	l := &c.types[before[r.at.N].typ]
	for i, w := range words {
		off := int(r.at.Off) + i
		if !c.among(before, before.get(int(r.at.N), off), l.replaced[l.at(off)]) {
			return c.reject(s, "a value is replaced, of which the certificate says that it never is")
		}
		if w.IsRef() && !before[w.N].private && !l.returning[l.at(off)] {
			return c.reject(s, "the address of a shared cell is stored in a word, of which the certificate says that it never is")
		}
	}
	return nil
}

// among reports whether a word certainly has one of some values.
func (c *Checker) among(g graph, w word, values []certificate.Replaced) bool {
	return c.always(g, w, func(w word, typ int, words []word) bool {
		return slices.ContainsFunc(values, func(r certificate.Replaced) bool {
			if r.Any || typ == 0 {
				return r.Any || r.Cell == 0 && known(w) && r.Value == w
			}
			return r.Cell == typ && !slices.ContainsFunc(r.Words, func(x certificate.Fixed) bool { return words[x.Off] != x.Value })
		})
	})
}

// stays reports whether a word certainly has none of the values that writes ever replace.
func (c *Checker) stays(g graph, w word, values []certificate.Replaced) bool {
	return c.always(g, w, func(w word, typ int, words []word) bool {
		return (typ != 0 || known(w)) && !slices.ContainsFunc(values, func(r certificate.Replaced) bool {
			if r.Any || typ == 0 {
				return r.Any || r.Cell == 0 && r.Value == w
			}
			return r.Cell == typ && !slices.ContainsFunc(r.Words, func(x certificate.Fixed) bool { return known(words[x.Off]) && words[x.Off] != x.Value })
		})
	})
}

// always reports whether something holds for everything that a word may be: for the word itself, with type 0, or for each cell to which it
// may lead.
func (c *Checker) always(g graph, w word, holds func(w word, typ int, words []word) bool) bool {
	switch {
	case !w.IsRef() || w.Off != 0:
		return holds(w, 0, nil)
	case !g[w.N].chain:
		return holds(w, g[w.N].typ, g[w.N].words)
	}
	d := &g[w.N]
	for k := range c.kinds {
		if d.first.has(k) && !holds(w, c.kinds[k].typ, c.kinds[k].words) {
			return false
		}
	}
	return !d.opt || c.always(g, d.next, holds)
}

// settled reports whether an access is settled: a load of a word whose value is never replaced, or a compare-and-swap that fails now and at
// any later time.
func (c *Checker) settled(g graph, r *reach, f *frame, in *ir.Instr) bool {
	l := &c.types[g[r.at.N].typ]
	w, off := g.get(int(r.at.N), int(r.at.Off)), l.at(int(r.at.Off))
	switch in.Op {
	case ir.OpAtomicLoad:
		return c.stays(g, w, l.replaced[off])
	case ir.OpAtomicCAS:
		expected := c.get(f, in.B)
		seen := expected.IsRef() && !g[expected.N].private
		return g.differ(w, expected) && (seen && !l.returning[off] || c.stays(g, w, l.replaced[off]))
	}
	return false
}

// differ reports whether two words are certainly not equal; the second one leads to no chain.
func (g graph) differ(a, b word) bool {
	comparable := func(w word) bool { return w.IsRef() || known(w) }
	for ; g.isChain(a); a = g[a.N].next {
		if !g[a.N].opt {
			return comparable(b)
		}
	}
	return comparable(a) && comparable(b) && a != b
}

// atSettled reports whether a thread is about to make a settled access.
func (c *Checker) atSettled(s *state) bool {
	if len(s.frames) == 0 {
		return false
	}
	f := s.top()
	in := &f.fn.Code[f.pc]
	if in.Op != ir.OpAtomicLoad && in.Op != ir.OpAtomicCAS {
		return false
	}
	r, _ := c.reachOf(f, in)
	if !r.at.IsRef() || s.g[r.at.N].private || int(r.at.Off) >= len(s.g[r.at.N].words) {
		return false
	}
	l := &c.types[s.g[r.at.N].typ]
	return l.mutable[l.at(int(r.at.Off))] && !l.plain[l.at(int(r.at.Off))] && c.settled(s.g, &r, f, in)
}

// mayStop reports whether the step may end before a settled access, because a view stands for the thread there.
func (c *Checker) mayStop(s *state) bool {
	f := s.top()
	at := certificate.Pause{Func: f.fn.ID, PC: f.pc}
	if n := len(s.frames) - 2; n >= 0 {
		at.Caller, at.Call = s.frames[n].fn.ID, s.frames[n].pc
	}
	if !slices.Contains(c.pauses, at) {
		return false
	}
	c.notice(s, false)
	return c.claimed(s) == nil
}

// unknown reports whether a word leads to a private cell with an unknown word.
func (g graph) unknown(w word, seen []int32) bool {
	if !w.IsRef() || !g[w.N].private || slices.Contains(seen, w.N) {
		return false
	}
	return slices.ContainsFunc(g[w.N].words, func(x word) bool { return x == lost || g.unknown(x, append(seen, w.N)) })
}
