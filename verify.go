// SPDX-License-Identifier: BSD-3-Clause

// Package pangolin verifies concurrent collections written in ordinary Go: it finds them in packages, explores every interleaving of every
// small client, and decides for each collection and property whether it is verified within the scope, violated, with a witness, or unknown.
//
// It takes a Request and gives verdicts. Verify is for programs, Check for tests; the command line is a third face of the same Request. The
// package connects others: finding collections (internal/find), and asking about them until there is a verdict (internal/inquiry). It
// prints nothing and does not end the process. Only Check reads the environment, for the directory of results.
package pangolin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// ErrInterrupted is wrapped by the error of Verify if the context was cancelled before
// all collections were verified, and nothing else went wrong.
var ErrInterrupted = errors.New("interrupted")

// Verify finds the collections of a request and verifies them, in the order of packages and names. What was named and could not be judged,
// such as source that does not compile or a type that nobody can make, has a verdict that says so (verdict.NotJudged). The error says what
// is wrong with the request, or with Pangolin: a package that does not exist, a constructor that panics. If the context is cancelled, the
// search in progress ends with the verdict unknown, the others do not begin, and the error is ErrInterrupted.
func Verify(ctx context.Context, r Request) ([]verdict.Verdict, error) {
	if err := cmp.Or(r.validate(), r.ofNoProgram()); err != nil {
		return Unjudged(r, err)
	}
	ctx, kept := r.kept(ctx) // before anything is loaded
	if list, all, err := r.recalled(kept); all || err != nil {
		return list, err
	}
	noting, notes := r.noting()
	p, err := noting.prepare(ctx, kept)
	if err != nil && ctx.Err() != nil {
		return r.unseen(interruption(ctx)), fmt.Errorf("%w before the collections were found", interruption(ctx))
	}
	var none *find.NoTarget
	if errors.As(err, &none) {
		p, err = noting.parted(ctx, kept, nil, none.List)
	}
	if err != nil {
		return nil, err
	}
	r.Events.shard(&p.shard)
	if none != nil {
		return r.tellMissed(p.missed, 0), find.Joined(none.List, find.Mistake, find.NotLoaded, find.Without)
	}
	told := slices.Clone(*notes)
	for _, t := range p.targets {
		r.Events.position(t.position)
		r.Events.found(t.Describe())
	}
	list, err := p.verifyAll(ctx, (*target).forget)
	if err == nil && ctx.Err() == nil {
		err = p.remember(told)
	}
	return list, err
}

// verifyAll is verify with a verdict about everything that was named, judged or not. Its error is about what was not judged for another
// reason than the code.
func (p *Prepared) verifyAll(ctx context.Context, after func(*target)) ([]verdict.Verdict, error) {
	list, err := p.verify(ctx, after, p.leftOver)
	return append(list, p.request.tellMissed(p.missed, p.first)...), errors.Join(p.Mistakes(), err)
}

// Prepared is a request whose collections were found. They are compiled when they are first verified, and can be verified several times.
type Prepared struct {
	request Request
	part
	kept    *task.Kept    // results that are not computed again; nil: all are
	results []task.Result // of verifying them once, without their verdicts
}

// Prepare finds the collections of a request.
func Prepare(ctx context.Context, r Request) (*Prepared, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	return r.prepare(r.kept(ctx))
}

// prepare is Prepare with the results that are kept.
func (r *Request) prepare(ctx context.Context, kept *task.Kept) (*Prepared, error) {
	targets, missed, err := r.changed(ctx)
	if err != nil {
		return nil, err
	}
	return r.parted(ctx, kept, targets, missed)
}

// parted is a request whose collections were found, with those of its shard.
func (r *Request) parted(ctx context.Context, kept *task.Kept, targets []*target, missed []find.Missed) (*Prepared, error) {
	p, err := r.split(ctx, kept, targets, missed)
	if err != nil {
		return nil, err
	}
	return &Prepared{request: *r, part: *p, kept: kept}, nil
}

