// SPDX-License-Identifier: BSD-3-Clause

// Package schedules tests collections as gc compiles them, under schedules that are drawn at random. It is for what the machine cannot
// execute (reflection, assembly, files, connections), or what is too large to be searched.
//
// It takes a job whose subject is driven as compiled code (subject.Order.Drive), draws clients of the scope, has package native execute
// them, and judges each history by the oracle. A violation is shown only if its schedule, followed from the beginning in another process,
// shows it again. It gives verdict.Violated or verdict.Unknown, with what was tried (verdict.Sampled), and never verdict.Verified.
//
// It executes the user's code natively, with the user's rights. So it runs only if it is named.
package schedules

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/native"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: "schedules", Compiled: true, Run: decide, Replay: replay, Tests: compileTests,
		Doc: "tests compiled code under random schedules, natively and with your rights (only when named; never verified)"}
}

// mostSteps is how many turns an execution may take.
const mostSteps = 20_000

// mostUnrepeated is how many executions may fail to repeat themselves before the search ends.
const mostUnrepeated = 50

// chunk is how many schedules of a client are drawn before it is the next one's turn.
const chunk = 24

// runner executes clients; package native has the one.
type runner interface {
	Draw(context.Context, native.Sampling) (native.Sample, error)
	Alone(ctx context.Context, calls []native.Call, schedules int) (native.Sequential, error)
	Restart()
	Close()
}

// newRunner is another one in tests that compare.
var newRunner = func(ctx context.Context, s native.Subject) (runner, error) {
	return native.NewSampler(ctx, s, native.Options{})
}

// search is the work on one job.
type search struct {
	job     *engine.Job
	sampler runner
	space   *client.Space
	spec    oracle.Spec
	ways    []native.Way
	sampled verdict.Sampled
	turns   int
	sites   []native.Site
	known   map[native.Site]bool
	events  engine.Events
	told    time.Time
	test    bool // what is executed is a whole test
	// followed is how many processes have followed the schedule of a witness until one has shown it; the most, of several witnesses.
	followed int
}

func decide(ctx context.Context, j *engine.Job, ev engine.Events) (verdict.Verdict, error) {
	if j.Subject.Compiled == nil {
		return verdict.Verdict{}, errors.New("the engine schedules is for pangolin verify: this command needs code that the machine executes")
	}
	began := time.Now()
	s, why, err := open(ctx, j)
	if err != nil {
		return verdict.Verdict{}, err
	}
	if why != "" {
		return verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Reason: why, Scope: j.Scope.Plain()}, nil
	}
	defer s.sampler.Close()
	s.events = ev
	v, err := s.run(ctx)
	v.Seconds = time.Since(began).Seconds()
	return v, err
}

// open builds the runner; why says that there can be none.
func open(ctx context.Context, j *engine.Job) (s *search, why string, err error) {
	if why := unsupported(j); why != "" {
		return nil, why, nil
	}
	ways, err := waysOf(j)
	if err != nil {
		return nil, "", err
	}
	space, err := client.NewSpace(j.Scope.Clients, j.Subject.ClientOps())
	if err != nil {
		return nil, "", err
	}
	sampler, err := newRunner(ctx, subjectOf(j.Subject))
	switch {
	case ctx.Err() != nil:
		return nil, "the time was up before the code was compiled", nil
	case errors.Is(err, native.ErrElsewhere):
		return nil, "the changed runtime does not execute it: " + err.Error(), nil
	case err != nil:
		return nil, "", err
	}
	s = &search{job: j, sampler: sampler, space: space, ways: ways, known: map[native.Site]bool{}, spec: j.Subject.Spec}
	if s.spec == nil {
		s.spec = newSelf(j.Subject, sampler)
	}
	return s, "", nil
}

// otherPlatform is what is said where elsewhere is true.
const otherPlatform = "the changed runtime is for linux/amd64"

func elsewhere() bool { return runtime.GOOS != "linux" || runtime.GOARCH != "amd64" }

// unsupported says what of a job this engine does not do.
func unsupported(j *engine.Job) string {
	if elsewhere() {
		return otherPlatform
	}
	if j.Property.IsProgress() {
		return fmt.Sprintf("executions that end do not show whether a collection is %s", j.Property)
	}
	if j.Subject.Source.Module == "" {
		return "the changed runtime executes no packages of the standard library as subjects: their own locks and atomics take no turns"
	}
	if j.Subject.Compiled.Name == "main" {
		return "a type of package main cannot be imported by the runner: move it to a package of its own"
	}
	if j.Scope.Hash.Nondeterministic {
		return "compiled code has its own hash functions: leave out -hash"
	}
	for _, o := range j.Subject.ClientOps() {
		if o.Who.First || o.Who.Last || o.Who.Alone {
			return fmt.Sprintf("%s has a role first, last or alone, which schedules of compiled code do not follow yet", o.Name)
		}
	}
	return ""
}

