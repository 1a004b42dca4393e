package mutation

import (
	"context"

	"pangolin/internal/front"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
)

// Planted is a mutant with its number.
type Planted struct {
	*mutant.Mutant
	ID   int
	path string // of its file, on the disk
}

// Plant makes the mutants of the packages of the user's module, in order of ID: of what the
// operations of the original, which the order loads, execute.
func Plant(ctx context.Context, order *subject.Order, original *subject.Subject) ([]Planted, error) {
	sources, err := order.Listed.Sources(ctx)
	if err != nil {
		return nil, err
	}
	prog := original.Prog
	reached := mutant.Reach(prog, prog.Roots[1:])
	var out []Planted
	for i := range sources {
		pkg, paths := packageOf(&sources[i])
		for _, m := range mutant.All(pkg, reached) {
			out = append(out, Planted{m, len(out) + 1, paths[m.File]})
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
func (p *Planted) Subject(ctx context.Context, order *subject.Order, original *subject.Subject) (*subject.Subject, error) {
	changed := *order
	changed.Listed = order.Listed.Overlay(map[string][]byte{p.path: p.Text()})
	s, err := changed.Compile(ctx)
	if err != nil {
		return nil, err
	}
	s.Spec = original.Spec
	return s, nil
}
