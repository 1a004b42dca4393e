// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
)

// Certificate writes an invariant down so that package certificate/checker can check it; head is that of its file. How
// what the checker comes to fits the claims is left open (certificate.Fits).
func (v *Invariant) Certificate(head certificate.Head) *certificate.Certificate {
	w := NewCertifier(v)
	w.describe(&head)
	c := &certificate.Certificate{Head: head}
	for k := range v.Domain.Kinds() {
		kind := shape.Kind(k)
		c.Kinds = append(c.Kinds, certificate.Kind{Type: v.Domain.KindType(kind), Words: words(v.Domain.KindWords(kind))})
	}
	for _, f := range v.Effects {
		e := certificate.Effect{Heap: w.heap(&f.Heap), At: word(f.Regs[0]), Words: words(f.Regs[1 : 1+f.Words]), Plain: f.Plain}
		switch f.Lock {
		case transfer.Taking:
			e.Lock = certificate.Take
		case transfer.Giving:
			e.Lock = certificate.Give
		}
		c.Effects = append(c.Effects, e)
	}
	for _, e := range v.Entries {
		c.Views = append(c.Views, w.View(e.View))
	}
	return c
}

// Certifier writes the parts of an invariant in the words of certificates. A view of an invariant lists its words without
// saying which registers they are of: the certifier finds that out by asking which registers are live where the thread stands.
type Certifier struct {
	v    *Invariant
	live *transfer.Machine // asked for live registers only
}

// NewCertifier makes a certifier for an invariant.
func NewCertifier(v *Invariant) *Certifier {
	return &Certifier{v: v, live: transfer.New(v.Domain, v.Property, transfer.Coverage{})}
}

// describe fills the head: how the content is read, and what is known of the words of all types.
func (w *Certifier) describe(h *certificate.Head) {
	m := w.v.Property.Map
	h.Ordered, h.Content, h.Object = w.v.Domain.Ordered, certificate.Content{Word: m.Word, Skip: m.Skip}, m.Object
	if m.MarkType != 0 {
		h.Content.Mark = &certificate.Place{Type: m.MarkType, Off: m.Mark}
	}
	if o := m.Offers; o.Type != 0 {
		h.Content.Offers = &certificate.Offers{Type: o.Type, Off: o.Off, Value: int32(o.Value)}
	}
	d := w.v.Domain
	for _, s := range d.Pauses() {
		h.Pauses = append(h.Pauses, certificate.Pause(s))
	}
	for t, typ := range w.v.Program.Prog.Types {
		if typ == nil {
			continue
		}
		if link := d.Link(t); link >= 0 {
			h.Links = append(h.Links, certificate.Place{Type: t, Off: link})
		}
		for off := range typ.Layout() {
			for _, x := range []struct {
				is   bool
				list *[]certificate.Place
			}{{d.Mutable(t, off), &h.Mutable}, {d.Plain(t, off), &h.Plain}, {d.HoldsData(t, off), &h.Items}, {d.Returns(t, off), &h.Returning}} {
				if x.is {
					*x.list = append(*x.list, certificate.Place{Type: t, Off: off})
				}
			}
			for _, p := range d.Replaced(t, off) {
				h.Replaced = append(h.Replaced, replaced(t, off, p))
			}
		}
	}
}

// replaced writes the pattern of values that writes replace in word off of type t.
func replaced(t, off int, p shape.Pattern) certificate.Replaced {
	r := certificate.Replaced{Type: t, Off: off, Any: p.Any, Value: word(p.Value), Cell: p.Type}
	for _, f := range p.Words {
		r.Words = append(r.Words, certificate.Fixed{Off: f.Off, Value: word(f.Value)})
	}
	return r
}

// flagNames are the names of what a view remembers, in the order in which they are written.
var flagNames = []struct {
	flag shape.Flags
	name certificate.Seen
}{{shape.Linearized, certificate.Changed}, {shape.SawEmpty, certificate.Empty}, {shape.SawAbsent, certificate.Absent}, {shape.SawPresent, certificate.Present},
	{shape.Announced, certificate.Announced}, {shape.GuardTrue, certificate.Allowed}, {shape.GuardFalse, certificate.Refused}, {shape.SawRight, certificate.Right}, {shape.Offering, certificate.Offered}}

