// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/certificate/file"
	"pangolin/internal/engine"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// check lets package checker check a certificate.
func check(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	x, err := certificate.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	began := time.Now()
	out := &verdict.Checked{Collection: s.About.Collection, Views: len(x.Views), Effects: len(x.Effects)}
	c, err := checker.New(s, x)
	if err == nil {
		if draw != nil {
			if err := x.Draw(draw, s.Prog); err != nil {
				return nil, err
			}
		}
		err = c.Check(ctx)
	}
	out.Seconds = time.Since(began).Seconds()
	return file.Conclude(out, err)
}

// certificateOf is the certificate of a proof: the invariant, and how what the checker comes to fits it. What does not fit is a fault of the
// prover's.
func certificateOf(ctx context.Context, s *subject.Subject, x *certificate.Certificate) ([]byte, error) {
	c, err := checker.New(s, x)
	if err == nil {
		x.Fits, err = c.Fit(ctx)
	}
	if err != nil && ctx.Err() == nil {
		err = engine.Contradiction(fmt.Errorf("the certificate of the proof does not hold: %w", err))
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = x.Write(&text)
	return text.Bytes(), err
}

// certify writes an invariant down so that package certificate/checker can check it.
func certify(s *subject.Subject, v *fixpoint.Invariant) *certificate.Certificate {
	w := &certifier{v: v, live: transfer.New(v.Domain, v.Property, transfer.Coverage{})}
	c := &certificate.Certificate{Head: w.head(s)}
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
		c.Views = append(c.Views, w.view(e.View))
	}
	return c
}

// certifier knows what an invariant leaves to its readers to know.
type certifier struct {
	v    *fixpoint.Invariant
	live *transfer.Machine
}

func (w *certifier) head(s *subject.Subject) certificate.Head {
	m := w.v.Property.Map
	h := certificate.Head{Head: file.NewHead(certificate.Method, s.Source, s.Prog), Ordered: w.v.Domain.Ordered,
		Content: certificate.Content{Word: m.Word, Skip: m.Skip}, Object: m.Object}
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
	for t, typ := range s.Prog.Types {
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
	return h
}

// replaced are values that writes replace in a word.
func replaced(t, off int, p shape.Pattern) certificate.Replaced {
	r := certificate.Replaced{Type: t, Off: off, Any: p.Any, Value: word(p.Value), Cell: p.Type}
	for _, f := range p.Words {
		r.Words = append(r.Words, certificate.Fixed{Off: f.Off, Value: word(f.Value)})
	}
	return r
}

// flagNames are what a view remembers, in the order in which it is written.
var flagNames = []struct {
	flag shape.Flags
	name certificate.Seen
}{{shape.Linearized, certificate.Changed}, {shape.SawEmpty, certificate.Empty}, {shape.SawAbsent, certificate.Absent}, {shape.SawPresent, certificate.Present},
	{shape.Announced, certificate.Announced}, {shape.GuardTrue, certificate.Allowed}, {shape.GuardFalse, certificate.Refused}, {shape.SawRight, certificate.Right}, {shape.Offering, certificate.Offered}}

func (w *certifier) view(v *shape.View) certificate.View {
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

func (w *certifier) heap(h *shape.Heap) []certificate.Node {
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

func (w *certifier) kinds(s shape.Set) (list []int) {
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

// offer is an offer as a certificate has it.
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
