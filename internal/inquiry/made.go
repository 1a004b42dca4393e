// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"errors"
	"fmt"

	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// begin returns the case of a type, made in a way that works.
func (a *asking) begin(ctx context.Context, first *Reading) Case {
	r := first.made(ctx, a.engine)
	if r != first {
		a.took(r)
	}
	return Case{Answer: Answer{Question: Question{Reading: r, Scope: r.Scopes, Property: verdict.Linear}}}
}

// made returns the reading, or, if its constructor panics or returns an error with the arguments that were made up, the first of the other ways to make the
// type by which one is made; if the machine can execute none of them, the first that does not fail otherwise.
func (r *Reading) made(ctx context.Context, e Engine) *Reading {
	if len(r.Found.Made.Others) == 0 {
		return r
	}
	f, err := e.Facts(ctx, r)
	if err == nil {
		err = f.Unmade()
	}
	var why *subject.SetupError
	if !errors.As(err, &why) {
		return r
	}
	var undecided *Reading
	for _, way := range r.Found.Made.Others {
		o, err := r.found("made by "+way.New, func() (*find.Target, error) { return r.Target.Made(ctx, way.New) })
		if err != nil || ctx.Err() != nil {
			continue
		}
		f, err := e.Facts(ctx, o)
		if err == nil {
			err = f.Unmade()
		}
		if errors.As(err, new(*subject.SetupError)) {
			continue
		}
		o = o.because(fmt.Sprintf("it is made by %s, %s (%s: %v)", way.New, way.Why, r.Found.New, why))
		if err == nil {
			return o
		}
		if undecided == nil {
			undecided = o
		}
	}
	if undecided != nil {
		return undecided
	}
	return r
}
