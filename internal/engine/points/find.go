// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin/history"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Find finds where the operations of a collection take effect within the job's scope.
//
// A hypothesis is "calls with this outcome take effect when their thread passes one of these sites". A search decides whether every
// history has such an explanation (consist.GuessMonitor); calls of other outcomes may take effect anywhere, or where they were found
// to. So an outcome has fixed points exactly if all sites of its own code together suffice. From these, sites are removed until none
// can be spared; single sites are tried first. If they do not suffice, sites of other threads are added. What was found for one outcome
// is part of the hypotheses about the next, so that all points hold together.
//
// Searches in small scopes find candidates; the whole scope decides, about as many outcomes at once as it agrees with (agreed.go).
// Nothing else is assumed: a site may be passed several times, and a call need not know when it takes effect. Of sites that suffice
// alone the first is returned, those that change memory coming first; with alternatives all of them.
func Find(ctx context.Context, j *engine.Job, ev engine.Events, alternatives bool) (verdict.Points, error) {
	if j.Scope.Clients.Endless {
		return verdict.Points{}, errors.New("points are looked for with a number of calls, not with any (-steps any): give a number")
	}
	for _, o := range j.Subject.ClientOps() {
		if o.Who.First || o.Who.Alone || o.Who.Not != "" {
			return verdict.Points{}, fmt.Errorf("role of %s: points are not looked for where operations are called first, alone or not beside others: leave the role out", o.Name)
		}
	}
	f := newFinder(ctx, j, ev)
	f.alternatives = alternatives
	out := verdict.Points{Type: "points", Subject: j.About(), Scope: j.Scope.Plain(), Outcomes: []verdict.PointOf{}, Schema: verdict.Schema}
	v, err := f.verify()
	if err != nil {
		return out, err
	}
	if v.Status != verdict.Verified {
		out.Verdict = &v
		return out, nil
	}
	if out.Outcomes, err = f.all(); err != nil {
		return out, err
	}
	out.Searches, out.States, out.Seconds = f.searches, f.states, time.Since(f.began).Seconds()
	return out, nil
}

// finder is a search for points.
type finder struct {
	ctx      context.Context
	job      *engine.Job
	events   engine.Events
	guess    *bounded.Guess
	outcomes []outcome
	byOp     map[string]int // indices of outcomes by their keys
	// restricted contains the outcomes that the hypothesis is about.
	restricted   []bool
	alternatives bool // find all sites that suffice alone
	// scopes are those in which a hypothesis is decided, in order; the last one is the whole.
	scopes  []*engine.Job
	decided map[string]*bounded.Violation // by hypothesis: an execution that refutes it, or nil
	found   []sets                        // points found so far, by outcome
	numbers map[returned]int              // indices of outcomes, by results
	// missed: a call has returned an outcome that did not occur in the surveyed scope.
	missed   bool
	began    time.Time
	searches int
	states   uint64
}

// outcome is a group of results of an operation that are treated alike: Pop with an item, Pop without.
type outcome struct {
	op      int
	text    string
	changes bool
}

func newFinder(ctx context.Context, j *engine.Job, ev engine.Events) *finder {
	f := &finder{ctx: ctx, job: j, events: ev, scopes: scopesOf(j), began: time.Now()}
	f.guess = &bounded.Guess{Functions: functions(j)}
	return f
}

// functions marks the functions of the collection's own package, by number.
func functions(j *engine.Job) []bool {
	in := make([]bool, len(j.Subject.Prog.Funcs))
	for i, fn := range j.Subject.Prog.Funcs {
		name := strings.TrimLeft(fn.Name, "(*")
		in[i] = strings.HasPrefix(name, j.Subject.Source.Package+".") && !fn.Harness && !fn.Model && !fn.Wrapper && !fn.External
	}
	return in
}

func (f *finder) verify() (verdict.Verdict, error) {
	e := bounded.Engine()
	j := *f.job
	j.Workers = 1
	v, err := e.Decide(f.ctx, &j, f.events)
	f.searches, f.states = f.searches+1, f.states+v.States
	return v, err
}

