// SPDX-License-Identifier: BSD-3-Clause

// Package sections proves that the operations of a collection take effect at one moment each, for any number of threads, calls, cells and values, if each of them is one critical section under one lock: most
// types that goroutines share are such.
//
// It takes a loaded subject, and fills a table of what a call may know at the beginning of each block (search.go): to which memory its registers may lead (value.go), and whether it has the lock (state.go).
// Instructions are executed on such values (step.go, memory.go, call.go); an access to memory that others may reach has to be made with the lock, or to words that no call writes (access.go, class.go). doc/proofs.md,
// "One critical section", has the argument.
//
// Sources: R. J. Lipton, Reduction: a method of proving properties of parallel programs, CACM 1975 (what may be moved to one moment); S. Savage and others, Eraser, 1997 (which lock guards what); C. Flanagan, S. Qadeer, A type and effect
// system for atomicity, PLDI 2003. Here what is own is followed through each call, types are not annotated, and what no call writes needs no lock.
//
// The package does not treat operations of several critical sections, several locks, several atomic accesses of an operation, channels without room for an item, goroutines, or what operations promise beside being atomic.
package sections

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin/internal/certificate/sections"
	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: sections.Method, Prove: Attempt, Check: sections.CheckFile,
		Doc: "any number of threads, of any type whose operations are one critical section each, by who can reach which memory"}
}

// mostStates bounds the table, unless the user does.
const mostStates = 200_000

// Attempt proves, or says why not. It is suspicious if the operations take a lock, and an access is made without it.
func Attempt(ctx context.Context, j *engine.Job, _ engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	defer engine.NoProof(&v, &suspicious, &err)
	began := time.Now()
	v = verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Scope: verdict.Unbounded(),
		Assumptions: append(append(engine.OfEnds(""), verdict.PanicsAlone), j.AnyTime()...)}
	if j.Property.IsProgress() {
		v.Assumptions = append([]string{verdict.PanicsAlone}, j.AnyTime()...)
		defer func() { suspicious = false }() // a failed proof of progress is no fault of the results, for which the suspicion would be looked into
	}
	most := mostStates
	if j.MaxStates > 0 {
		most = int(j.MaxStates)
	}
	p, why := programOf(j)
	var t *table
	if why == nil {
		t, err = search(ctx, p, most)
	} else {
		err = why
	}
	v.Seconds = time.Since(began).Seconds()
	if err != nil || ctx.Err() != nil {
		suspicious, err = engine.Unproved(ctx, &v, err)
		return v, suspicious, err
	}
	if waits := t.waits(); j.Property.IsProgress() && j.Property != verdict.DeadlockFree && waits != "" {
		v.Reason = fmt.Sprintf("not proved: a call may wait for %s, so that it is not shown to be %s", waits, j.Property)
		return v, false, nil
	}
	if j.Property.IsProgress() && t.atChannel {
		v.Reason = fmt.Sprintf("not proved: a call may wait at a channel until another one comes, so that it is not shown to be %s", j.Property)
		return v, false, nil
	}
	v.Status, v.Cause, v.Scope = verdict.Proved, "", verdict.Scope{Limits: sections.Limits()}
	v.Proof = &verdict.Proof{Content: t.content(j.Subject.New.Results[0].Elem), Views: t.states, Effects: len(t.effects), Unreached: []string{}}
	if j.Property.IsProgress() {
		v.Proof.Progress = t.returns(j.Subject.New.Results[0].Elem)
		v.Assumptions = append(append(engine.OfEnds(j.Property), verdict.ReturnsAlone), v.Assumptions...)
	}
	v.Assumptions = slices.Concat(v.Assumptions, t.unread(), t.keeps(), t.registered())
	v.States, v.Transitions = uint64(t.states), uint64(len(t.effects))
	if v.Proof.Text, err = t.certify(j); err != nil {
		return v, false, err
	}
	return v, false, engine.Certified(ctx, j, &v, sections.CheckFile)
}

// programOf reads from a subject what its operations are.
func programOf(j *engine.Job) (*program, *engine.Alarm) {
	s := j.Subject
	outside := func(format string, args ...any) (*program, *engine.Alarm) {
		return nil, &engine.Alarm{Outside: true, Text: fmt.Sprintf(format, args...)}
	}
	switch {
	case !s.Self:
		return outside("the oracle %s: the method sections proves for the oracle self (the collection's own code) alone", s.About.Oracle)
	case !s.JudgesItself():
		return outside("the oracle is other code than the collection's own, of which it is a variant")
	case len(s.New.Results) != 1 || s.New.Results[0].Elem == nil:
		return outside("a constructor that does not return a new object")
	case len(s.Operations) == 0:
		return outside("a collection without operations")
	}
	if at, found := sections.SliceData(s.Prog); found {
		return nil, &engine.Alarm{Outside: true, Text: "the data of a slice is taken by package unsafe", At: s.Prog.Position(at)}
	}
	for _, f := range s.Prog.Funcs {
		if f.Name == "runtime.SetFinalizer" || strings.HasPrefix(f.Name, "runtime.AddCleanup") {
			return outside("%s is called", f.Name)
		}
	}
	if a := initialised(s.Prog); a != nil {
		return nil, a
	}
	p := &program{prog: s.Prog, make: s.New, values: valuesOf(s.Prog), classes: classes{}, closures: closures{}, ofType: map[string][]class{}}
	p.unbuffered = sections.AllUnbuffered(s.Prog, func(a, b *ir.Type) bool { return p.classes.of(a) == p.classes.of(b) })
	p.around = newAround(s.Prog, p.classes)
	for i := range s.Operations {
		switch o := &s.Operations[i]; {
		case o.MayFail != nil:
			return outside("operation %s may fail while another call is in progress", o.Name)
		case o.Asks:
			return outside("operation %s is told which thread calls it", o.Name)
		case o.InTurn != nil:
			return outside("operation %s waits for others", o.Name)
		default:
			p.ops, p.fns = append(p.ops, o.Name), append(p.fns, o.Func)
		}
	}
	return p, nil
}
