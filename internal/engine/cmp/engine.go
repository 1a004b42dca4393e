// SPDX-License-Identifier: BSD-3-Clause

// Package cmp proves collections correct for any number of threads and calls, with a bound on
// the data alone: how many items the collection holds at a time, of how many values.
//
// It takes a loaded subject and fills a table of what one thread may see (package variables,
// what the collection leads to, and what the thread alone leads to, all of it states of the
// machine) until the table is closed under two things: the steps of that thread, and what
// steps of threads that are not shown do to what is shown. The second is the abstract thread
// Other of the CMP method; what it may do is not guessed and refined by lemmas but taken from
// the table itself, which is the strongest choice. Correctness is the oracle in step: at a
// place of its code, found by executing operations alone, a call changes the content as the
// oracle says, and one that does not must return what was right at some moment of the call.
// If that fails it asks the bounded engine for an execution that is wrong.
//
// Sources: Chou, Mannava, Park, A simple method for parameterized verification of cache
// coherence protocols, FMCAD 2004 (CMP), and its use for lists (Sethi, Talupur,
// Schwartz-Narbonne, Malik, Parameterized model checking of fine grained concurrency, SPIN 2012); Flanagan and Qadeer, Thread-modular model checking, SPIN 2003; Abdulla,
// Haziza, Holík, All for the price of few, VMCAI 2013, of which this is the case of views of
// one thread. Deviations: memory is Go's, allocated and collected; a thread knows which locks it
// holds; cells that the collection does not lead to any more may be known to several threads.
//
// That calls return is proved where that is asked (progress.go): deadlock-free, lock-free, obstruction-free.
//
// The package does not prove that a collection is wait-free, does not treat goroutines, channels
// and conditions, and does not need annotations.
package cmp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: "cmp", Prove: Attempt, Check: check, Assert: assert, Reductions: engine.AllReductions,
		Doc: "any number of threads over few items, by what one thread may see"}
}

// usualItems is the bound on the items that the collection holds at a time, if the user asks for no other.
const usualItems = 2

// mostPoints is how many choices of effect points are tried before the proof is given up.
const mostPoints = 16

// Attempt tries to prove the collection of a job. If there is no proof, the verdict says why not. suspicious is true
// if the code could be treated and something may go wrong in it, so that a search for a wrong execution is worth its
// time.
func Attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	defer engine.NoProof(&v, &suspicious, &err)
	began := time.Now()
	var asked []lemma.Given
	if j.Given != "" {
		if asked, err = lemma.ReadGiven(j.Given); err != nil {
			return v, false, fmt.Errorf("the lemmas given: %w", err)
		}
	}
	items := cmp.Or(j.Scope.Items, usualItems)
	v = verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Scope: verdict.FewItems{Items: items, Values: items}.Scope(),
		Assumptions: append(engine.OfEnds(""), j.AnyTime()...)}
	l := limits{views: cmp.Or(int(j.MaxStates), mostViews), lost: mostLost, noRaces: j.NoRaces}
	if j.Property.IsProgress() {
		if v.Reason = provable(j.Property, j.Subject); v.Reason != "" {
			v.Proof = noProof(&verdict.Alarm{Outside: true, Message: v.Reason})
			return v, false, nil
		}
		l.progress, v.Assumptions = j.Property, append(engine.OfEnds(j.Property), j.AnyTime()...)
		defer func() { suspicious = false }() // no search for an execution that is wrong decides whether calls return
	}
	if tell := ev.Progress; tell != nil {
		l.tell = func(views, effects int) { tell(engine.Progress{States: uint64(views), Transitions: uint64(effects)}) }
	}
	found, err := Prove(ctx, j, items, l)
	v.Seconds = time.Since(began).Seconds()
	if found != nil {
		v.States, v.Transitions = uint64(len(found.t.views)), found.merged
		v.Proof, v.PeakBytes = found.facts(), found.t.bytes()+8*wordsOf(found.effects)
		v.Scope = found.model.scope()
		if found.model.tied {
			v.Assumptions = append(v.Assumptions, "elements of one priority are equal")
		}
	}
	out, beyond, bad, alone := new(outsideError), new(limitError), new(alarm), new(wrongAlone)
	switch {
	case err == nil:
		v.Status, v.Cause = verdict.Proved, ""
		if err := found.complete(ctx, j, v.Proof, items); err != nil {
			return v, false, err
		}
		proved := time.Now()
		if err := engine.Certified(ctx, j, &v, check); err != nil || v.Status != verdict.Proved || !j.Lemmas && asked == nil {
			return v, false, err
		}
		if asked != nil {
			return v, false, found.given(ctx, j, &v, asked)
		}
		return v, false, found.explain(ctx, j, v.Proof, time.Since(proved))
	case errors.As(err, &out):
		v.Reason = "not modelled: " + out.text
		v.Proof = noProof(&verdict.Alarm{Outside: true, Message: out.text})
		return v, out.suspicious, nil
	case ctx.Err() != nil:
		v.Reason, v.Cause = "not proved: the time was up before the table was complete", verdict.Limited
		return v, false, nil
	case errors.As(err, &beyond):
		v.Reason, v.Cause = "not proved: "+beyond.text, verdict.Limited
		return v, false, nil
	case errors.As(err, &bad):
		v.Proof = noProof(found.alarm(bad))
		v.Reason = "not proved: " + bad.text
		if bad.at != "" {
			v.Reason += ", at " + bad.at
		}
		return v, true, nil
	case errors.As(err, &alone):
		v.Proof = noProof(&verdict.Alarm{Message: alone.text})
		v.Reason = "not proved: " + alone.text
		return v, true, nil
	}
	return v, false, err
}

