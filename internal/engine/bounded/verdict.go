// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"
	"strings"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/facts"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Conversion of results to verdicts, which list every bound and assumption of the search.

// Engine returns the engine bounded.
func Engine() engine.Engine {
	return engine.Engine{Name: "bounded", Doc: "every interleaving of every client of a scope, judged by the oracle", Run: decide, Replay: replayWitness,
		Reductions: vm.AllReductions, Extras: true, Endless: true, Weaker: true}
}

// decide decides a job.
func decide(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
	if j.Property.IsProgress() {
		return verdict.Verdict{}, fmt.Errorf("the engine bounded does not decide whether a collection is %s: the engine refine does", j.Property)
	}
	return Decide(ctx, Options{Job: *j}, ev)
}

// Decide runs the search and converts its result to a verdict.
func Decide(ctx context.Context, opt Options, ev engine.Events) (verdict.Verdict, error) {
	s, err := meant(opt.Subject, opt.Property)
	if err != nil {
		return verdict.Verdict{}, err
	}
	opt.Subject = s
	if looksBack(opt.Property) { // what a pre-add has changed is before all that is judged
		opt.Scope.Clients.PreAdds = client.Range{}
	}
	j := &opt.Job
	if tell := ev.Progress; tell != nil {
		opt.Progress = func(p explore.Progress) {
			tell(engine.Progress{States: p.States, Transitions: p.Transitions, Bytes: p.Bytes, Depth: p.Depth})
		}
	}
	res, err := Run(ctx, opt)
	if err != nil {
		return verdict.Verdict{}, err
	}
	opt.Meter = nil // what was found is made smaller under other limits
	if j.Shortest && res.Violation != nil {
		if res, err = minimise(ctx, opt, res); err != nil {
			return verdict.Verdict{}, err
		}
	}
	if j.Small && !j.Shortest && res.Violation != nil {
		small(ctx, opt, res)
	}
	if j.Scenes && res.Violation != nil {
		if b, err := replay(j.Subject, j.Property, res.Violation.Recording, true); err == nil {
			b.Client, res.Violation = res.Violation.Client, b
		}
	}
	v := verdictOf(j, res)
	if res.Violation != nil {
		v.Violation = violationOf(j, v.Scope, res.Violation)
	}
	return v, nil
}

// verdictOf is the verdict without its violation.
func verdictOf(j *engine.Job, res *Result) verdict.Verdict {
	v := verdict.Verdict{Status: verdict.Verified, Scope: searched(j, res).Plain(), Assumptions: assumptions(j, res), Effort: res.Effort}
	if res.Violation == nil {
		v.Returns = res.seen.facts(j.Subject)
		v.NotExecuted, v.NotCalled = res.missed, res.uncalled
	}
	switch {
	case res.Violation != nil:
		v.Status, v.Reason = verdict.Violated, res.Violation.Message
	case res.Incomplete != "":
		v.Status, v.Reason, v.Cause = verdict.Unknown, res.Incomplete, causeOf(res)
		v.Inexecutable = res.unable
	}
	return v
}

// causeOf classifies what ended a search early.
func causeOf(res *Result) verdict.Cause {
	switch {
	case res.Fault != nil && res.Fault.Kind == vm.FaultDiverges:
		return verdict.Diverges
	case res.Fault != nil || res.Undecided:
		return verdict.Unsupported
	}
	return verdict.Limited
}

