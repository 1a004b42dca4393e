package pangolin

import (
	"context"
	"fmt"

	"pangolin/internal/engine/points"
	"pangolin/verdict"
)

// ErrPointsUnfinished says that a limit kept points from being found.
var ErrPointsUnfinished = points.ErrUnfinished

// FindPoints finds the collections that a request is about, and where their operations take
// effect within the scope, the first one of a union. A collection that is not verified has
// no points, but a verdict.
func FindPoints(ctx context.Context, r Request, alternatives bool, show func(verdict.Points)) error {
	p, err := Prepare(ctx, r)
	if err != nil {
		return err
	}
	jobs, err := p.Jobs(ctx)
	if err != nil {
		return err
	}
	for i, j := range jobs {
		t := p.targets[i]
		r.Events.found(t.Describe())
		found, err := points.Find(ctx, j, t.request.events(t.Name(), "points"), alternatives)
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
		show(found)
	}
	return p.failed
}