// remember keeps what the request has led to, if all of its results are kept and are about no sources but those of the packages that it names.
func (p *Prepared) remember(notes []string) error {
	key, err := p.request.whole(p.kept)
	if key == "" || err != nil || slices.ContainsFunc(p.results, func(r task.Result) bool { return r.Key == "" || !r.Alone }) {
		return err
	}
	whole := invocation{Notes: notes, Shard: p.shard, First: p.first}
	var paths []string
	for i, t := range p.targets {
		whole.Found = append(whole.Found, t.Describe())
		whole.Results = append(whole.Results, keptResult{p.results[i].Key, t.Name(), t.witness(), t.position})
		paths = append(paths, t.Listed.Path)
	}
	silent := p.request
	silent.Events = Events{}
	for _, v := range silent.tellMissed(p.missed, 0) {
		text, err := verdict.Encode(&v)
		if err != nil {
			return err
		}
		whole.Missed = append(whole.Missed, text)
		paths = append(paths, v.Package)
	}
	return p.kept.Remember(key, &whole, nil, paths...)
}

// interruption is ErrInterrupted, with the name of the limit if a limit on time has ended the context.
func interruption(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(ctx.Err(), context.DeadlineExceeded) && cause != ctx.Err() {
		return fmt.Errorf("%w (%w)", ErrInterrupted, cause)
	}
	return ErrInterrupted
}

// verify verifies the collections, several at the same time if there are several workers, and tells of them in their order. unjudged makes the verdicts of those that could not be verified, and of the rest if
// the context is cancelled.
func (p *Prepared) verify(ctx context.Context, after func(*target), unjudged func([]*target, error) []verdict.Verdict) ([]verdict.Verdict, error) {
	var all []verdict.Verdict
	var errs []error
	var left []*target
	i := 0
	p.results = nil
	here := &task.Here{Dir: p.request.Dir, Kept: p.kept, Resume: p.request.Search.Resume, Elsewhere: p.request.Events.Elsewhere, Holds: p.request.holds, Note: p.noted, Events: p.request.events, Verdict: func(v verdict.Verdict) {
		p.request.Events.position(p.targets[i].position)
		p.targets[i].tell(v)
	}}
	if here.Elsewhere == nil {
		here.AtOnce = spread(p.request.Search.Workers, p.targets)
	}
	for _, r := range p.request.Search.results(ctx, here, tasksOf(p.targets)) {
		t, err := p.targets[i], r.Err
		all = append(all, r.Verdicts...)
		p.results = append(p.results, task.Result{Key: r.Key, Alone: r.Alone})
		if err != nil && ctx.Err() != nil { // others may have been done meanwhile
			left = append(left, t)
			i++
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.Name(), err))
			all = append(all, unjudged(p.targets[i:i+1], err)...)
		}
		after(t)
		i++
	}
	if ctx.Err() != nil {
		left = append(left, p.targets[i:]...)
	}
	if len(left) > 0 {
		all = append(all, unjudged(left, interruption(ctx))...)
		err := fmt.Errorf("%w: %d of %d collections were not verified", interruption(ctx), len(left), len(p.targets))
		if len(errs) == 0 {
			return all, err
		}
		errs = append(errs, errors.New(err.Error()))
	}
	p.request.tidy(p.kept)
	return all, errors.Join(errs...)
}

// noted tells what is worth knowing.
func (p *Prepared) noted(text string) { p.request.Events.note("%s", text) }

// Mistakes is the error in the request, and not in the code: a pattern that matches nothing, a type that does not exist; nil: none.
func (p *Prepared) Mistakes() error { return p.mistakes }

// leftOver makes the verdicts about collections that were not begun.
func (p *Prepared) leftOver(list []*target, why error) (out []verdict.Verdict) {
	for _, t := range list {
		v := t.request.unjudged(t.Name(), t.Listed.Path, fmt.Errorf("%s: %w", t.Name(), why))
		p.request.Events.position(t.position)
		p.request.Events.verdict(v)
		out = append(out, v)
	}
	return out
}

// tell writes the witness of a verdict, sets the paths of its files, and reports it as an event.
func (t *target) tell(v verdict.Verdict) {
	if v.Violation != nil {
		t.write(v.Violation)
	}
	if v.Proof != nil {
		for k := range v.Proof.Assertions {
			v.Proof.Assertions[k].Path = t.Listed.File(v.Proof.Assertions[k].Name)
		}
	}
	t.request.Events.verdict(v)
}

// forget drops compiled code.
func (t *target) forget() { t.task.Forget() }
