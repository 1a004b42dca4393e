package pangolin

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/mutant"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// NotVerified is the error of a mutation whose collection is not verified itself, so
// that its mutants would say nothing.
type NotVerified struct{ Verdict verdict.Verdict }

func (e *NotVerified) Error() string {
	return fmt.Sprintf("%s is not verified itself but %s: %s", e.Verdict.Collection, e.Verdict.Status, e.Verdict.Reason)
}

// Mutate says whether the verdict on a collection has teeth: it verifies it, plants
// faults in the source that its operations execute, one at a time, and verifies each
// mutant. The request is about one collection and one property; its limits are for each
// verification, and its workers are mutants that are verified at the same time.
//
// A mutant is judged by the oracle of the unmutated collection. It is killed in the first
// part of the scope that shows a violation, beginning with one thread alone and then with
// few steps.
func Mutate(ctx context.Context, r Request, opt Mutation) (*MutationSummary, error) {
	began := time.Now()
	m, err := newMutator(ctx, r, opt)
	if err != nil {
		return nil, err
	}
	if err := m.baseline(ctx); err != nil {
		return nil, err
	}
	list, err := m.plant(ctx)
	if err != nil {
		return nil, err
	}
	m.summary.Planted = len(list)
	if err := m.all(ctx, opt.choose(list)); err != nil {
		return nil, err
	}
	m.summary.Seconds = time.Since(began).Seconds()
	return &m.summary, nil
}

// mutator mutates one collection.
type mutator struct {
	opt      Mutation
	workers  int
	target   *target
	property consist.Property
	original *loaded
	stages   []stage
	codes    map[code]bool // of the original and the mutants so far
	summary  MutationSummary
}

func newMutator(ctx context.Context, r Request, opt Mutation) (*mutator, error) {
	if err := errors.Join(r.validate(), opt.validate()); err != nil {
		return nil, err
	}
	targets, err := r.discover(ctx)
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, fmt.Errorf("%d collections were found, mutants are made of one: name it PKG.Type", len(targets))
	}
	t := targets[0]
	properties, err := t.request.properties()
	if err != nil {
		return nil, err
	}
	if len(properties) != 1 || properties[0] == allProperties {
		return nil, errors.New("mutants are verified for one property")
	}
	m := &mutator{opt: opt, workers: max(1, r.Search.Workers), target: t, property: consist.Property(properties[0]), codes: map[code]bool{}}
	t.request.Events.found(t.describe())
	return m, nil
}

// baselineTimeouts is how many times as long as a mutant the collection itself may take:
// without it there are no mutants.
const baselineTimeouts = 10

// baseline verifies the unmutated collection.
func (m *mutator) baseline(ctx context.Context) error {
	t := m.target
	var err error
	if m.original, err = t.load(ctx); err != nil {
		return err
	}
	patient := *t
	patient.request.Search.Timeout *= baselineTimeouts
	v, err := patient.property(ctx, m.original, m.property)
	if err != nil {
		return err
	}
	if m.opt.Baseline != nil {
		m.opt.Baseline(v)
	}
	if v.Status != verdict.Verified {
		return &NotVerified{v}
	}
	m.summary = MutationSummary{Type: "summary", Collection: v.Collection, Property: v.Property, Scope: v.Scope}
	m.codes[codeOf(m.original.subject.Prog)] = true
	opt, err := t.options(m.property)
	if err != nil {
		return err
	}
	opt.Workers, opt.Progress = 1, nil
	m.stages, err = m.alone(ctx, opt)
	m.stages = append(m.stages, stages(opt)...)
	return err
}

// stage is a part of the scope.
type stage struct {
	bounded.Options
	endless bool // what reaches the limit on states does not end
}

// The calls of one thread come to few states, unless one of them does not return: a
// mutant may have so many times as many as the original, and so many more.
const (
	aloneMost  = 100_000 // of the original, or there is no such stage
	aloneTimes = 20
	aloneMore  = 5000
)

// alone is the stage in which one thread calls alone, if the scope has room for it. There
// an operation goes on for ever if it comes back to a state, or if it grows something
// without end, a stamp or a slice: no cycle shows that, and other stages would reach
// their limit with it. So what has far more states than the original is killed, as
// mutants that exceed their time are elsewhere, but by a number that does not depend on
// time. The reductions that a mutant may lose are off, so that the numbers compare.
func (m *mutator) alone(ctx context.Context, opt bounded.Options) ([]stage, error) {
	if opt.Scope.Threads.From > 1 {
		return nil, nil
	}
	limited := opt.MaxStates
	opt.Scope.Threads.To, opt.MaxStates = 1, aloneMost
	opt.Reduce.NoKeys, opt.Reduce.NoItems, opt.Reduce.NoGuarded, opt.Reduce.NoFrozen = true, true, true, true
	res, err := bounded.Run(ctx, m.original.subject, opt)
	if err != nil {
		return nil, err
	}
	limit := aloneTimes*res.States + aloneMore
	if res.Incomplete != "" || limited > 0 && limited <= limit {
		return nil, nil
	}
	opt.MaxStates = limit
	return []stage{{opt, true}}, nil
}

// stages are parts of a scope, each within the next, up to the whole: most mutants
// are killed by few steps, which take no time.
func stages(opt bounded.Options) []stage {
	var out []stage
	full := opt.Scope
	for _, n := range []int{2, 3} {
		if s := full; s.PerThread == 0 && s.Steps.From <= n && n < s.Steps.To && s.Threads.From <= n {
			s.Steps.To, s.Threads.To = n, min(s.Threads.To, n)
			part := opt
			part.Scope = s
			out = append(out, stage{Options: part})
		}
	}
	return append(out, stage{Options: opt})
}