// text describes a result without its values: "_, true".
func text(r history.Tuple) string {
	var parts []string
	for i := range r.Len() {
		switch v := r.At(i); v.Kind {
		case history.Bool:
			parts = append(parts, fmt.Sprint(v.Int != 0))
		case history.Int:
			parts = append(parts, "_")
		default:
			parts = append(parts, v.String())
		}
	}
	return strings.Join(parts, ", ")
}

func key(op int, result history.Tuple) string { return fmt.Sprintf("%d %s", op, text(result)) }

// survey lists the outcomes and sites in a scope.
func (f *finder) survey(j *engine.Job) error {
	f.outcomes, f.byOp, f.restricted, f.decided, f.missed = nil, map[string]int{}, nil, map[string]*bounded.Violation{}, false
	f.guess.Outcome = func(oracle.Call, history.Tuple) int { return -1 }
	f.guess.Returned = func(op int, result history.Tuple) {
		k := key(op, result)
		if _, known := f.byOp[k]; !known {
			f.byOp[k] = -1
			if f.excuses(op, result) {
				return
			}
			f.outcomes = append(f.outcomes, outcome{op: op, text: text(result), changes: f.changes(op, result)})
		}
	}
	refuted, err := f.search(j)
	if err != nil || refuted != nil {
		return cmp.Or(err, errors.New("a linearizable history has no explanation though no site is required"))
	}
	slices.SortStableFunc(f.outcomes, func(a, b outcome) int {
		if a.changes != b.changes {
			return map[bool]int{true: -1, false: 1}[a.changes]
		}
		return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(b.text, a.text))
	})
	for k := range f.byOp {
		f.byOp[k] = slices.IndexFunc(f.outcomes, func(o outcome) bool { return fmt.Sprintf("%d %s", o.op, o.text) == k })
	}
	f.guess.Own, f.guess.Others = make([][]bool, len(f.outcomes)), make([][]bool, len(f.outcomes))
	restricted := make([]bool, len(f.outcomes))
	f.guess.Outcome = func(c oracle.Call, result history.Tuple) int {
		k := f.number(c.Op, result)
		if k < 0 || !restricted[k] {
			return -1
		}
		return k
	}
	f.guess.Returned = func(op int, result history.Tuple) {
		f.missed = f.missed || f.number(op, result) < 0 && !f.excuses(op, result)
	}
	f.restricted, f.found, f.numbers = restricted, make([]sets, len(f.outcomes)), map[returned]int{}
	return nil
}

// returned is a result of an operation.
type returned struct {
	op     int
	result history.Tuple
}

// number is the index of the outcome to which a result belongs, or -1. It is called for every state of the monitor, so the text of each
// result is made only once.
func (f *finder) number(op int, result history.Tuple) int {
	r := returned{op, result}
	k, known := f.numbers[r]
	if !known {
		if k, known = f.byOp[key(op, result)]; !known {
			k = -1
		}
		f.numbers[r] = k
	}
	return k
}

// changes reports whether a call with a result may change the oracle's state.
func (f *finder) changes(op int, result history.Tuple) bool {
	a := oracle.NewAutomaton(f.job.Subject.Spec)
	return !a.Pure(a.CallID(oracle.Call{Op: op}), a.ResultID(result))
}

// excuses reports whether no points are looked for where an operation has a result.
func (f *finder) excuses(op int, result history.Tuple) bool {
	return f.guess.Excused != nil && f.guess.Excused[op] && !f.changes(op, result)
}

// search decides the current hypothesis in a scope: it returns an execution that refutes it, or nil.
func (f *finder) search(j *engine.Job) (*bounded.Violation, error) {
	asked := f.hypothesis(j)
	if v, known := f.decided[asked]; known {
		return v, nil
	}
	v, err := f.decide(j)
	if err == nil {
		f.decided[asked] = v
	}
	return v, err
}

