// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/oracle"
)

// meeting is a stack at which calls meet, with one of its places and a cell behind it.
type meeting struct {
	p          *content.Property
	h          shape.Heap
	place      shape.Word
	old, fresh int
	push, pop  int
	stage      int // the word of offers that says so
}

func newMeeting(t *testing.T) *meeting {
	t.Helper()
	p, err := fragment.Of(load(t, "right", "MeetingStack"))
	if err != nil {
		t.Fatal(err)
	}
	d := shape.NewDomain(p.Prog, false)
	m := &meeting{}
	for _, c := range content.Candidates(d, p.Collection(), p.Kind) {
		if c.Skip == 0 && c.Offers.Value == 1 {
			m.p = content.New(d, c, p.Kind, p.Operations)
			m.stage = c.Offers.Off
			break
		}
	}
	if m.p == nil {
		t.Fatal("no map has offers with 1")
	}
	for i := range p.Operations {
		if p.Operations[i].Role == oracle.Put {
			m.push = i
		} else {
			m.pop = i
		}
	}
	typ := m.p.Map.Offers.Type
	size := p.Prog.Types[typ].Size
	m.h.New(p.Collection().ID, p.Collection().Size)
	m.h.Nodes[0].Shared = true
	for off := range p.Collection().Layout() {
		if to := p.Collection().PointeeAt(off); to != nil && to.ID == typ {
			m.place = shape.Ref(0, off)
		}
	}
	m.old, m.fresh = m.h.New(typ, size), m.h.New(typ, size)
	m.h.Nodes[m.old].Shared = true
	m.h.Put(0, m.place.Off(), shape.Ref(m.old, 0))
	m.h.Put(m.fresh, m.stage, shape.Const(1))
	return m
}

// write lets a call write the new cell, or nil, over what stands at a place.
func (m *meeting) write(v *shape.View, at shape.Word, words ...shape.Word) error {
	_, err := m.p.Exchange(&m.h, at, words, v)
	return err
}

func TestExchange_LetsAPutAndATakeMeet(t *testing.T) {
	const self, another = shape.Self, shape.Another
	for _, c := range []struct {
		name  string
		was   shape.Offer
		pops  bool // who writes takes
		flags shape.Flags
		want  shape.Offer // of the new cell
		after shape.Flags
		taken shape.Word
	}{
		{"a put makes an offer", shape.Offer{}, false, 0, shape.Offer{Holder: self, Class: shape.Equal}, shape.Offering, shape.Nil},
		{"a take makes an offer", shape.Offer{}, true, 0, shape.Offer{Holder: self, Takes: true}, shape.Offering, shape.Nil},
		{"who has taken effect makes none", shape.Offer{}, false, shape.Linearized, shape.Offer{}, shape.Linearized, shape.Nil},
		{"who has one makes none", shape.Offer{}, false, shape.Offering, shape.Offer{}, shape.Offering, shape.Nil},
		{"a take meets a put", shape.Offer{Holder: another, Class: shape.Above}, true, 0, shape.Offer{Holder: another, Stage: shape.Met}, shape.Linearized, shape.Data(shape.Above)},
		{"a put meets a take", shape.Offer{Holder: another, Takes: true}, false, 0, shape.Offer{Holder: another, Stage: shape.Met, Takes: true, Class: shape.Equal}, shape.Linearized, shape.Nil},
		{"two puts miss", shape.Offer{Holder: another, Class: shape.Above}, false, 0, shape.Offer{Holder: another, Stage: shape.Missed}, 0, shape.Nil},
		{"two takes miss", shape.Offer{Holder: another, Takes: true}, true, 0, shape.Offer{Holder: another, Stage: shape.Missed, Takes: true}, 0, shape.Nil},
		{"who has taken effect misses", shape.Offer{Holder: another, Class: shape.Above}, true, shape.Linearized, shape.Offer{Holder: another, Stage: shape.Missed}, shape.Linearized, shape.Nil},
		{"who has an offer misses", shape.Offer{Holder: another, Class: shape.Above}, true, shape.Offering, shape.Offer{Holder: another, Stage: shape.Missed}, shape.Offering, shape.Nil},
		{"an offer is met once", shape.Offer{Holder: another, Stage: shape.Met}, true, 0, shape.Offer{Holder: another, Stage: shape.Met}, 0, shape.Nil},
		{"a put learns that it was met", shape.Offer{Holder: self, Stage: shape.Met}, false, shape.Offering, shape.Offer{}, shape.Linearized, shape.Nil},
		{"a take learns with what it was met", shape.Offer{Holder: self, Stage: shape.Met, Takes: true, Class: shape.Above}, true, shape.Offering, shape.Offer{}, shape.Linearized, shape.Data(shape.Above)},
		{"who was missed may offer again", shape.Offer{Holder: self, Stage: shape.Missed}, false, shape.Offering, shape.Offer{Holder: self, Class: shape.Equal}, shape.Offering, shape.Nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMeeting(t)
			m.h.Nodes[m.old].Offer = c.was
			v := &shape.View{Op: uint8(m.push), Param: shape.Equal, Flags: c.flags}
			if c.pops {
				v.Op, v.Param = uint8(m.pop), 0
			}
			if err := m.write(v, m.place, shape.Ref(m.fresh, 0)); err != nil {
				t.Fatal(err)
			}
			if got := m.h.Nodes[m.fresh].Offer; got != c.want {
				t.Errorf("the new cell is %+v, want %+v", got, c.want)
			}
			if v.Flags != c.after || v.Taken != c.taken {
				t.Errorf("the call has flags %b and has taken %s, want %b and %s", v.Flags, v.Taken, c.after, c.taken)
			}
		})
	}
}