// plant makes the mutants of the packages of the user's module.
func (m *mutator) plant(ctx context.Context) ([]planted, error) {
	sources, err := m.target.listed.Sources(ctx)
	if err != nil {
		return nil, err
	}
	prog := m.original.subject.Prog
	reached := mutant.Reach(prog, prog.Roots[1:])
	var out []planted
	for i := range sources {
		pkg, paths := packageOf(&sources[i])
		for _, p := range mutant.All(pkg, reached) {
			out = append(out, planted{p, len(out) + 1, paths[p.File]})
		}
	}
	return out, nil
}

// packageOf is a package as package mutant wants it, with its files' paths.
func packageOf(s *front.Source) (*mutant.Package, map[*mutant.File]string) {
	pkg := &mutant.Package{Fset: s.Fset, Info: s.Info}
	paths := map[*mutant.File]string{}
	for _, f := range s.Files {
		g := &mutant.File{Name: f.Name, Text: f.Text, Syntax: f.Syntax}
		pkg.Files = append(pkg.Files, g)
		paths[g] = f.Path
	}
	return pkg, paths
}

// all tries mutants, several at a time, and tells their outcomes in order. They are
// compiled one after the other, so that which of two equal ones counts does not depend
// on time.
func (m *mutator) all(ctx context.Context, list []planted) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	results := make([]chan result, len(list))
	for i := range list {
		results[i] = make(chan result, 1)
	}
	slots := make(chan struct{}, m.workers)
	go func() {
		for i := range list {
			slots <- struct{}{}
			c := m.compile(ctx, &list[i])
			go func() {
				results[i] <- m.judge(ctx, c)
				<-slots
			}()
		}
	}()
	for i := range results {
		r := <-results[i]
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("interrupted: %d of %d mutants were not tried: %w", len(list)-i, len(list), context.Cause(ctx))
		case r.err != nil:
			return fmt.Errorf("mutant %d: %w", list[i].id, r.err)
		case r.same:
			m.summary.Same++
		default:
			m.summary.count(&r.mutant)
			if m.opt.Mutant != nil {
				m.opt.Mutant(r.mutant)
			}
		}
	}
	return nil
}

// result is what became of a mutant: an outcome, or it is the same as another one, or it
// could not be tried.
type result struct {
	mutant Mutant
	same   bool
	err    error
}

// candidate is a mutant that may be verified; if subject is nil it need not be.
type candidate struct {
	result
	subject *bounded.Subject
}

// compile compiles a mutant.
func (m *mutator) compile(ctx context.Context, p *planted) *candidate {
	c := &candidate{}
	c.mutant = p.untried()
	h := &harness{overrides: m.target.overrides}
	s, err := h.subject(ctx, m.target.listed.Overlay(map[string][]byte{p.path: p.Text()}), m.target.ops)
	var problem *front.Error
	switch {
	case errors.As(err, &problem):
		c.mutant.Outcome, c.mutant.Reason = Invalid, problem.Problems[0]
		return c
	case err != nil:
		c.err = err
		return c
	}
	s.Spec = m.original.subject.Spec
	key := codeOf(s.Prog)
	c.same = m.codes[key]
	m.codes[key] = true
	if !c.same {
		c.subject = s
	}
	return c
}

// judge verifies a mutant in larger and larger parts of the scope.
func (m *mutator) judge(ctx context.Context, c *candidate) result {
	if c.subject == nil {
		return c.result
	}
	began := time.Now()
	r := &c.mutant
	for _, s := range m.stages {
		res, err := bounded.Run(ctx, c.subject, s.Options)
		if err != nil {
			c.setUpFails(err)
			break
		}
		r.States += res.States
		if r.judge(res, s); r.Outcome != Survived {
			break
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return c.result
}

// setUpFails kills a mutant whose constructor does not work.
func (c *candidate) setUpFails(err error) {
	var setup *bounded.SetupError
	if !errors.As(err, &setup) {
		c.err = err
		return
	}
	c.mutant.Outcome, c.mutant.Class, c.mutant.Reason = Killed, "setup", setup.Message
}

// judge takes over the result of one search.
func (r *Mutant) judge(res *bounded.Result, s stage) {
	switch {
	case res.Violation != nil:
		r.Outcome, r.Class, r.Reason, r.Client = Killed, string(res.Violation.Class), res.Violation.Message, res.Violation.Client
	case res.Fault != nil && res.Fault.Kind == vm.FaultDiverges:
		r.Outcome, r.Class, r.Reason = Killed, string(bounded.Nontermination), res.Incomplete
	case s.endless && res.States >= s.MaxStates:
		r.Outcome, r.Class = Killed, string(bounded.Infinite)
		r.Reason = fmt.Sprintf("an operation does not end: the calls of one thread alone come to %d states and more", s.MaxStates)
	case res.Incomplete != "":
		r.Outcome, r.Reason = Undecided, res.Incomplete
	default:
		r.Outcome = Survived
	}
}

// code identifies the code of a program, whatever the positions in it.
type code [sha256.Size]byte

func codeOf(p *ir.Program) code {
	h := sha256.New()
	for _, f := range p.Funcs {
		fmt.Fprintln(h, f.Name, f.External)
		for pc := range f.Code {
			fmt.Fprintln(h, p.Instr(f, pc))
		}
	}
	return code(h.Sum(nil))
}
