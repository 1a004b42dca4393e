// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/front/order"
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
}

// build type-checks all source packages and builds their SSA form.
func (l *loader) build(ctx context.Context, req Request) (*built, error) {
	c := newChecker(l)
	if err := c.all(ctx, req); err != nil {
		return nil, err
	}
	target := c.sources[len(c.sources)-1]
	m, err := c.prelude()
	if err != nil {
		return nil, err
	}
	prog := ssa.NewProgram(l.fset, ssa.InstantiateGenerics|ssa.BareInits|req.mode)
	b := &built{prog: prog, models: m, given: req.Given, ghosts: req.Ghosts, linked: l.linked, elsewhere: l.elsewhere, comparisons: comparisons{}}
	m.prog = prog
	fromSource := map[*types.Package]*ssa.Package{}
	for _, s := range c.sources {
		files := order.Package(s.pkg, s.files, s.info, ctx.Value(instrumentedKey{}) != nil)
		for _, f := range files {
			b.comparisons.add(f, s.info)
		}
		fromSource[s.pkg] = prog.CreatePackage(s.pkg, files, s.info, true)
	}
	for _, pkg := range c.direct {
		if fromSource[pkg] == nil {
			prog.CreatePackage(pkg, nil, nil, true)
		}
	}
	prog.Build()
	b.target = fromSource[target.pkg]
	b.sources = append(b.sources, fromSource[m.pkg])
	for _, path := range l.initOrder() {
		if pkg := c.shared[path]; pkg != nil && fromSource[pkg] != nil {
			b.sources = append(b.sources, fromSource[pkg])
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