// waysOf are the ways of drawing schedules with their bounds.
func waysOf(j *engine.Job) (ways []native.Way, err error) {
	names, err := engine.ParseWays(j.Drawn.Ways)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		w := native.Way{Name: name}
		switch name {
		case native.PCT:
			w.Bound = orElse(j.Drawn.Depth, engine.DefaultDepth)
		case native.Preempting:
			w.Bound = engine.DefaultPreemptions
			if j.Scope.Preempt >= 0 {
				w.Bound = j.Scope.Preempt
			}
		}
		ways = append(ways, w)
	}
	return ways, nil
}

func orElse(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// subjectOf is the subject in the terms of package native.
func subjectOf(s *subject.Subject) native.Subject {
	c := s.Compiled
	h := &native.Harness{Package: c.Name, File: c.File, Text: string(c.Text), New: c.New}
	for _, o := range c.Ops {
		h.Ops = append(h.Ops, native.HarnessOp(o))
	}
	return native.Subject{Name: s.About.Collection, Dir: c.Dir, Package: c.Package, Harness: h}
}

// run draws schedules until one is wrong or there were enough.
func (s *search) run(ctx context.Context) (verdict.Verdict, error) {
	d := s.job.Drawn
	total := orElse(d.Schedules, engine.DefaultSchedules)
	seed := d.Seed
	if seed == 0 {
		seed = 1
	}
	s.sampled = verdict.Sampled{Seed: seed, Ways: []string{}}
	for _, w := range s.ways {
		s.sampled.Ways = append(s.sampled.Ways, nameOf(w))
	}
	alone, err := s.aloneClients(seed, 1+total/8)
	if err != nil {
		return verdict.Verdict{}, err
	}
	for i, c := range alone {
		s.sampled.Clients++
		if v, ends, err := s.ends(ctx, c, native.Sampling{Seed: mixed(seed, uint64(i)), Count: 1}); ends || err != nil {
			return v, err
		}
		if ctx.Err() != nil {
			s.sampled.Asked = total
			return s.verdict(), nil
		}
	}
	return s.threads(ctx, seed, total)
}

// threads draws clients with all threads, and schedules of each in turn.
func (s *search) threads(ctx context.Context, seed uint64, total int) (verdict.Verdict, error) {
	clients := drawClients(s.space, seed, max(1, total/chunk))
	tried := map[int]bool{}
	for round := 0; s.sampled.Schedules < total && len(clients) > 0; round++ {
		for i, c := range clients {
			n := min(chunk, total-s.sampled.Schedules)
			if n == 0 {
				break
			}
			if !tried[i] {
				tried[i] = true
				s.sampled.Clients++
			}
			if v, ends, err := s.ends(ctx, c, native.Sampling{Seed: mixed(seed, uint64(i)), From: round * chunk, Count: n}); ends || err != nil {
				return v, err
			}
			if ctx.Err() != nil {
				s.sampled.Asked = total
				return s.verdict(), nil
			}
			s.tell()
		}
	}
	return s.verdict(), nil
}

// ends executes a client, and reports whether that ends the search, with a verdict.
func (s *search) ends(ctx context.Context, c client.Client, q native.Sampling) (v verdict.Verdict, ends bool, err error) {
	f, v, err := s.try(ctx, c, q)
	if f != nil && err == nil {
		v, err = s.violated(ctx, f)
	}
	return v, v.Status != "", err
}

func nameOf(w native.Way) string {
	if w.Name == native.Random {
		return w.Name
	}
	return fmt.Sprintf("%s %d", w.Name, w.Bound)
}

// mixed is a seed for the i-th client.
func mixed(seed, i uint64) uint64 { return (seed + i*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 }

func (s *search) tell() {
	if s.events.Progress != nil && time.Since(s.told) > 200*time.Millisecond {
		s.told = time.Now()
		s.events.Progress(engine.Progress{States: uint64(s.sampled.Schedules), Transitions: uint64(s.turns)})
	}
}

// verdict is that of executions none of which is wrong.
func (s *search) verdict() verdict.Verdict {
	v := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Testing, Scope: s.job.Scope.Plain(), Assumptions: s.assumptions()}
	v.Sampled = &s.sampled
	v.Reason = s.sampled.String()
	v.Transitions = uint64(s.turns)
	return v
}

// assumptions are what else was not tried.
func (s *search) assumptions() []string {
	list := []string{"the code was executed natively, on a Go runtime that is changed to follow schedules"}
	add := func(holds bool, text string) {
		if holds {
			list = append(list, text)
		}
	}
	sc := &s.job.Scope.Clients
	add(s.job.Scope.Preempt >= 0, fmt.Sprintf("the way preempt makes at most %d preemptions; the others have no bound", s.job.Scope.Preempt))
	add(sc.AddsDominant, "clients that may remove more than is added are not executed (adds dominant)")
	add(sc.DistinctPriorities, "no two items have the same priority (distinct priorities)")
	add(sc.GenericValues, "no two items are equal (generic values)")
	add(s.job.NoRaces, engine.WithoutRaces)
	add(s.job.Subject.Self, "the code is correct when one thread uses it (oracle self)")
	self, ok := s.spec.(*self)
	add(ok && self.drawn, "what the code does when one thread uses it was tried under some schedules, not under all (oracle self)")
	add(s.followed > 1, fmt.Sprintf("of %d processes that followed the schedule of the witness the last alone has shown it: the code depends on what no schedule decides, such as when a connection is ready", s.followed))
	add(true, "goroutine leaks were not looked for")
	return list
}

// finding is an execution that is wrong.
type finding struct {
	client client.Client
	seed   uint64
	drawn  native.Drawn
	fault
}

// fault is what is wrong with an execution.
type fault struct {
	class   string
	message string
	why     *consist.Explanation
}

// try executes a client. The finding, if there is one, repeats itself. A verdict with a status ends the search.
func (s *search) try(ctx context.Context, c client.Client, q native.Sampling) (*finding, verdict.Verdict, error) {
	a, v, err := s.draw(ctx, c, &q)
	if v.Status != "" || err != nil {
		return nil, v, err
	}
	for _, d := range a.Drawn {
		if d.Unmade && d.Ending != native.Cut {
			v := s.unable("the constructor or a pre-add does not return: " + endingText(d))
			v.Cause = verdict.Vacuous
			return nil, v, nil
		}
		f, v, err := s.found(ctx, finding{client: c, seed: q.Seed, drawn: d})
		if f != nil || v.Status != "" || err != nil {
			return f, v, err
		}
	}
	return nil, verdict.Verdict{}, nil
}

// draw executes a client and counts that. There are no executions if the time is up. A verdict with a status ends the search.
func (s *search) draw(ctx context.Context, c client.Client, q *native.Sampling) (native.Sample, verdict.Verdict, error) {
	q.Client, q.Ways, q.Sites, q.Steps, q.Races = clientOf(c), s.ways, s.sites, mostSteps, !s.job.NoRaces
	a, err := s.sampler.Draw(ctx, *q)
	switch {
	case ctx.Err() != nil:
		return native.Sample{}, verdict.Verdict{}, nil
	case err != nil:
		return a, verdict.Verdict{}, err
	case a.Fault != "":
		return a, s.unable(a.Fault), nil
	}
	s.sampled.Schedules += a.Made
	s.turns += a.Turns
	s.sampled.Unrun += a.Unrun
	s.sampled.Skipped += a.Skipped
	if a.Cut > 0 {
		s.sampled.Cut, s.sampled.CutBy = s.sampled.Cut+a.Cut, a.CutBy
	}
	s.learn(a.Sites)
	return a, verdict.Verdict{}, nil
}

// found judges an execution. The finding, if it is wrong, repeats itself. A verdict with a status ends the search.
func (s *search) found(ctx context.Context, one finding) (*finding, verdict.Verdict, error) {
	f, err := s.judge(ctx, one.client, &one.drawn)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, verdict.Verdict{}, nil
	case err != nil:
		return nil, s.unable(err.Error()), nil
	case f == nil:
		return nil, verdict.Verdict{}, nil
	}
	one.fault = *f
	again, err := s.follow(ctx, one.client, &one.drawn, f.class)
	if err != nil {
		return nil, verdict.Verdict{}, err
	}
	if again == nil {
		if s.sampled.Unrepeated++; s.sampled.Unrepeated >= mostUnrepeated {
			return nil, s.unable(fmt.Sprintf("%d executions did not repeat themselves: the code depends on what no schedule decides, such as the real time or crypto/rand", s.sampled.Unrepeated)), nil
		}
		return nil, verdict.Verdict{}, nil
	}
	return &one, verdict.Verdict{}, nil
}

// unable is the verdict if executions cannot be made or judged.
func (s *search) unable(why string) verdict.Verdict {
	v := s.verdict()
	v.Cause, v.Reason = verdict.Unsupported, fmt.Sprintf("%s (after %d schedules)", why, s.sampled.Schedules)
	return v
}

// learn adds scheduling points that an execution has shown to be some.
func (s *search) learn(sites []native.Site) {
	for _, at := range sites {
		if !s.known[at] {
			s.known[at] = true
			s.sites = append(s.sites, at)
		}
	}
}
