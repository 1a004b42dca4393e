// SPDX-License-Identifier: BSD-3-Clause

// Package pangolin verifies concurrent collections written in ordinary Go: it finds
// them in packages, explores every interleaving of every small client, and says of
// each collection and property whether it is verified within the scope, violated, in
// which case there is a witness, or unknown.
//
// It takes a Request and gives verdicts. Verify is for programs, Check for tests; the
// command line is a third face of the same Request. The package puts together what
// others do: finding collections (internal/find), and asking about them until there is a verdict
// (internal/inquiry). It prints nothing, reads no environment
// and does not end the process.
package pangolin

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// ErrInterrupted is wrapped by the error of Verify if the context was cancelled before
// all collections were verified, and nothing else went wrong.
var ErrInterrupted = errors.New("interrupted")

// Verify finds the collections that a request is about and verifies them, in the order
// of packages and names. What was named and could not be judged has a verdict that says so (verdict.NotJudged): source that does
// not compile, a type that nobody can make. They come with an error if something is wrong with the request, or with
// Pangolin: a package that does not exist, a constructor that panics. Cancelling
// the context ends the search in progress with the verdict unknown, and the others
// do not begin, which is ErrInterrupted.
func Verify(ctx context.Context, r Request) ([]verdict.Verdict, error) {
	p, err := Prepare(ctx, r)
	if err != nil && ctx.Err() != nil {
		return r.unseen(interruption(ctx)), fmt.Errorf("%w before the collections were found", interruption(ctx))
	}
	if err != nil {
		return Unjudged(r, err)
	}
	for _, t := range p.targets {
		r.Events.found(t.Describe())
	}
	return p.verifyAll(ctx, (*target).forget)
}

// verifyAll is verify with a verdict on all that was named, judged or not. Its error is about what was not judged for another
// reason than the code.
func (p *Prepared) verifyAll(ctx context.Context, after func(*target)) ([]verdict.Verdict, error) {
	list, err := p.verify(ctx, after, p.leftOver)
	return append(list, p.request.tellMissed(p.missed)...), errors.Join(p.Mistakes(), err)
}

// Prepared is a request whose collections have been found. They are compiled when
// they are verified for the first time, and can be verified again and again.
type Prepared struct {
	request Request
	targets []*target
	missed  []find.Missed // what was named and not found
}

// Prepare finds the collections of a request.
func Prepare(ctx context.Context, r Request) (*Prepared, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	targets, missed, err := r.find(ctx)
	if err != nil {
		return nil, err
	}
	return &Prepared{request: r, targets: targets, missed: missed}, nil
}

// interruption is ErrInterrupted, with whose time is over if the context says that.
func interruption(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(ctx.Err(), context.DeadlineExceeded) && cause != ctx.Err() {
		return fmt.Errorf("%w (%w)", ErrInterrupted, cause)
	}
	return ErrInterrupted
}

// verify verifies the collections one after the other. Of those that could not be verified, and of the ones behind them if the
// context is cancelled, the verdicts are what unjudged gives.
func (p *Prepared) verify(ctx context.Context, after func(*target), unjudged func([]*target, error) []verdict.Verdict) ([]verdict.Verdict, error) {
	var all []verdict.Verdict
	var errs []error
	i := 0
	here := &task.Here{Dir: p.request.Dir, Events: p.request.events, Verdict: func(v verdict.Verdict) { p.targets[i].tell(v) }}
	for _, r := range here.Run(ctx, p.tasks()) {
		t, err := p.targets[i], r.Err
		all = append(all, r.Verdicts...)
		if err != nil && ctx.Err() != nil {
			all = append(all, unjudged(p.targets[i:], interruption(ctx))...)
			err := fmt.Errorf("%w: %d of %d collections were not verified", interruption(ctx), len(p.targets)-i, len(p.targets))
			if len(errs) == 0 {
				return all, err
			}
			errs = append(errs, errors.New(err.Error()))
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.Name(), err))
			all = append(all, unjudged(p.targets[i:i+1], err)...)
		}
		after(t)
		i++
	}
	return all, errors.Join(errs...)
}

// tasks are those of the collections.
func (p *Prepared) tasks() iter.Seq[*task.Task] {
	return func(yield func(*task.Task) bool) {
		for _, t := range p.targets {
			if !yield(t.task) {
				return
			}
		}
	}
}

// Mistakes is what is wrong with the request, and not with the code: a pattern that matches nothing, a type that does not exist;
// nil: nothing is.
func (p *Prepared) Mistakes() error { return find.Joined(p.missed, find.Mistake) }

// leftOver gives the verdicts on collections that were not begun.
func (p *Prepared) leftOver(list []*target, why error) (out []verdict.Verdict) {
	for _, t := range list {
		v := t.request.unjudged(t.Name(), t.Listed.Path, fmt.Errorf("%s: %w", t.Name(), why))
		p.request.Events.verdict(v)
		out = append(out, v)
	}
	return out
}

// tell writes the witness of a verdict, says where its files are, and tells who waits for it.
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

// forget lets go of what was compiled.
func (t *target) forget() { t.task.Forget() }
