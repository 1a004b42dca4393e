// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"context"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// All makes the mutants of a collection: of all code in packages of its module that its operations execute, in order of
// ID. The original is the collection as the order loads it.
func All(ctx context.Context, order *subject.Order, original *subject.Subject) ([]*Mutant, error) {
	sources, err := order.Listed.Sources(ctx)
	if err != nil {
		return nil, err
	}
	prog := original.Prog
	reached := Reach(prog, prog.Roots[1:])
	var out []*Mutant
	for i := range sources {
		for _, m := range inSource(&sources[i], reached) {
			m.ID = len(out) + 1
			out = append(out, m)
		}
	}
	return out, nil
}

// Subject compiles the mutated collection, which the oracle of the original judges. The error is a *subject.Invalid if the
// mutant does not compile.
func (m *Mutant) Subject(ctx context.Context, order *subject.Order, original *subject.Subject) (*subject.Subject, error) {
	return order.Variant(ctx, original, m.File.Path, m.Text())
}

// Untried describes the mutant before any engine has judged it: without outcome, reason and cost.
func (m *Mutant) Untried() verdict.Mutant {
	return verdict.Mutant{Type: "mutant", ID: m.ID, File: m.File.Name, Line: m.Line, Operator: m.Operator, Func: m.Func, Diff: m.Diff()}
}
