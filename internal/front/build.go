// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// built is the SSA form of the packages that one attempt compiles from source.
type built struct {
	prog    *ssa.Program
	target  *ssa.Package
	sources []*ssa.Package // the packages compiled from source, in the order of their initialisation
	models  *models
	linked  map[string]string // see linkname.go
	// See elsewhere.go.
	elsewhere map[string]string
	given     func(name string) bool // see Request.Given
	ghosts    *Ghosts                // see Request.Ghosts
	// comparisons of structs and arrays in all source packages, see compared.go
	comparisons comparisons
	checked     []*checked // the sources, without the prelude
}

// build type-checks all source packages and builds their SSA form.
func (l *loader) build(ctx context.Context, req Request) (*built, error) {
	g, err := l.groundwork(ctx, req)
	if err != nil {
		return nil, err
	}
	c := g.checker(l)
	target, err := c.target(g, req)
	if err != nil {
		return nil, err
	}
	g.begin(ctx, req)
	sources := c.sources
	m, err := g.prelude(ctx, c)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(g.comparisons)
	b := &built{prog: g.prog, models: m, given: req.Given, ghosts: req.Ghosts, linked: l.linked, elsewhere: l.elsewhere, comparisons: all, checked: sources}
	b.target = g.create(ctx, target, all)
	for _, pkg := range c.direct {
		if g.prog.Package(pkg) == nil {
			g.prog.CreatePackage(pkg, nil, nil, true)
		}
	}
	g.prog.Build()
	b.sources = append(b.sources, g.made[m.pkg])
	for _, path := range l.initOrder() {
		switch pkg := c.shared[path]; {
		case pkg == nil:
		case pkg == target.pkg:
			b.sources = append(b.sources, b.target)
		case g.made[pkg] != nil:
			b.sources = append(b.sources, g.made[pkg])
		}
	}
	return b, nil
}

// initOrder is the order in which Go initialises packages: again and again the
// first by path among those whose imports are initialised.
func (l *loader) initOrder() []string {
	users := map[string][]string{}
	missing := map[string]int{}
	var ready, order []string
	for _, p := range l.order {
		for _, imp := range p.Imports {
			if l.listed[imp.PkgPath] == nil { // a package that only Pangolin's own tool package imports
				continue
			}
			missing[p.PkgPath]++
			users[imp.PkgPath] = append(users[imp.PkgPath], p.PkgPath)
		}
		if missing[p.PkgPath] == 0 {
			ready = append(ready, p.PkgPath)
		}
	}
	slices.Sort(ready)
	for len(ready) > 0 {
		path := ready[0]
		ready = ready[1:]
		order = append(order, path)
		for _, user := range users[path] {
			if missing[user]--; missing[user] == 0 {
				i, _ := slices.BinarySearch(ready, user)
				ready = slices.Insert(ready, i, user)
			}
		}
	}
	return order
}
