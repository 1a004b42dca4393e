// SPDX-License-Identifier: BSD-3-Clause

// Package planted plants faults (internal/mutant) in the source of a collection, and compiles it with one of them.
//
// It takes a collection that is loaded and how it was loaded, and gives its mutants with numbers that depend on the source alone.
package planted

import (
	"context"

	"pangolin/internal/front"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Mutant is a fault with its number.
type Mutant struct {
	*mutant.Mutant
	ID   int
	path string // of its file, on the disk
}

// All makes the mutants of the packages of the user's module, in order of ID: of what the
// operations of the original, which the order loads, execute.
func All(ctx context.Context, order *subject.Order, original *subject.Subject) ([]Mutant, error) {
	sources, err := order.Listed.Sources(ctx)
	if err != nil {
		return nil, err
	}
	prog := original.Prog
	reached := mutant.Reach(prog, prog.Roots[1:])
	var out []Mutant
	for i := range sources {
		pkg, paths := packageOf(&sources[i])
		for _, m := range mutant.All(pkg, reached) {
			out = append(out, Mutant{m, len(out) + 1, paths[m.File]})
		}
	}
	return out, nil
}

// packageOf is a package as package mutant wants it, with its files' paths.
func packageOf(s *front.Source) (*mutant.Package, map[*mutant.File]string) {
	pkg := &mutant.Package{Fset: s.Fset, Info: s.Info}
	paths := map[*mutant.File]string{}
	for _, f := range s.Files {
		g := &mutant.File{Name: f.Name, Text: f.Text, Syntax: f.Syntax}
		pkg.Files = append(pkg.Files, g)
		paths[g] = f.Path
	}
	return pkg, paths
}

// Subject compiles the mutated collection. It is judged by the oracle of the original. A mutant
// that does not compile is a *front.Error.
func (p *Mutant) Subject(ctx context.Context, order *subject.Order, original *subject.Subject) (*subject.Subject, error) {
	return order.Variant(ctx, original, p.path, p.Text())
}

// Untried is the mutant before anybody has judged it.
func (p *Mutant) Untried() verdict.Mutant {
	return verdict.Mutant{Type: "mutant", ID: p.ID, File: p.File.Name, Line: p.Line, Operator: p.Operator, Func: p.Func, Diff: p.Diff()}
}
