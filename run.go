package pangolin

import (
	"context"
	"fmt"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Run explores how the program that Packages name can end: Go files of one package, or a
// package. The verdict holds every outcome, with a schedule of each if the search looks for
// shortest witnesses. Limits hold for loading and exploring. What the program lacks is an
// error, beside the verdict on what was seen before.
func Run(ctx context.Context, r Request) (verdict.Verdict, error) {
	if err := r.validate(); err != nil {
		return verdict.Verdict{}, err
	}
	e, err := r.engine(true)
	if err != nil {
		return verdict.Verdict{}, err
	}
	search, err := r.search()
	if err != nil {
		return verdict.Verdict{}, err
	}
	if search.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, search.Timeout)
		defer cancel()
	}
	p := subject.Program{Dir: r.Dir, Patterns: r.Packages, Args: r.Args}
	s, err := p.Load(ctx)
	if err != nil && ctx.Err() != nil {
		return verdict.Verdict{}, fmt.Errorf("loading the program was interrupted: %w", context.Cause(ctx))
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	return e.Decide(ctx, &engine.Job{Subject: s, Property: verdict.Property(e.Name), Search: search}, r.events(s.About.Collection, ""))
}
