// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"pangolin/internal/front"
	"pangolin/internal/ir"
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

// Invalid is the error of a mutant that does not compile, with the compiler's first message.
type Invalid struct{ Problem string }

func (e *Invalid) Error() string { return "the mutant does not compile: " + e.Problem }

// Subject compiles the mutated collection, which the oracle of the original judges. The error is an *Invalid if the
// mutant does not compile.
func (m *Mutant) Subject(ctx context.Context, order *subject.Order, original *subject.Subject) (*subject.Subject, error) {
	s, err := order.Variant(ctx, original, m.File.Path, m.Text())
	var problem *front.Error
	if errors.As(err, &problem) {
		return nil, &Invalid{problem.Problems[0]}
	}
	return s, err
}

// Code identifies the instructions of a program, whatever their positions in the source: mutants with the same Code behave
// the same.
type Code [sha256.Size]byte

// CodeOf is the Code of a program.
func CodeOf(p *ir.Program) Code {
	h := sha256.New()
	for _, f := range p.Funcs {
		fmt.Fprintln(h, f.Name, f.External)
		for pc := range f.Code {
			fmt.Fprintln(h, p.Instr(f, pc))
		}
	}
	return Code(h.Sum(nil))
}

// Untried describes the mutant before any engine has judged it: without outcome, reason and cost.
func (m *Mutant) Untried() verdict.Mutant {
	return verdict.Mutant{Type: "mutant", ID: m.ID, File: m.File.Name, Line: m.Line, Operator: m.Operator, Func: m.Func, Diff: m.Diff()}
}
