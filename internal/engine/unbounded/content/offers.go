// SPDX-License-Identifier: BSD-3-Clause

package content

import (
	"fmt"
	"slices"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Offers says which cells are offers of operations that may take effect together: those of a type in which a
// word has a certain value. The zero value says that none are.
//
// It is a ghost as the rest of a Map: which cells count as offers, and what becomes of them, is free,
// as long as an offer is one of an operation in progress that has not taken effect.
type Offers struct {
	Type, Off int
	Value     uint64
}

// offersOf are the ways in which operations of a stack may meet: at cells of a type that a word of the
// collection or of what it leads to holds atomically, and that form no chains. What tells an offer is one of
// the small numbers of the program.
func offersOf(d *shape.Domain, collection *ir.Type) []Offers {
	var out []Offers
	seen := map[*ir.Type]bool{collection: true}
	for work := []*ir.Type{collection}; len(work) > 0; work = work[1:] {
		for off, kind := range work[0].Layout() {
			to := work[0].PointeeAt(off)
			if to == nil || seen[to] {
				continue
			}
			seen[to] = true
			work = append(work, to)
			if kind != ir.Unsafe || d.Link(to.ID) >= 0 {
				continue
			}
			for at, k := range to.Layout() {
				for _, x := range numbers(d.Prog) {
					if k == ir.Scalar {
						out = append(out, Offers{to.ID, at, x})
					}
				}
			}
		}
	}
	return out
}

// largest is up to which numbers of a program are taken for names of states.
const largest = 7

// numbers are the small numbers of a program; 0, which is in every new cell, is the last.
func numbers(p *ir.Program) []uint64 {
	var out []uint64
	for x := uint64(1); x <= largest; x++ {
		if slices.Contains(p.Consts, x) {
			out = append(out, x)
		}
	}
	return append(out, 0)
}

func (o Offers) describe(p *ir.Program) string {
	if o.Type == 0 {
		return ""
	}
	t := p.Types[o.Type]
	return fmt.Sprintf("; a put and a take meet in cells of type %s with %s = %d", t.Name, t.FieldPath(o.Off)[1:], o.Value)
}

// Exchange is what a write is about to do to offers: the offer at the address ends, and the cell that is
// written there may become one. It notes in the view of the writer what it has taken part in, and
// tells the cells that are no offers any more when the write is done.
//
// A put and a take that meet take effect at this moment, the put directly before the take, so that what
// is held is as it was.
func (p *Property) Exchange(h *shape.Heap, at shape.Word, words []shape.Word, v *shape.View) (ended []int, err error) {
	if p.Map.Offers.Type == 0 {
		return nil, nil
	}
	for i, w := range words {
		old, isOffer := p.offer(h, h.Get(at.Node(), at.Off()+i))
		now, maybe := p.offer(h, w)
		maybe = maybe && !h.Nodes[now].Shared
		if !isOffer && !maybe {
			continue
		}
		if len(words) > 1 {
			return nil, fmt.Errorf("an offer is written together with other words")
		}
		var was shape.Offer
		if isOffer {
			was = h.Nodes[old].Offer
		}
		switch {
		case was.Holder == shape.Another && !maybe:
			return nil, fmt.Errorf("%s removes the offer of another operation", p.Ops[v.Op].Name)
		case was.Holder == shape.Another:
			h.Nodes[now].Offer = p.answer(was, v)
		case was.Holder == shape.Self:
			p.learn(was, v)
			fallthrough
		default:
			if maybe && p.offers(h, at, now, v) {
				h.Nodes[now].Offer = shape.Offer{Holder: shape.Self, Takes: p.takes(v), Class: p.putting(v)}
				v.Flags |= shape.Offering
			}
		}
		if was.Holder != shape.Nobody {
			ended = append(ended, old)
		}
	}
	return ended, nil
}

// offer is the cell to which a word leads, if it is one of a type that can be an offer.
func (p *Property) offer(h *shape.Heap, w shape.Word) (n int, is bool) {
	if !w.IsRef() || w.Off() != 0 {
		return 0, false
	}
	d := &h.Nodes[w.Node()]
	return w.Node(), !d.Summary && int(d.Type) == p.Map.Offers.Type
}

// offers says whether a new cell becomes an offer of the writer's: at a place that everybody sees always.
func (p *Property) offers(h *shape.Heap, at shape.Word, n int, v *shape.View) bool {
	role := p.Ops[v.Op].Role
	return v.Flags&(shape.Linearized|shape.Offering) == 0 && (role == oracle.Put || role == oracle.Take) &&
		h.Get(n, p.Map.Offers.Off) == shape.Const(p.Map.Offers.Value) && p.always(h, at.Node())
}

// always says whether the collection leads to a node for ever: the node is the collection, or the collection has a word
// that leads to it and is never written.
func (p *Property) always(h *shape.Heap, n int) bool {
	for off, w := range h.Of(0) {
		if w.IsRef() && w.Node() == n && !p.d.Mutable(int(h.Nodes[0].Type), off) {
			return true
		}
	}
	return n == 0
}

func (p *Property) takes(v *shape.View) bool { return p.Ops[v.Op].Role == oracle.Take }

// putting is the class of the item that an operation puts; 0 if it takes.
func (p *Property) putting(v *shape.View) shape.Class {
	if p.takes(v) {
		return 0
	}
	return v.Param
}

// answer is what becomes of another operation's offer that the writer replaces. If one of the two puts, the other one
// takes, and neither has taken effect or may do so elsewhere, they do now.
func (p *Property) answer(o shape.Offer, v *shape.View) shape.Offer {
	out := shape.Offer{Holder: shape.Another, Stage: o.Stage, Takes: o.Takes, Class: o.Class}
	if o.Stage != shape.Open {
		return out
	}
	if o.Takes == p.takes(v) || v.Flags&(shape.Linearized|shape.Offering) != 0 {
		out.Stage, out.Class = shape.Missed, 0
		return out
	}
	out.Stage, out.Class = shape.Met, p.putting(v)
	p.Met = true
	v.Flags |= shape.Linearized
	p.Changed[int(v.Op)] = true
	if !o.Takes {
		v.Taken = shape.Data(o.Class)
	}
	return out
}

// learn lets an operation know what has become of its offer, which it replaces.
func (p *Property) learn(o shape.Offer, v *shape.View) {
	v.Flags &^= shape.Offering
	if o.Stage != shape.Met {
		return
	}
	v.Flags |= shape.Linearized
	p.Changed[int(v.Op)] = true
	if o.Takes {
		v.Taken = shape.Data(o.Class)
	}
}
