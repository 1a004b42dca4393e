// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"errors"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// validate returns an error if fields contradict each other, whatever the packages contain, or a field has a value that its text could not
// set.
func (r *Request) validate() error {
	var copied Request
	for _, f := range Fields() {
		text := f.get(r)
		if text == "" {
			continue
		}
		if err := f.set(&copied, text); err != nil {
			return fmt.Errorf("%s %q: %w", f.Path, text, err)
		}
	}
	s := &r.Scope
	switch {
	case r.Search.Clients && s.endless():
		return errors.New("Request.Search.Clients and any number of calls (-steps any, -config 2xany) contradict each other: there are infinitely many clients")
	case s.PerThread > 0 && s.Steps != "":
		return errors.New("Request.Scope.PerThread and Request.Scope.Steps contradict each other: PerThread fixes the number of calls of each thread, Steps bounds their total")
	case s.GenericValues == On && s.Values > 0 && s.Steps != AnySteps:
		return errors.New("Request.Scope.GenericValues and Request.Scope.Values contradict each other: generic items are numbered, not chosen")
	case r.Search.Part.Costs != "" && r.Search.Part.Shard == "":
		return errors.New("Request.Search.Part.Costs has no effect without Request.Search.Part.Shard: it says how the shards are split")
	case r.Type != "" && r.namesTypes():
		return errors.New("Request.Type and PKG.Type contradict each other: both name the type")
	case r.Search.Min && r.Search.AsFound:
		return errors.New("Request.Search.Min and Request.Search.AsFound contradict each other: Min looks for a shortest witness, AsFound for none that is smaller")
	case r.Search.Time == string(subject.VirtualTime) && r.Engine != "" && r.Engine != "bounded" && r.Engine != "outcomes":
		return fmt.Errorf("Request.Search.Time virtual is for the engine bounded and for programs: the engine %s takes timers to fire at any moment", r.Engine)
	case r.Search.Lemmas.Given != "" && r.Engine != "cmp":
		return errors.New("Request.Search.Lemmas.Given is for the engine cmp, which alone has lemmas: Request.Engine is to be cmp")
	case r.Scope.Prove != "" && r.Engine != "":
		return fmt.Errorf("Request.Scope.Prove is for what the usual engine verifies, and has no effect with the engine %s", r.Engine)
	case r.Scope.Prove == "auto" && r.Search.NoRaces:
		return errors.New("Request.Scope.Prove auto and Request.Search.NoRaces contradict each other: a proof is about data races as well")
	case r.Kind == "lock" && !r.Oracle.read().IsAuto() && r.Oracle != "counter":
		return fmt.Errorf("a lock has the oracle counter, not %s", r.Oracle)
	case r.Search.Swarm != 0:
		return r.swarms()
	}
	return nil
}

// ofNoProgram returns an error if a request about collections has a value that is for programs.
func (r *Request) ofNoProgram() error {
	if r.Program.Leaks == leaksOfMain {
		return errors.New("Request.Program.Leaks main (-leaks main) is for programs and tests: a collection has no main; there are all and none")
	}
	return nil
}

// bounds converts the request's scope.
func (r *Request) bounds() (*engine.Bounds, error) {
	s := &r.Scope
	b := &engine.Bounds{Config: s.Config, PerThread: s.PerThread, Values: s.Values, Items: s.Items,
		ThreadSymmetry: s.ThreadSymmetry.asked(), GenericValues: s.GenericValues.asked(),
		AddsDominant: s.AddsDominant.asked(), DistinctPriorities: s.DistinctPriorities.asked(),
		Preempt: r.Search.Preempt, Unfair: r.Search.Unfair == On, Roles: r.Roles}
	var errs [4]error
	b.Threads, errs[0] = s.Threads.read()
	if b.Endless = s.Steps == AnySteps; !b.Endless {
		b.Steps, errs[1] = s.Steps.read()
	}
	b.PreAdds, errs[2] = s.PreAdds.read()
	b.Hash, errs[3] = engine.ParseHash(s.Hash)
	return b, errors.Join(errs[:]...)
}

// engine is the engine that the request asks for, for whole programs or for collections.
func (r *Request) engine(program bool) (engine.Engine, error) { return engines.Find(r.Engine, program) }

// samples says that the engine that is named tests compiled code.
func (r *Request) samples() bool {
	e, err := engines.Find(r.Engine, false)
	return err == nil && r.Engine != "" && e.Tests != nil
}

// programs is the engine for whole programs.
func (r *Request) programs() (engine.Engine, error) {
	if r.Program.compiled != nil {
		return *r.Program.compiled, nil
	}
	return r.engine(true)
}

// events are the events of an engine's search for a subject.
func (r *Request) events(name, property string) engine.Events {
	e := engine.Events{Note: r.Events.Note}
	if tell := r.Events.Progress; tell != nil {
		e.Progress = func(p engine.Progress) {
			now := Progress{Collection: name, Property: property, States: p.States, Transitions: p.Transitions, Bytes: p.Bytes, Depth: p.Depth}
			if last := p.Earlier; last != nil && last.Status != verdict.Violated { // a violation ends a search early
				now.Earlier, now.EarlierScope = last.States, last.Scope
			}
			tell(now)
		}
	}
	return e
}

// search converts the request's search options.
func (r *Request) search() (engine.Search, error) {
	s := &r.Search
	set, err := s.Reduce.read()
	return engine.Search{Reduce: set, NoRaces: s.NoRaces, Leaks: r.Program.Leaks != "none", CutOff: r.Program.Leaks == leaksOfMain, Shortest: s.Min, Scenes: s.Scenes, OneByOne: s.Clients, Certify: s.Certify, Lemmas: s.Lemmas.Find, Given: s.Lemmas.Given, Checks: s.Assertions, Workers: s.Workers,
		Timeout: s.Timeout, MaxStates: s.MaxStates, MaxBytes: s.MaxMemory,
		Drawn: engine.Drawn(r.Scope.Sample)}, err
}

func (r *Request) namesTypes() bool {
	for _, p := range r.Packages {
		if _, typ := find.SplitType(p); typ != "" {
			return true
		}
	}
	return false
}

// expected is the statuses that the request expects; validate reports errors in it.
func (r *Request) expected() map[verdict.Property]verdict.Status {
	if r.Expect == "" {
		return nil
	}
	expected, err := task.ParseExpected(r.Expect)
	if err != nil {
		return nil
	}
	return expected
}
