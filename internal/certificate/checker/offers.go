// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/oracle"
)

// A put and a take may take effect at one moment, the put directly before the take, which leaves the content of a stack as it was. Which
// calls do is recorded in cells, as ghost state: the certificate only says in which cells; what happens to offers is decided here.

type offer = certificate.Offer

// offers is the flag of a call that has an offer.
const offers seen = sawRight << 1

// loadOffers checks that the cells that the certificate names can be offers.
func (c *Checker) loadOffers() error {
	o := c.content.Offers
	switch {
	case o == nil:
		return nil
	case c.kindOf != oracle.Stack:
		return fmt.Errorf("the certificate has offers, which only stacks have, and the collection is a %s", c.kindOf)
	case o.Type <= 0 || o.Type >= len(c.types) || o.Off < 0 || o.Off >= c.types[o.Type].size() || c.types[o.Type].link >= 0:
		return fmt.Errorf("type %d has no cells that may be offers", o.Type)
	}
	return nil
}

// offering is the cell to which a word leads, if its type is that of offers; -1 if not.
func (c *Checker) offering(g graph, w word) int {
	if c.content.Offers == nil || !w.IsRef() || w.Off != 0 || g[w.N].chain || g[w.N].typ != c.content.Offers.Type {
		return -1
	}
	return int(w.N)
}

// exchange records what the write that a thread is about to make does to offers. It returns the cell that is no longer an offer after the
// write; -1: none.
func (c *Checker) exchange(s *state, at word, words []word) (ended int, err error) {
	ended, now := -1, -1
	for i, w := range words {
		old := c.offering(s.g, s.g.get(int(at.N), int(at.Off)+i))
		if old >= 0 && s.g[old].offer != (offer{}) {
			ended = old
		}
		if n := c.offering(s.g, w); n >= 0 && s.g[n].private {
			now = n
		}
	}
	if len(words) > 1 && (ended >= 0 || now >= 0) {
		return -1, errors.New("an offer is written together with something else")
	}
	var was offer
	if ended >= 0 {
		was = s.g[ended].offer
	}
	takes := c.ops[s.op].role == oracle.Take
	if was.Holder == certificate.Others {
		if now < 0 {
			return -1, errors.New("an offer of another call is removed")
		}
		s.g[now].offer = c.meetOffer(s, was, takes)
		return ended, nil
	}
	if was.Holder == certificate.Mine {
		s.saw &^= offers
		if was.Stage == certificate.Met {
			s.saw |= changed
			if takes {
				s.taken = was.Item
			}
		}
	}
	if now >= 0 && s.saw&(changed|offers) == 0 && c.lasting(s.g, int(at.N)) && s.g[now].words[c.content.Offers.Off] == number(c.content.Offers.Value) {
		s.g[now].offer = offer{Holder: certificate.Mine, Stage: certificate.Open, Takes: takes, Item: s.arg}
		s.saw |= offers
	}
	return ended, nil
}

// meetOffer is the state of another call's offer after the thread of s replaces it.
func (c *Checker) meetOffer(s *state, was offer, takes bool) offer {
	switch {
	case was.Stage != certificate.Open:
		return was
	case was.Takes == takes || s.saw&(changed|offers) != 0:
		was.Stage, was.Item = certificate.Missed, zero
		return was
	}
	s.saw |= changed
	if takes {
		s.taken = was.Item
	}
	was.Stage, was.Item = certificate.Met, s.arg
	return was
}

// lasting reports whether all threads can always reach a node: it is the collection, or a word of the collection that is never written
// leads to it.
func (c *Checker) lasting(g graph, n int) bool {
	if n == 0 {
		return true
	}
	return slices.ContainsFunc(c.wordsFixed(g), func(w word) bool { return w.IsRef() && int(w.N) == n })
}

// wordsFixed lists the words of the collection that are never written.
func (c *Checker) wordsFixed(g graph) (out []word) {
	for off, w := range g[0].words {
		if !c.types[g[0].typ].mutable[off] {
			out = append(out, w)
		}
	}
	return out
}

// alike reports whether two threads may see one cell as offers a and b: at most one of them made it.
func alike(a, b offer) bool {
	if a.Holder == certificate.Mine && b.Holder == certificate.Mine || (a.Holder == "") != (b.Holder == "") {
		return false
	}
	a.Holder = b.Holder
	return a == b
}

// handOver changes the offers in g by a write of another thread. g is the memory before the write, with the writer's new cells, in which
// offers are as the writer sees them.
func (g graph) handOver(w *write) {
	for i, x := range w.words {
		var was certificate.Holder
		if old := g.get(int(w.at.N), int(w.at.Off)+i); old.IsRef() && old.Off == 0 {
			was, g[old.N].offer = g[old.N].offer.Holder, offer{}
		}
		if !x.IsRef() || !g[x.N].private {
			continue
		}
		switch d := &g[x.N]; d.offer.Holder {
		case certificate.Mine: // the writer's own offer
			d.offer.Holder = certificate.Others
		case certificate.Others: // it now belongs to the holder of the offer that was replaced
			if d.offer.Holder = was; was == "" {
				d.offer = offer{}
			}
		}
	}
}