// hypothesis is a text that identifies the current hypothesis and a scope.
func (f *finder) hypothesis(j *engine.Job) string {
	text := []byte(fmt.Sprintf("%p", j))
	for k, restricted := range f.restricted {
		if !restricted {
			continue
		}
		text = fmt.Appendf(text, " %d", k)
		for _, list := range [][]bool{f.guess.Own[k], f.guess.Others[k]} {
			text = append(text, ':')
			for s, in := range list {
				if in {
					text = fmt.Appendf(text, "%d,", s)
				}
			}
		}
	}
	return string(text)
}

// decide decides a hypothesis that is not in decided.
func (f *finder) decide(j *engine.Job) (*bounded.Violation, error) {
	opt := bounded.Options{Job: *j, Guess: f.guess}
	opt.Workers, opt.NoRaces = 1, true
	r, err := bounded.Run(f.ctx, opt)
	if err != nil {
		return nil, err
	}
	f.searches, f.states = f.searches+1, f.states+r.States
	switch {
	case r.Refuted:
		return r.Violation, nil
	case r.Violation != nil:
		return nil, errors.New("the collection is violated: " + r.Violation.Message)
	case r.Incomplete != "":
		return nil, fmt.Errorf("%w: %s", ErrUnfinished, r.Incomplete)
	}
	return nil, nil
}

// ErrUnfinished is wrapped by the error if a limit was reached before the points were found.
var ErrUnfinished = errors.New("the points were not found")

// scopesOf returns a job's scope for two calls and for two threads, in which most wrong hypotheses fail, and the whole. What is refuted
// for a client is also refuted for one with more calls or threads.
func scopesOf(whole *engine.Job) []*engine.Job {
	small := *whole
	t := &small.Scope.Clients.Threads
	t.From, t.To = min(t.From, 2), min(t.To, 2)
	list := []*engine.Job{whole}
	if small.Scope.Clients != whole.Scope.Clients {
		list = []*engine.Job{&small, whole}
	}
	if c := small.Scope.Clients; c.PerThread == 0 && c.Steps.To > 2 {
		short := small
		s := &short.Scope.Clients.Steps
		s.From, s.To = min(s.From, 2), 2
		list = slices.Insert(list, 0, &short)
	}
	return list
}

// largest is the largest of the scopes in which a hypothesis is decided.
func (f *finder) largest() *engine.Job { return f.scopes[len(f.scopes)-1] }

// sets is a hypothesis about one outcome.
type sets struct{ own, others []int }

// try decides a hypothesis about an outcome in a scope.
func (f *finder) try(j *engine.Job, k int, s sets) (*bounded.Violation, error) {
	f.restricted[k] = true
	f.guess.Own[k], f.guess.Others[k] = f.mask(s.own), f.mask(s.others)
	return f.search(j)
}