// assumptions lists what a verdict rests on besides the scope.
func assumptions(j *engine.Job, res *Result) []string {
	s := &res.Scope
	list := []string{}
	add := func(holds bool, text string) {
		if holds {
			list = append(list, text)
		}
	}
	for _, sentence := range j.Property.Weaker() {
		add(true, "weaker than linearizability: "+sentence)
	}
	for _, one := range j.Property.Promises() { // a greater bound shows in one change or item more, and the call that looks
		add(one.Bound > 0 && !s.Endless && s.PreAdds.To+s.Calls() < one.Bound+2,
			fmt.Sprintf("%s: clients of fewer than %d calls, as in this scope, cannot tell it from any greater bound", one, one.Bound+2))
	}
	add(j.Scope.Preempt >= 0, fmt.Sprintf("preemption bound %d: executions with more preemptions are not explored (unsound)", j.Scope.Preempt))
	add(s.AddsDominant, "clients that may remove more than is added are not explored (adds dominant)")
	add(s.DistinctPriorities, "no two items have the same priority (distinct priorities)")
	add(s.GenericValues, "the code does not look at the items (generic values)")
	add(s.GenericValues && j.Subject.HasOracleType() && takesItems(j.Subject.ClientOps()), "no two items are equal: whether the oracle's type looks at them is not known")
	for _, o := range j.Subject.ClientOps() {
		add(o.Who.First, fmt.Sprintf("%s is called before all other calls, by one thread at a time (roles %s:first)", o.Name, o.Name))
		add(o.Who.Alone, fmt.Sprintf("%s is called while no other call is in progress (roles %s:alone)", o.Name, o.Name))
		add(o.Who.Not != "", fmt.Sprintf("no call of %s is in progress while one of %s is (roles %s:not-%s)", o.Name, strings.Join(o.Who.Others(), " or "), o.Name, o.Who.Not))
		add(o.Who.Last, fmt.Sprintf("%s is called when every other call has returned, and nothing after it (roles %s:last)", o.Name, o.Name))
	}
	for i, a := range j.Subject.Invariants {
		add(res.seen.waited>>i&1 != 0, fmt.Sprintf("the invariant %s was not decided where it does not return while no call is in progress, because it waits or goes on without end: only in other states", a.Name))
	}
	add(j.NoRaces, engine.WithoutRaces)
	add(j.Subject.Starts && !j.Leaks, "there are no goroutine leaks: they were not looked for")
	add(j.Subject.Starts && j.Leaks && j.Subject.Forgets != "", "there are no goroutine leaks: they were not looked for ("+j.Subject.Forgets+")")
	add(j.Subject.Starts && j.Leaks && j.Subject.Forgets == "" && j.Subject.Background != "", "a goroutine that waits at a nil channel has not leaked: "+j.Subject.Background+" is given context.Background(), and users may give a context that they cancel")
	add(j.Scope.Fair, "the scheduler is strongly fair: other endless executions do not count")
	add(j.Subject.Self, "the code is correct when one thread uses it (oracle self)")
	return list
}

// Show executes another engine's recording without any reduction, confirms that it shows a violation of its class, and describes it.
func Show(j *engine.Job, rec Recording, scope verdict.Scope) (*verdict.Violation, error) {
	b, err := Replay(j.Subject, j.Property, rec)
	if err != nil {
		return nil, err
	}
	return violationOf(j, scope, b), nil
}

// violationOf describes a violation, with its witness.
func violationOf(j *engine.Job, scope verdict.Scope, b *Violation) *verdict.Violation {
	w := &verdict.Witness{
		Type: "witness", Version: verdict.Version, Source: j.Subject.Source, Subject: j.About(), Scope: scope,
		Schedule: scheduleOf(&b.Recording),
	}
	describe(w, b, j.Subject.Lines)
	at := w.Where()
	return &verdict.Violation{Class: w.Class, Client: w.Client, Summary: w.Message, Function: at.Function, File: at.File, Line: at.Line,
		Steps: w.Steps, Execution: w}
}

// describe sets those fields of a witness that readers see.
func describe(w *verdict.Witness, b *Violation, source *subject.Lines) {
	w.Class, w.Message, w.Client, w.Threads = string(b.Class), b.Message, b.Client, b.Threads
	w.Steps, w.Frames, w.Loop, w.History = b.Steps, b.Frames, b.lapFrom(), b.Events
	w.Explanation, w.Waiting, w.Race, w.Crash, w.Broken, w.Damage = b.Explanation, b.Waiting, b.Race, b.Crash, b.Broken, b.Damage
	w.Scenes = b.Scenes
	facts.Quote(w, source)
}
