package pangolin

import (
	"context"
	"fmt"

	"pangolin/internal/discover"
	"pangolin/verdict"
)

// Replay loads the collection of a witness from the module of a directory ("" is the
// current one), executes the recorded decisions without any reduction, confirms that
// the violation shows, and gives the witness with the steps as they are now. It is an
// error if the code has changed so much that the execution is not possible any more or
// that the violation does not show.
func Replay(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Witness, error) {
	t, err := targetOf(ctx, dir, w)
	if err != nil {
		return nil, err
	}
	s, err := t.order().Load(ctx)
	if err != nil {
		return nil, err
	}
	e, err := t.request.engine(false)
	if err != nil {
		return nil, err
	}
	return e.Replay(s, w)
}

// targetOf finds the collection of a witness.
func targetOf(ctx context.Context, dir string, w *verdict.Witness) (*target, error) {
	r := &Request{Dir: dir, Packages: w.Source.Patterns, Type: w.Source.Type, New: w.Source.New, Ops: w.Source.Ops,
		Kind: w.Source.Kind, Protocol: w.Source.Protocol, Oracle: w.Source.Oracle}
	places, err := r.query().Places(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w (the witness is about package %s of module %s)", err, w.Source.Package, w.Source.Module)
	}
	o, err := r.wishes()
	if err != nil {
		return nil, err
	}
	o.Type, o.Whole, o.Agreeing = places[0].Type, w.Source.Whole, w.Source.Agreeing
	return &target{Target: &discover.Target{Place: places[0], Overrides: o}, request: r, annotated: w.Source.Annotated}, nil
}
