// SPDX-License-Identifier: BSD-3-Clause

// Package places proves that a queue in a slice is linearizable, for any number of threads and places, where items stay in
// the places that they were put into and numbers count the places: the queue of Herlihy and Wing.
//
// It takes a loaded subject, follows two places, whichever they are, and the two items that are put there, and fills a table of what all
// threads know of these and what one thread may know beside it (search.go), by executing instructions on abstract values (step.go). Numbers
// are compared with the two places and with the counters; nothing else is known of them. The order of two Puts is decided when their items
// are taken; no statement of theirs need be where they take effect.
//
// Sources: Henzinger, Sezgin, Vafeiadis, Aspect-oriented linearizability proofs, CONCUR 2013 (what has to be shown of two items); Herlihy
// and Wing, TOPLAS 1990; thread-modular reasoning as in Flanagan and Qadeer, SPIN 2003. Deviation: a Take takes effect where it takes an
// item out, so nothing is said about executions to their end, and Takes that wait are pending calls.
//
// The package does not treat Takes that find the queue empty, places that are used again, locks, deadlock or termination.
package places

import (
	"context"
	"fmt"
	"time"

	"pangolin/internal/certificate/places"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: places.Method, Prove: Attempt, Check: places.CheckFile,
		Doc: "any number of threads and places of a queue in a slice, by two of them"}
}

// mostViews bounds the table, unless the user does.
const mostViews = 1_000_000

// Attempt proves, or says why not. It is suspicious if it has looked at the code and something may go wrong.
func Attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	defer engine.NoProof(&v, &suspicious, &err)
	began := time.Now()
	v = verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Scope: verdict.Unbounded(),
		Assumptions: append(engine.OfEnds(""), j.AnyTime()...)}
	if j.Property.IsProgress() {
		v.Reason = fmt.Sprintf("not proved: the method places does not look for a proof that a collection is %s", j.Property)
		return v, false, nil
	}
	most := mostViews
	if j.MaxStates > 0 {
		most = int(j.MaxStates)
	}
	t, m, err := prove(ctx, j.Subject, most)
	v.Seconds = time.Since(began).Seconds()
	if err != nil || ctx.Err() != nil {
		suspicious, err = engine.Unproved(ctx, &v, err)
		return v, suspicious, err
	}
	v.Status, v.Cause, v.Scope = verdict.Proved, "", verdict.Scope{Limits: places.Limits(j.Subject, int(m.p.length))}
	v.Assumptions = append(v.Assumptions, places.Assumption(j.Subject, int(m.p.length)))
	v.Proof = &verdict.Proof{Content: "the items in places, in the order in which they are taken", Views: t.views, Effects: t.effects(), Unreached: t.unreached(m)}
	v.States, v.Transitions = uint64(t.views), uint64(t.effects())
	if v.Proof.Text, err = t.certify(m, j.Subject); err != nil {
		return v, false, err
	}
	return v, false, engine.Certified(ctx, j, &v, places.CheckFile)
}

// effects is the number of steps that change what all threads know.
func (t *table) effects() (n int) {
	for i := range t.rows {
		n += len(t.rows[i].effects)
	}
	return n
}

// prove fills the table, and holds executions of the machine against it. The error is an *engine.Alarm if the code is not modelled, or
// something in it may be wrong.
func prove(ctx context.Context, s *subject.Subject, most int) (*table, *machine, error) {
	p, why := programOf(s)
	if why != nil {
		return nil, nil, why
	}
	m := newMachine(p)
	if a := m.construct(); a != nil {
		return nil, nil, a
	}
	if protocol, _ := oracle.ParseProtocol(s.About.Protocol); protocol.Kind == oracle.Bounded && protocol.Capacity < int(p.length) {
		return nil, nil, &engine.Alarm{Outside: true, Text: fmt.Sprintf("a queue for %d items in a slice with %d places", protocol.Capacity, p.length)}
	}
	t, err := search(ctx, m, most)
	if err != nil {
		return nil, nil, err
	}
	if err := t.walk(s, 60, 200); err != nil {
		return nil, nil, engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
	}
	return t, m, nil
}

// programOf reads from a subject what its operations are.
func programOf(s *subject.Subject) (*program, *engine.Alarm) {
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
	}
	if p, err := oracle.ParseProtocol(s.About.Protocol); err != nil || p == nil || p.Kind != oracle.Blocking && p.Kind != oracle.Bounded {
		return outside("the protocol %s: there are proofs for queues in which who takes an item waits for one", s.About.Protocol)
	}
	p := &program{prog: s.Prog, make: s.New}
	for i := range s.Operations {
		o := &s.Operations[i]
		b := &o.Binding
		switch {
		case b.Role == oracle.Put && len(b.Params) == 1 && len(b.Results) == 0 && o.Func.ParamWords() == 2 && o.Func.ResultWords() == 0:
		case b.Role == oracle.Take && len(b.Params) == 0 && len(b.Results) == 1 && b.Results[0] == oracle.SlotItem && o.Func.ParamWords() == 1 && o.Func.ResultWords() == 1:
		default:
			return outside("operation %s: there are proofs for queues whose operations put in an item, or return one", o.Name)
		}
		p.ops = append(p.ops, operation{name: o.Name, role: b.Role, fn: o.Func})
	}
	return p, nil
}