// complete adds to a proof its certificate, without lemmas, and what else the job asks for: unreached lines, checks.
func (s *search) complete(ctx context.Context, j *engine.Job, out *verdict.Proof, items int) (err error) {
	out.Unreached = s.unreached()
	if j.Checks {
		if out.Checks, err = checksOf(ctx, j, s, items); err != nil {
			return fmt.Errorf("no checks for a test were found: %w", err)
		}
	}
	out.Text, err = certificateOf(s, nil)
	return err
}

// explain adds lemmas to a proof whose certificate has been checked, and checks the certificate that states them. The search for lemmas leaves time for
// that: several times what the first check took. If the time is up the proof stands, and its lemmas are unfinished.
func (s *search) explain(ctx context.Context, j *engine.Job, out *verdict.Proof, first time.Duration) error {
	began := time.Now()
	looking := ctx
	if end, ok := ctx.Deadline(); ok {
		var stop context.CancelFunc
		looking, stop = context.WithDeadline(ctx, end.Add(-min(longer*first, time.Until(end)/2)))
		defer stop()
	}
	lemmas, needed, err := lemmasOf(looking, j, s, s.model.items)
	unfinished := func() error {
		out.Lemmas = &verdict.Lemmas{Unfinished: true, Needed: []verdict.Lemma{}, Seconds: time.Since(began).Seconds()}
		return nil
	}
	switch {
	case looking.Err() != nil && (err != nil || !lemmas.Sufficient):
		return unfinished()
	case err != nil:
		return err
	}
	lemmas.Seconds = time.Since(began).Seconds()
	if needed != nil {
		text, err := certificateOf(s, needed)
		if err != nil {
			return err
		}
		with := verdict.Verdict{Status: verdict.Proved, Findings: verdict.Findings{Proof: &verdict.Proof{Text: text}}}
		if err := engine.Certified(ctx, j, &with, check); err != nil {
			return err
		}
		if with.Status != verdict.Proved {
			return unfinished()
		}
		out.Text = with.Proof.Text
	}
	out.Lemmas = lemmas
	return nil
}

// longer is how many times as long as a certificate without lemmas one with them is given to be checked.
const longer = 4

// mostViews bounds the views of a table, unless the user does. So many take some gigabytes.
const mostViews = 2_000_000

// mostCommon bounds the objects to which the collection leads.
const mostCommon = 256

// mostSeen bounds the words of a saved view, for code whose arrays grow without end.
const mostSeen = 1 << 14

// mostLost bounds the objects to which a thread leads and the collection does not: new ones, and those that were
// taken out while the thread looked at them.
const mostLost = 24

// Prove fills one table after the other, one for each choice of effect points, until one is closed under all steps
// and shows no alarm. With an error it gives the table that the error is about, which may be nil. Assumptions of the
// reductions that turn out to be wrong are withdrawn, and the proof begins again.
func Prove(ctx context.Context, j *engine.Job, items int, l limits) (*search, error) {
	if j.Scope.Hash.Nondeterministic {
		return nil, outside("hash functions that give anything")
	}
	values := items
	if c := &j.Scope.Clients; c.Values < c.Steps.To+c.PreAdds.To { // there are no more different arguments
		values = min(values, max(1, c.Values))
	}
	m, err := newModel(j.Subject, items, values)
	if err != nil {
		return nil, err
	}
	if (j.Lemmas || j.Checks || j.Given != "") && m.img.UsesThreadIDs() {
		return nil, outside("lemmas and checks for code that asks for the number of its thread")
	}
	l.plain = l.plain || j.Lemmas || j.Checks || j.Given != ""
	assumed := interleave.NewAssumptions(m.img, j.Reduce)
	for {
		if assumed.Frozen == nil {
			assumed.Frozen = m.img.OnlyOwned()
		}
		if !assumed.Frozen.Owned() { // who holds a lock is part of what is known of a thread
			return nil, outside("a lock is given back by a thread that has not taken it, or overwritten")
		}
		assumed.Begin()
		s, err := unlessRefuted(assumed, func() (*search, error) { return prove(ctx, m, assumed, l) })
		if !errors.As(err, &withdrawn{}) {
			return s, err
		}
		if fault := assumed.Fault(); !assumed.Withdraw() {
			if fault == nil {
				return s, engine.Contradiction(errors.New("an assumption is wrong that nobody made"))
			}
			return s, outside("the code could not be executed: %s", fault.Message)
		}
	}
}