// View writes a view, which need not be one of the invariant's.
func (w *Certifier) View(v *shape.View) certificate.View {
	out := certificate.View{Heap: w.heap(&v.Heap), Taken: word(v.Taken)}
	if v.Idle() {
		return out
	}
	out.Op = int(v.Op)
	switch {
	case w.v.Property.Map.Object != nil:
		out.Arg = certificate.Word{N: int32(v.Param)}
	case w.v.Program.Operations[v.Op].Param:
		out.Arg = word(shape.Data(v.Param))
	}
	for _, f := range flagNames {
		if v.Flags&f.flag != 0 {
			out.Saw = append(out.Saw, f.name)
		}
	}
	p := w.v.Program.Prog
	at := v.Ghosts()
	if at > 0 {
		mine := word(v.Regs[0])
		out.Mine = &mine
	}
	for i := range v.Frames {
		f := &v.Frames[i]
		call := certificate.Call{Func: int(f.Func), PC: int(f.PC)}
		for _, r := range w.live.Live(p.Funcs[f.Func], int(f.PC), i == len(v.Frames)-1) {
			call.Regs = append(call.Regs, certificate.Reg{Reg: int(r), Word: word(v.Regs[at])})
			at++
		}
		for _, id := range f.Defers {
			n := transfer.DeferredWords(p.Calls[id])
			call.Deferred = append(call.Deferred, certificate.Deferred{Call: int(id), Words: words(v.Regs[at : at+n])})
			at += n
		}
		out.Calls = append(out.Calls, call)
	}
	return out
}

func (w *Certifier) heap(h *shape.Heap) []certificate.Node {
	var out []certificate.Node
	for i := range h.Nodes {
		n := &h.Nodes[i]
		if n.Summary {
			out = append(out, certificate.Node{Chain: true, MayBeEmpty: n.Opt, All: w.kinds(n.Kinds), First: w.kinds(n.First), Last: w.kinds(n.Last), Next: word(n.Next)})
			continue
		}
		out = append(out, certificate.Node{Type: int(n.Type), Private: !n.Shared, Words: words(h.Of(i)), Offer: offer(n.Offer)})
	}
	return out
}

func (w *Certifier) kinds(s shape.Set) (list []int) {
	for k := range w.v.Domain.Kinds() {
		if s.Has(shape.Kind(k)) {
			list = append(list, k)
		}
	}
	return list
}

func words(list []shape.Word) []certificate.Word {
	out := make([]certificate.Word, len(list))
	for i, w := range list {
		out[i] = word(w)
	}
	return out
}

func word(w shape.Word) certificate.Word {
	switch {
	case w.IsConst():
		return certificate.Word{N: int32(w.Value())}
	case w.IsRef():
		return certificate.Word{Form: certificate.Ref, N: int32(w.Node()), Off: int32(w.Off())}
	case w.IsData():
		return certificate.Word{Form: certificate.Item, N: certificate.Class(w.Class())}
	case w.IsFunc():
		return certificate.Word{Form: certificate.Func, N: int32(w.Func())}
	case w.IsDead():
		return certificate.Word{Form: certificate.Dead}
	}
	return certificate.Word{Form: certificate.Top}
}

// offer writes an offer.
func offer(o shape.Offer) certificate.Offer {
	if o.Holder == shape.Nobody {
		return certificate.Offer{}
	}
	out := certificate.Offer{Holder: certificate.Others, Takes: o.Takes,
		Stage: map[shape.Stage]certificate.Stage{shape.Open: certificate.Open, shape.Met: certificate.Met, shape.Missed: certificate.Missed}[o.Stage]}
	if o.Holder == shape.Self {
		out.Holder = certificate.Mine
	}
	if o.Takes == (o.Stage == shape.Met) && o.Stage != shape.Missed {
		out.Item = word(shape.Data(o.Class))
	}
	return out
}
