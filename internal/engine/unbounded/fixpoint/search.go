// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"context"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/oracle"
)

// Found is the result of a search for an invariant.
type Found struct {
	Invariant *Invariant // nil: there is none
	Failure   *Failure   // why there is none, for the map with which the search came farthest
	Domain    *shape.Domain
}

// Search tries one map of the content after the other until there is an invariant with one.
func Search(ctx context.Context, p *Program, o Options) (*Found, error) {
	d := shape.NewDomain(p.Prog, p.Kind == oracle.Set)
	found := &Found{Domain: d}
	maps := p.Maps(d)
	if len(maps) == 0 {
		found.Failure = &Failure{Alarm: &transfer.Alarm{Outside: true,
			Message: "no word of the collection leads to a chain of cells, each with one pointer"}}
	}
	for _, m := range maps {
		inv, failure, err := Compute(ctx, &Task{Program: p, Domain: d, Map: m}, o)
		switch {
		case err != nil:
			return nil, err
		case inv != nil:
			found.Invariant = inv
			return found, nil
		case found.Failure == nil || len(failure.Trace) > len(found.Failure.Trace):
			found.Failure = failure
		}
	}
	return found, nil
}

// Maps are the ways in which the content of the program's collection may be read.
func (p *Program) Maps(d *shape.Domain) []content.Map {
	if p.Object != nil {
		return []content.Map{{Object: p.Object}}
	}
	return content.Candidates(d, p.Collection(), p.Kind)
}
