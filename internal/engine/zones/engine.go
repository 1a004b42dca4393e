// SPDX-License-Identifier: BSD-3-Clause

// Package zones proves that a queue is linearizable, for any number of threads, calls, cells and values, if its cells form one chain, in which they are linked in at the end and
// taken from the front, and if items may be handed over beside it: the queue of Michael and Scott, and the elimination queue of Moir and others.
//
// It takes a loaded subject and fills a table of what a thread may know (search.go): of the cells that its registers lead to their positions in the chain, compared with each other and with
// those of the front, of other words that lead into the chain, and of the end, by bounds on differences (zone.go). Steps execute instructions on such values (step.go, memory.go, slots.go, compute.go,
// state.go); what others do moves these words forward, and nothing else is known of it (knowledge.go).
//
// Sources: M. Moir, D. Nussbaum, O. Shalev, N. Shavit, Using elimination to implement scalable and lock-free FIFO queues, SPAA 2005 (the algorithm); Henzinger, Sezgin, Vafeiadis,
// Aspect-oriented linearizability proofs, CONCUR 2013 (what has to be shown of items); D. Dill, 1989, and A. Mine, 2006 (bounds on differences); C. Jones, Tentative steps toward a development
// method for interfering programs, 1983 (rely and guarantee). P. A. Abdulla, B. Jonsson, C. Q. Trinh (SAS 2016) prove the algorithm with a policy by hand; here positions take the place of shapes, and an item that is handed
// over needs no moment.
//
// The package does not treat locks, chains that are shortened elsewhere than at the front, items that are compared, deadlock or termination.
package zones

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pangolin/internal/certificate/zones"
	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: zones.Method, Prove: Attempt, Check: zones.CheckFile,
		Doc: "any number of threads and cells of a queue whose cells form one chain, by their positions"}
}

// mostViews bounds the table, unless the user does.
const mostViews = 200_000

// Attempt proves, or says why not. It is suspicious if it has looked at the code and something may go wrong.
func Attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	defer engine.NoProof(&v, &suspicious, &err)
	began := time.Now()
	v = verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Scope: verdict.Unbounded(),
		Assumptions: append(engine.OfEnds(""), j.AnyTime()...)}
	if j.Property.IsProgress() {
		v.Reason = fmt.Sprintf("not proved: the method zones does not look for a proof that a collection is %s", j.Property)
		return v, false, nil
	}
	most := mostViews
	if j.MaxStates > 0 {
		most = int(j.MaxStates)
	}
	t, err := prove(ctx, j, most)
	v.Seconds = time.Since(began).Seconds()
	if err != nil || ctx.Err() != nil {
		suspicious, err = engine.Unproved(ctx, &v, err)
		return v, suspicious, err
	}
	v.Status, v.Cause, v.Scope = verdict.Proved, "", verdict.Scope{Limits: zones.Limits()}
	v.Proof = &verdict.Proof{Content: t.content(), Views: len(t.list), Effects: len(t.m.effects), Unreached: t.unreached()}
	v.States, v.Transitions = uint64(len(t.list)), uint64(len(t.m.effects))
	if v.Proof.Text, err = t.certify(j); err != nil {
		return v, false, err
	}
	return v, false, engine.Certified(ctx, j, &v, zones.CheckFile)
}

// prove fills the table for each word that may be the front, up to one that proves, and holds executions of the machine against that. The error is an
// *engine.Alarm if the code is not modelled, or something in it may be wrong: that of the word that is most likely to be the front.
func prove(ctx context.Context, j *engine.Job, most int) (*table, error) {
	p, why := programOf(j)
	if why != nil {
		return nil, why
	}
	var best error = &engine.Alarm{Outside: true, Text: "a collection without a word that leads into a chain"}
	likeliest := -1
	for front, kind := range p.make.Results[0].Elem.Layout() {
		if kind == ir.Scalar {
			continue
		}
		t, err := search(ctx, p, front, most)
		switch a := new(engine.Alarm); {
		case err == nil:
			if err := t.walk(j.Subject.Prog, 60, 200); err != nil {
				return nil, engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
			}
			return t, nil
		case !errors.As(err, &a):
			return nil, err
		case t.likely() > likeliest:
			best, likeliest = err, t.likely()
		}
	}
	return nil, best
}

// likely is greater for a table in which a Take moves what is taken for the front, and otherwise for one with more views.
func (t *table) likely() int {
	if t.m.moved {
		return mostViews + len(t.list)
	}
	return len(t.list)
}