func TestExchange_MakesOffersWhereAllSeeThemOnly(t *testing.T) {
	m := newMeeting(t)
	n := m.h.New(int(m.h.Nodes[0].Type), int(m.h.Nodes[0].N)) // as a cell that can be removed
	m.h.Nodes[n].Shared = true
	v := &shape.View{Op: uint8(m.push), Param: shape.Equal}
	if err := m.write(v, shape.Ref(n, m.place.Off()), shape.Ref(m.fresh, 0)); err != nil {
		t.Fatal(err)
	}
	if m.h.Nodes[m.fresh].Offer != (shape.Offer{}) || v.Flags != 0 {
		t.Error("a cell became an offer at a place that others need not see")
	}
}

func TestExchange_RefusesWhatHidesOffers(t *testing.T) {
	theirs := shape.Offer{Holder: shape.Another, Class: shape.Above}
	for _, c := range []struct {
		name, want string
		words      func(*meeting) []shape.Word
	}{
		{"nil", "removes the offer of another operation", func(*meeting) []shape.Word { return []shape.Word{shape.Nil} }},
		{"a cell that others know", "removes the offer of another operation", func(m *meeting) []shape.Word { return []shape.Word{shape.Ref(m.old, 0)} }},
		{"two words", "together with other words", func(m *meeting) []shape.Word { return []shape.Word{shape.Ref(m.fresh, 0), shape.Nil} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMeeting(t)
			m.h.Nodes[m.old].Offer = theirs
			at := m.place
			words := c.words(m)
			if len(words) > 1 && at.Off()+1 == int(m.h.Nodes[0].N) {
				at = shape.Ref(0, at.Off()-1)
				words[0], words[1] = words[1], words[0]
			}
			err := m.write(&shape.View{Op: uint8(m.pop)}, at, words...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestReturn_RefusesACallWithAnOffer(t *testing.T) {
	m := newMeeting(t)
	for _, flags := range []shape.Flags{shape.Offering, shape.Offering | shape.SawEmpty} {
		v := &shape.View{Op: uint8(m.pop), Flags: flags}
		if err := m.p.Return(v, []shape.Word{shape.Nil, shape.Nil}); err == nil || !strings.Contains(err.Error(), "has an offer") {
			t.Errorf("%v", err)
		}
	}
}

// An offer is at most one thread's: two views of one memory in which both have it are none.
func TestOffer_IsOneThreads(t *testing.T) {
	open := shape.Offer{Holder: shape.Self, Class: shape.Equal}
	for _, c := range []struct {
		a, b shape.Offer
		want bool
	}{
		{open, open, false},
		{open, open.By(shape.Another), true},
		{open.By(shape.Another), open.By(shape.Another), true},
		{open, shape.Offer{}, false},
		{shape.Offer{}, shape.Offer{}, true},
		{open, shape.Offer{Holder: shape.Another, Class: shape.Above}, false},
		{open, shape.Offer{Holder: shape.Another, Stage: shape.Missed, Class: shape.Equal}, false},
	} {
		if got := c.a.Agrees(c.b); got != c.want || c.b.Agrees(c.a) != c.want {
			t.Errorf("%+v and %+v agree %t, want %t", c.a, c.b, got, c.want)
		}
	}
}