// unlessRefuted runs an attempt. The machine panics if a step, executed a second time, differs from the first; if an
// assumption was refuted in between that is no fault of the machine, and the attempt ends as withdrawn.
func unlessRefuted(assumed *interleave.Assumptions, attempt func() (*search, error)) (s *search, err error) {
	defer func() {
		if r := recover(); r != nil {
			if !explore.IsIrreproducible(r) || !assumed.Refuted() {
				panic(r)
			}
			err = withdrawn{}
		}
	}()
	return attempt()
}

// prove tries effect points, under assumptions that do not change meanwhile. If no choice gives a proof, the table
// that grew largest is given with its error.
func prove(ctx context.Context, m *model, assumed *interleave.Assumptions, l limits) (*search, error) {
	list, err := attempts(m, assumed)
	if err != nil {
		return nil, err
	}
	var best *search
	var why error
	choices, written := candidates(list, mostPoints), owned{}
	for _, p := range choices {
		s := newSearch(m, p, assumed, l)
		err := s.run(ctx)
		if err == nil {
			if err = s.vacuous(); err == nil {
				return s, s.gates(ctx)
			}
		}
		if errors.As(err, &withdrawn{}) || ctx.Err() != nil || errors.As(err, new(*outsideError)) {
			return s, err
		}
		if best == nil || len(s.t.views) > len(best.t.views) {
			best, why = s, err
		}
		maps.Copy(written, s.words.wrote)
	}
	if best == nil {
		return nil, &wrongAlone{"no step of an operation, executed alone, is one at which it takes effect"}
	}
	if errors.As(why, new(*alarm)) && !l.plain {
		s, err := (&ownership{m, assumed, l, choices}).owning(ctx, written)
		if err != nil {
			return nil, err
		}
		if s != nil {
			return s, s.gates(ctx)
		}
	}
	return best, why
}

// vacuous is an error if, within the bound, the oracle allows a call to return a result that no call in the table
// ever returns. The table shows nothing of such calls.
func (s *search) vacuous() error {
	for _, q := range s.model.order {
		for c := range s.model.calls {
			for _, e := range s.model.auto.Edges(q, s.model.calls[c].id) {
				if s.model.within(e.Next) && !s.returned[outcome{c, e.Result}] {
					return &alarm{view: -1, text: fmt.Sprintf("no execution of the table has %s return %s, so that nothing is shown of it",
						s.model.calls[c].text, s.model.shown(c, e.Result))}
				}
			}
		}
	}
	return nil
}

// gates checks a table that is believed to be a proof by two other means: everything is done once more (closed), and
// real executions are looked up in it (walk).
func (s *search) gates(ctx context.Context) error {
	if s.limits.progress != "" {
		s.ranked = newRanked(s)
	}
	if err := s.closed(ctx); err != nil {
		return engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
	}
	if err := s.walk(ctx, 40, 150); err != nil {
		return engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
	}
	if s.ranked != nil {
		return s.rank()
	}
	return nil
}

// closed makes every step and does every effect once more. It is an error if something comes of it that is not in the
// table.
func (s *search) closed(ctx context.Context) error {
	s.check = true
	defer func() { s.check = false }()
	for v := range s.t.views {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, e := range s.t.common[s.t.views[v].common].effects {
			if err := s.apply(e, int32(v)); err != nil {
				return err
			}
		}
		if err := s.expand(int32(v)); err != nil {
			return err
		}
	}
	return nil
}

// noProof is the part of a verdict that describes an alarm.
func noProof(a *verdict.Alarm) *verdict.Proof {
	if a.Callers == nil {
		a.Callers = []string{}
	}
	if a.Trace == nil {
		a.Trace = []verdict.AbstractStep{}
	}
	return &verdict.Proof{Unreached: []string{}, Alarm: a}
}

// facts is the part of a verdict that describes a proof: how the content is read, and the size of the table.
func (s *search) facts() *verdict.Proof {
	places := slices.Sorted(maps.Values(s.points))
	p := &verdict.Proof{Content: "what was put in and not taken out; calls take effect in " + strings.Join(slices.Compact(places), ", in "),
		Views: len(s.t.views), Effects: len(s.effects), Cells: s.most, Unreached: []string{}}
	if s.limits.progress != "" {
		p.Progress = s.returns()
	}
	return p
}

// alarm gives an alarm for a verdict, with the views that lead to it, the first one first.
func (s *search) alarm(a *alarm) *verdict.Alarm {
	out := &verdict.Alarm{Message: a.text, At: a.at, Callers: []string{}, Trace: []verdict.AbstractStep{}}
	for v := a.view; v >= 0; v = s.t.views[v].parent {
		out.Trace = append(out.Trace, s.cameBy(v))
	}
	slices.Reverse(out.Trace)
	if a.last != "" {
		out.Trace = append(out.Trace, verdict.AbstractStep{Text: a.last, At: a.at})
	}
	return out
}