// programOf reads from a subject what its operations are.
func programOf(j *engine.Job) (*program, *engine.Alarm) {
	s := j.Subject
	outside := func(format string, args ...any) (*program, *engine.Alarm) {
		return nil, &engine.Alarm{Outside: true, Text: fmt.Sprintf(format, args...)}
	}
	switch a := &s.About; {
	case a.Kind != string(oracle.Queue):
		return outside("a collection of kind %s: there are proofs for queues alone", a.Kind)
	case s.Self:
		return outside("the oracle self (the queue's own code): there are proofs for the oracle queue alone")
	case a.Oracle != string(oracle.Queue):
		return outside("the oracle %s: there are proofs for the oracle queue alone", a.Oracle)
	case len(s.New.Results) != 1 || s.New.Results[0].Elem == nil:
		return outside("a constructor that does not return a new object")
	}
	protocol, err := oracle.ParseProtocol(s.About.Protocol)
	if err != nil || protocol == nil || protocol.Kind != oracle.Blocking && protocol.Kind != oracle.Nonblocking {
		return outside("the protocol %s: there are proofs for queues in which nothing waits, or who takes an item", s.About.Protocol)
	}
	p := &program{prog: s.Prog, make: s.New}
	for i := range s.Operations {
		o := operation{name: s.Operations[i].Name, role: s.Operations[i].Binding.Role, fn: s.Operations[i].Func}
		if x := &s.Operations[i]; x.MayFail != nil || x.Careful || x.Asks || x.Objects || !o.binds(s.Prog, &x.Binding, protocol.Kind == oracle.Blocking) {
			return outside("operation %s: there are proofs for queues whose operations put in an item and return nothing, or take one and say whether there was one", o.name)
		}
		p.ops = append(p.ops, o)
	}
	if slices.ContainsFunc(p.ops, func(o operation) bool { return o.width != p.ops[0].width }) {
		return outside("operations that put in something else than what others take")
	}
	return p, nil
}

// binds finds the method that the operation calls, and where its results are; false if it is no operation of which there are proofs. Harnesses make arguments of
// numbers, and numbers of results. What is put in and comes out is followed as the words that the method is given and returns, which nobody looks at.
func (o *operation) binds(p *ir.Program, b *oracle.Op, waits bool) bool {
	if b.Spurious || b.Within != 0 || b.Refusal != oracle.RefuseDefault {
		return false
	}
	c := called(p, o.fn)
	if c == nil {
		return false
	}
	o.by, o.fn = o.fn, c.Func
	switch {
	case o.role == oracle.Put:
		if len(b.Params) != 1 || b.Params[0] != oracle.ParamItem || len(b.Results) != 0 || len(c.Result) != 0 || len(c.Args) != 2 {
			return false
		}
		o.width = c.Args[1].Type.Size
		return o.width > 0 && o.by.ParamWords() == 2
	case o.role != oracle.Take || len(b.Params) != 0 || len(c.Args) != 1 || len(c.Result) != len(b.Results) || o.by.ParamWords() != 1:
		return false
	}
	o.item, o.ok = -1, -1
	at := 0
	for i, r := range b.Results {
		switch r {
		case oracle.SlotItem, oracle.SlotItemOrNil:
			o.item, o.width, o.orNil = at, c.Result[i].Size, r == oracle.SlotItemOrNil
		case oracle.SlotOK, oracle.SlotNotOK:
			o.ok, o.not = at, r == oracle.SlotNotOK
		default:
			return false
		}
		at += c.Result[i].Size
	}
	return o.item >= 0 && (o.ok >= 0 || o.orNil) != waits && !(o.ok >= 0 && o.orNil)
}

// called is the one call of a harness's function that is given the collection, which is its first register; nil: there is none, or are several, or it may be made again, or not at all.
func called(p *ir.Program, f *ir.Func) (method *ir.Call) {
	for i := range f.Code {
		switch in := &f.Code[i]; in.Op {
		case ir.OpJump:
			if int(in.N) <= i || method == nil && int(in.N) != i+1 {
				return nil
			}
			continue
		case ir.OpIf, ir.OpReturn:
			if method == nil || in.Op == ir.OpIf && min(int(in.N), int(in.X)) <= i {
				return nil
			}
			continue
		case ir.OpCall, ir.OpGo, ir.OpDefer:
		default:
			continue
		}
		c := p.Calls[f.Code[i].X]
		if !slices.ContainsFunc(c.Args, func(a ir.Arg) bool { return a.Reg == 0 }) {
			continue
		}
		if method != nil || f.Code[i].Op != ir.OpCall || c.Kind != ir.CallStatic || c.Func.External || c.Args[0].Reg != 0 || c.Args[0].Type.Size != 1 {
			return nil
		}
		method = c
	}
	return method
}
