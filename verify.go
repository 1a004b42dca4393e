// Package pangolin verifies concurrent collections written in ordinary Go: it finds
// them in packages, explores every interleaving of every small client, and says of
// each collection and property whether it is verified within the scope, violated, in
// which case there is a witness, or unknown.
//
// It takes a Request and gives verdicts. Verify is for programs, Check for tests; the
// command line is a third face of the same Request. The package puts together what
// others do: finding collections (internal/discover), and asking about them until there is a verdict
// (internal/inquiry). It prints nothing, reads no environment
// and does not end the process.
package pangolin

import (
	"context"
	"errors"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/verdict"
)

// ErrInterrupted is wrapped by the error of Verify if the context was cancelled before
// all collections were verified, and nothing else went wrong.
var ErrInterrupted = errors.New("interrupted")

// Verify finds the collections that a request is about and verifies them, in the order
// of packages and names. Verdicts come with an error if something could not be
// verified at all: source that does not compile, a constructor that panics. Cancelling
// the context ends the search in progress with the verdict unknown, and the others
// do not begin, which is ErrInterrupted.
func Verify(ctx context.Context, r Request) ([]verdict.Verdict, error) {
	p, err := Prepare(ctx, r)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("%w before the collections were found", interruption(ctx))
	}
	if err != nil {
		return nil, err
	}
	for _, t := range p.targets {
		r.Events.found(t.Describe())
	}
	return p.verify(ctx, func(t *target) { t.inquiry.Forget() })
}

// Prepared is a request whose collections have been found. They are compiled when
// they are verified for the first time, and can be verified again and again.
type Prepared struct {
	request Request
	targets []*target
	failed  error // what kept others from being found; nil: nothing
}

// Prepare finds the collections of a request.
func Prepare(ctx context.Context, r Request) (*Prepared, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	targets, err := r.discover(ctx)
	if len(targets) == 0 {
		return nil, err
	}
	return &Prepared{request: r, targets: targets, failed: err}, nil
}

// interruption is ErrInterrupted, with whose time is over if the context says that.
func interruption(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(ctx.Err(), context.DeadlineExceeded) && cause != ctx.Err() {
		return fmt.Errorf("%w (%w)", ErrInterrupted, cause)
	}
	return ErrInterrupted
}

func (p *Prepared) verify(ctx context.Context, after func(*target)) ([]verdict.Verdict, error) {
	var all []verdict.Verdict
	var errs []error
	if p.failed != nil {
		errs = append(errs, p.failed)
	}
	for i, t := range p.targets {
		if next := i + 1; next < len(p.targets) && t.request.Search.Workers > 1 {
			p.targets[next].inquiry.Ahead(ctx)
		}
		list, err := t.verify(ctx)
		all = append(all, list...)
		if err != nil && ctx.Err() != nil {
			err := fmt.Errorf("%w: %d of %d collections were not verified", interruption(ctx), len(p.targets)-i, len(p.targets))
			if len(errs) == 0 {
				return all, err
			}
			errs = append(errs, errors.New(err.Error()))
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.Name(), err))
		}
		after(t)
	}
	return all, errors.Join(errs...)
}

// verify gives the verdicts of one collection; with an error if some are missing. A crash
// of ours is one: the other collections get their verdicts.
func (t *target) verify(ctx context.Context) (out []verdict.Verdict, err error) {
	defer crash(&err, t.inquiry.Forget)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	asked, err := t.request.Property.read()
	if err != nil {
		return nil, err
	}
	for _, p := range asked.list {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		v, err := t.property(ctx, p)
		if err != nil {
			return out, err
		}
		t.request.Events.verdict(v)
		out = append(out, v)
		if asked.strongest && p == verdict.Linear && v.Status != verdict.Violated {
			break // linearizability implies the others
		}
	}
	return out, nil
}

// crash, which is deferred, makes a panic of ours an error.
func crash(err *error, forget func()) {
	if r := recover(); r != nil {
		*err = engine.Recovered(r)
		forget()
	}
}

// property verifies one property.
func (t *target) property(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	v, err := t.inquiry.Verdict(ctx, p, t.engines())
	v.Expected = t.request.expected()[p]
	if err == nil && v.Violation != nil {
		t.write(v.Violation)
	}
	return v, err
}
