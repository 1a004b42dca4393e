// SPDX-License-Identifier: BSD-3-Clause

// Package ages proves that a set is linearizable, for any number of threads, calls, cells and values, where cells are put in front, stay in
// the order in which they came, and say by a number whether they count: the unordered list of Zhang and others.
//
// It takes a loaded subject, follows one value k, and fills a table of what a thread may know (search.go): of the cells that its registers
// lead to it knows the order in which they were linked in, whether they have k, and whether they count; and of the cells between them which
// kinds of cells count there (view.go). Links are not looked at: it is shown that a link leads to an older cell and passes over none that
// counts, so that whatever is reached by it is one of those. Steps execute instructions on such values (step.go, memory.go, state.go), and what
// they do to others is laid over what these know (effect.go). Beside it grows what is known of all states: which kinds may follow one another (kinds.go).
//
// Sources: K. Zhang, Y. Zhao, Y. Yang, Y. Liu, M. Spear, Practical non-blocking unordered lists, DISC 2013 (the algorithm); thread-modular
// reasoning as in Flanagan and Qadeer, SPIN 2003. P. A. Abdulla, B. Jonsson, C. Q. Trinh (SAS 2016) prove the algorithm with a policy by hand; here
// the order in which cells are linked in takes the place of shapes.
//
// The package does not treat cells that are removed from the front or put in elsewhere, items that are compared by order, locks, deadlock or termination.
package ages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pangolin/internal/certificate/ages"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: ages.Method, Prove: Attempt, Check: ages.CheckFile,
		Doc: "any number of threads and cells of a set whose cells are put in front, by their order"}
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
		v.Reason = fmt.Sprintf("not proved: the method ages does not look for a proof that a collection is %s", j.Property)
		return v, false, nil
	}
	most := mostViews
	if j.MaxStates > 0 {
		most = int(j.MaxStates)
	}
	t, err := prove(ctx, j.Subject, most)
	v.Seconds = time.Since(began).Seconds()
	if err != nil || ctx.Err() != nil {
		suspicious, err = engine.Unproved(ctx, &v, err)
		return v, suspicious, err
	}
	v.Status, v.Cause, v.Scope = verdict.Proved, "", verdict.Scope{Limits: ages.Limits()}
	v.Proof = &verdict.Proof{Content: t.m.counting.String(), Views: t.views, Effects: t.effects(), Unreached: t.unreached()}
	v.States, v.Transitions = uint64(t.views), uint64(t.effects())
	if v.Proof.Text, err = t.certify(j.Subject); err != nil {
		return v, false, err
	}
	return v, false, engine.Certified(ctx, j, &v, ages.CheckFile)
}

// prove fills the table for each way in which cells may count, up to one that proves, and holds executions of the machine against that. The error is an
// *engine.Alarm if the code is not modelled, or something in it may be wrong: that of the way with which most was seen.
func prove(ctx context.Context, s *subject.Subject, most int) (*table, error) {
	p, why := programOf(s)
	if why != nil {
		return nil, why
	}
	var best error = &engine.Alarm{Outside: true, Text: "no small number that could be a state of cells"}
	views := -1
	for _, c := range candidates(p) {
		t, err := search(ctx, p, c, most)
		switch a := new(engine.Alarm); {
		case err == nil:
			if err := t.walk(s, 60, 200); err != nil {
				return nil, engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
			}
			return t, nil
		case !errors.As(err, &a):
			return nil, err
		case t.views > views:
			best, views = err, t.views
		}
	}
	return nil, best
}

// programOf reads from a subject what its operations are.
func programOf(s *subject.Subject) (*program, *engine.Alarm) {
	outside := func(format string, args ...any) (*program, *engine.Alarm) {
		return nil, &engine.Alarm{Outside: true, Text: fmt.Sprintf(format, args...)}
	}
	switch a := &s.About; {
	case a.Kind != string(oracle.Set):
		return outside("a collection of kind %s: there are proofs for sets alone", a.Kind)
	case s.Self:
		return outside("the oracle self (the set's own code): there are proofs for the oracle set alone")
	case a.Oracle != string(oracle.Set):
		return outside("the oracle %s: there are proofs for the oracle set alone", a.Oracle)
	case a.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String():
		return outside("the protocol %s: there are proofs for operations that do not wait", a.Protocol)
	}
	p := &program{prog: s.Prog, make: s.New}
	for i := range s.Operations {
		o := &s.Operations[i]
		b := &o.Binding
		known := b.Role == oracle.Add || b.Role == oracle.Remove || b.Role == oracle.Contains
		if !known || len(b.Params) != 1 || len(b.Results) != 1 || b.Results[0] != oracle.SlotOK && b.Results[0] != oracle.SlotNotOK ||
			o.Func.ParamWords() != 2 || o.Func.ResultWords() != 1 {
			return outside("operation %s: there are proofs for sets whose operations add, remove or look for an item, and say whether that was done", o.Name)
		}
		p.ops = append(p.ops, operation{name: o.Name, role: b.Role, fn: o.Func, not: b.Results[0] == oracle.SlotNotOK})
	}
	return p, nil
}
