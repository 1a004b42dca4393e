// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"fmt"
	"os"

	"pangolin/internal/engine"
	"pangolin/internal/engine/points"
	"pangolin/verdict"
)

// ErrPointsUnfinished is wrapped by the error if a limit was reached before the points were found.
var ErrPointsUnfinished = points.ErrUnfinished

// PointsOptions configure FindPoints.
type PointsOptions struct {
	Alternatives bool // find all statements that suffice alone, not only one
	Write        bool // write directives into the source, if the policy that they form is right
}

// FindPoints finds the collections of a request, and where their operations take effect within the scope, the first one of a union, and
// calls show for each. For a collection that is not verified, it has a verdict and no points.
func FindPoints(ctx context.Context, r Request, opt PointsOptions, show func(verdict.Points)) error {
	return pointsOf(ctx, r, func(t *target, j *engine.Job) error {
		found, err := points.Find(ctx, j, t.request.events(t.Name(), "points"), opt.Alternatives)
		if err == nil && found.Verdict != nil && found.Verdict.Violation != nil {
			meant, failed := t.meant(ctx)
			switch {
			case failed != nil:
				return failed
			case meant != nil:
				t = meant
				if j, err = t.job(ctx); err == nil {
					found, err = points.Find(ctx, j, t.request.events(t.Name(), "points"), opt.Alternatives)
				}
			}
		}
		if err == nil && opt.Write && found.Verdict == nil {
			err = t.writePoints(ctx, j, &found)
		}
		if err == nil {
			show(found)
		}
		return err
	})
}

// ComposePoints finds the collections of a request, and checks each together with a concurrent specification, by the directives in its
// source, within the first scope of a union.
func ComposePoints(ctx context.Context, r Request, show func(verdict.Composition)) error {
	r.Engine = "points"
	return pointsOf(ctx, r, func(t *target, j *engine.Job) error {
		c, err := points.Compose(ctx, j, t.request.events(t.Name(), "points"))
		if err == nil {
			show(c)
		}
		return err
	})
}

// pointsOf calls do for each collection of a request. What could not be judged gets a verdict, as an event.
func pointsOf(ctx context.Context, r Request, do func(*target, *engine.Job) error) error {
	p, err := Prepare(ctx, r)
	if err != nil {
		_, err = Unjudged(r, err)
		return err
	}
	jobs, err := p.Jobs(ctx)
	if err != nil {
		return err
	}
	for i, j := range jobs {
		t := p.targets[i]
		r.Events.found(t.Describe())
		if err := do(t, j); err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
	}
	r.tellMissed(p.missed, p.first)
	return p.Mistakes()
}

// writePoints writes directives into the target's files.
func (t *target) writePoints(ctx context.Context, j *engine.Job, found *verdict.Points) error {
	order, err := t.task.Inquiry().Reading().Order()
	if err != nil {
		return err
	}
	p, err := points.Write(ctx, *order, j, found)
	if err != nil {
		return err
	}
	for path, text := range p.Texts {
		mode := os.FileMode(0o666)
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode()
		}
		if err := os.WriteFile(path, text, mode); err != nil {
			return err
		}
	}
	for _, w := range p.Written {
		found.Written = append(found.Written, verdict.Directive{Place: verdict.Place{File: w.File, Line: w.Line}, Text: w.Text})
	}
	found.Left = p.Left
	return nil
}