func (f *finder) mask(list []int) []bool {
	m := make([]bool, len(f.guess.Sites))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// outcome finds the points of one outcome, which is restricted to them from then on.
func (f *finder) outcome(k int) (verdict.PointOf, error) {
	o := &f.outcomes[k]
	out := verdict.PointOf{Operation: f.job.Subject.Operations[o.op].Name, Outcome: o.text, Changes: o.changes, Points: []verdict.Point{}}
	found, alternatives, err := f.alone(k)
	if err == nil && found.own == nil {
		found, err = f.together(k, &out)
	}
	if err != nil {
		return out, err
	}
	f.restricted[k] = len(found.own)+len(found.others) > 0
	f.guess.Own[k], f.guess.Others[k] = f.mask(found.own), f.mask(found.others)
	f.found[k] = found
	for _, s := range alternatives {
		out.Alternatives = append(out.Alternatives, f.point(s, ""))
	}
	return out, nil
}

// name describes the points of an outcome. It is called last, because it needs to know which operations pass which site.
func (f *finder) name(out *verdict.PointOf, found sets) {
	out.Fixed = len(found.own) > 0 && len(found.others) == 0
	for _, s := range found.own {
		out.Points = append(out.Points, f.point(s, ""))
	}
	for _, s := range found.others {
		out.Points = append(out.Points, f.point(s, f.by(s)))
	}
}

// alone finds a site of the call's own code that suffices by itself and, if they are asked for, the others that do.
func (f *finder) alone(k int) (found sets, alternatives []int, err error) {
	for _, s := range f.guess.Likely(f.outcomes[k].op, f.outcomes[k].changes) {
		refuted, err := f.refute(k, sets{own: []int{s}})
		switch {
		case err != nil:
			return found, nil, err
		case refuted == nil && found.own == nil:
			found.own = []int{s}
			if !f.alternatives {
				return found, nil, nil
			}
		case refuted == nil:
			alternatives = append(alternatives, s)
		}
	}
	return found, alternatives, nil
}

// together finds sites that suffice together, of the call's own code or also of other threads, and records why its own do not suffice.
func (f *finder) together(k int, out *verdict.PointOf) (sets, error) {
	all := sets{own: f.guess.Likely(f.outcomes[k].op, f.outcomes[k].changes)}
	without, err := f.refute(k, all)
	if err != nil {
		return sets{}, err
	}
	if without != nil {
		others := f.guess.Writers()
		alone, err := f.refute(k, sets{others: others})
		if err != nil {
			return sets{}, err
		}
		for _, v := range []*bounded.Violation{without, alone} {
			if v != nil {
				out.Reasons = append(out.Reasons, bounded.Describe(f.job, v))
			}
		}
		all.others = others
		none, err := f.refute(k, all)
		if err != nil || none != nil { // the call takes effect at no site
			return sets{}, err
		}
	}
	return f.least(k, all)
}

// least removes sites, the last ones first, until none can be spared: in the smallest scope, and if the rest does not suffice in the
// largest, in the next.
func (f *finder) least(k int, all sets) (sets, error) {
	for _, j := range f.scopes {
		found := all
		for _, list := range []*[]int{&found.others, &found.own} {
			left, err := spare(*list, func(left []int) (bool, error) {
				*list = left
				refuted, err := f.try(j, k, found)
				return refuted == nil, err
			})
			if err != nil {
				return all, err
			}
			*list = left
		}
		refuted, err := f.try(f.largest(), k, found)
		if err != nil || refuted == nil {
			return found, err
		}
	}
	return all, nil
}

// spare removes elements from a list that suffices, the last ones first, until none can be spared. Since more sites suffice if fewer
// do, it finds by bisection how many successive ones can be removed.
func spare(list []int, suffices func([]int) (bool, error)) ([]int, error) {
	for end := len(list); end > 0; end-- { // the elements from end on are needed
		without := func(n int) []int { return slices.Delete(slices.Clone(list), end-n, end) }
		some, many := 0, end+1 // some can be spared, many cannot
		for some+1 < many {
			middle := (some + many) / 2
			ok, err := suffices(without(middle))
			switch {
			case err != nil:
				return nil, err
			case ok:
				some = middle
			default:
				many = middle
			}
		}
		list = without(some)
		end -= some
	}
	return list, nil
}

// refute returns an execution that refutes a hypothesis, in the smallest scope that has one; nil if the hypothesis holds in all.
func (f *finder) refute(k int, s sets) (*bounded.Violation, error) {
	for _, j := range f.scopes {
		if v, err := f.try(j, k, s); err != nil || v != nil {
			return v, err
		}
	}
	return nil, nil
}

// point describes a site for readers.
func (f *finder) point(site int, by string) verdict.Point {
	p := f.guess.Point(site, f.job.Subject)
	p.By = by
	return p
}

// by lists the operations that pass a site, as a point of another call names them: "Push, Pop".
func (f *finder) by(site int) string {
	var names []string
	for op := range f.job.Subject.Operations {
		if f.guess.Visited[bounded.Visit{Operation: op, Site: site}] {
			names = append(names, f.job.Subject.Operations[op].Name)
		}
	}
	return strings.Join(names, ", ")
}
