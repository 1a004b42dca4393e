// SPDX-License-Identifier: BSD-3-Clause

package content

import (
	"testing"

	"pangolin/internal/engine/unbounded/shape"
	"pangolin/oracle"
)

// A put and a take that meet: a thread leaves a cell of type pair, of which word left is 1, in the collection's word both, and
// another one replaces it.

// meeting is a property with such offers, and a memory in which both leads to a shared cell (node 1) that is an offer, beside a private
// cell (node 2).
func meeting(open shape.Offer) (*Property, *shape.Heap, shape.Word) {
	p, prop := bench(oracle.Stack, Map{}, put, take)
	prop.Map.Offers = Offers{Type: p.Type("pair").ID, Off: 0, Value: 1}
	h := chain(p)
	old, private := h.New(p.Type("pair").ID, 3), h.New(p.Type("pair").ID, 3)
	at := shape.Ref(0, p.Field("C", "both"))
	h.Put(at.Node(), at.Off(), shape.Ref(old, 0))
	h.Nodes[old].Shared, h.Nodes[old].Offer = true, open
	h.Put(private, 0, shape.Const(1))
	return prop, h, at
}

const (
	opPut = iota
	opTake
)

// A take that replaces the offer of a put has the put's item, and both have taken effect; likewise the other way round.
func TestExchange_LetsAPutMeetATake(t *testing.T) {
	for _, takes := range []bool{false, true} {
		o := shape.Offer{Holder: shape.Another, Takes: takes}
		v := &shape.View{Op: opPut, Param: shape.Equal}
		if !takes {
			o.Class, v = shape.Equal, &shape.View{Op: opTake}
		}
		prop, h, at := meeting(o)
		h.Put(2, 0, shape.Const(2))
		ended, err := prop.Exchange(h, at, []shape.Word{shape.Ref(2, 0)}, v)
		if err != nil || len(ended) != 1 || ended[0] != 1 || v.Flags&shape.Linearized == 0 || !takes && v.Taken != itemK {
			t.Errorf("%v, %v, %+v", ended, err, v)
		}
		if now := h.Nodes[2].Offer; now.Stage != shape.Met || now.Holder != shape.Another || takes && now.Class != shape.Equal {
			t.Errorf("what the other one will find: %+v", now)
		}
	}
}

func TestExchange_MissesWhoDoesTheSame(t *testing.T) {
	prop, h, at := meeting(shape.Offer{Holder: shape.Another, Takes: true})
	v := &shape.View{Op: opTake}
	if _, err := prop.Exchange(h, at, []shape.Word{shape.Ref(2, 0)}, v); err != nil || v.Flags&shape.Linearized != 0 || h.Nodes[2].Offer.Stage != shape.Missed {
		t.Errorf("%v, %+v, %+v", err, v, h.Nodes[2].Offer)
	}
}

func TestExchange_DoesNotMeetWhoHasTakenEffect(t *testing.T) {
	for _, flag := range []shape.Flags{shape.Linearized, shape.Offering} {
		prop, h, at := meeting(shape.Offer{Holder: shape.Another, Class: shape.Equal})
		v := &shape.View{Op: opTake, Flags: flag}
		if _, err := prop.Exchange(h, at, []shape.Word{shape.Ref(2, 0)}, v); err != nil || h.Nodes[2].Offer.Stage != shape.Missed || v.Taken != 0 {
			t.Errorf("%v, %+v, %+v", err, v, h.Nodes[2].Offer)
		}
	}
}

func TestExchange_RefusesToRemoveAnothersOffer(t *testing.T) {
	prop, h, at := meeting(shape.Offer{Holder: shape.Another, Takes: true})
	_, err := prop.Exchange(h, at, []shape.Word{shape.Nil}, &shape.View{Op: opPut})
	said(t, "nil", err, "removes the offer of another operation")
}

// Who takes its own offer back learns whether somebody has met it.
func TestExchange_TellsWhoTakesItsOfferBack(t *testing.T) {
	for _, stage := range []shape.Stage{shape.Open, shape.Met, shape.Missed} {
		prop, h, at := meeting(shape.Offer{Holder: shape.Self, Stage: stage, Takes: true, Class: shape.Equal})
		v := &shape.View{Op: opTake, Flags: shape.Offering}
		if _, err := prop.Exchange(h, at, []shape.Word{shape.Nil}, v); err != nil {
			t.Fatal(err)
		}
		met := stage == shape.Met
		if v.Flags&shape.Offering != 0 || (v.Flags&shape.Linearized != 0) != met || (v.Taken == itemK) != met {
			t.Errorf("stage %d: %+v", stage, v)
		}
	}
}

// A cell that an operation leaves becomes its offer: a new one with the value that tells offers, at a place that everybody sees, of an
// operation that has none and has not taken effect.
func TestExchange_MakesOffers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *Property, h *shape.Heap, v *shape.View)
		want   bool
	}{
		{"a new cell", func(*Property, *shape.Heap, *shape.View) {}, true},
		{"another value", func(_ *Property, h *shape.Heap, _ *shape.View) { h.Put(2, 0, shape.Const(2)) }, false},
		{"a cell that others have seen", func(_ *Property, h *shape.Heap, _ *shape.View) { h.Nodes[2].Shared = true }, false},
		{"it has taken effect", func(_ *Property, _ *shape.Heap, v *shape.View) { v.Flags = shape.Linearized }, false},
		{"it has an offer", func(_ *Property, _ *shape.Heap, v *shape.View) { v.Flags = shape.Offering }, false},
	} {
		prop, h, at := meeting(shape.Offer{})
		v := &shape.View{Op: opPut, Param: shape.Above}
		c.change(prop, h, v)
		before := v.Flags
		if _, err := prop.Exchange(h, at, []shape.Word{shape.Ref(2, 0)}, v); err != nil {
			t.Fatal(err)
		}
		o := h.Nodes[2].Offer
		if made := o == (shape.Offer{Holder: shape.Self, Class: shape.Above}); made != c.want || !c.want && (o != shape.Offer{} || v.Flags != before) {
			t.Errorf("%s: %+v, %b", c.name, o, v.Flags)
		}
	}
}
