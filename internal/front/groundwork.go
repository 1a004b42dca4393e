// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/front/order"
)

// A package is loaded for each reading of each of its types, and a load may need several attempts. Only the harness differs from load to load. So what
// an attempt makes of all other packages is kept: their syntax, types and SSA form. Nothing of it is written later but for what package ssa makes on
// demand (methods of embedded fields, instances of generic functions), which is the same whoever needs it first.

// groundwork is what one attempt is made of, without the target.
type groundwork struct {
	key     string
	texts   uint64                    // of the packages, see loader.texts
	loader  *loader                   // whose files they are
	shared  map[string]*types.Package // by path; the export data that a later attempt reads is added
	sources []*checked                // in the order in which they were checked
	direct  []*types.Package          // see checker
	plain   *types.Package            // the target without a harness; nil: not checked yet
	prog    *ssa.Program              // nil: not begun yet
	made    map[*types.Package]*ssa.Package
	// comparisons, linked and elsewhere are those of the sources, see built.
	comparisons       comparisons
	linked, elsewhere map[string]string
	preludes          map[string]*models // by the names of its files
}

// grounds are the groundworks of one listed package. Who needs one while somebody else uses them makes all of its own.
type grounds struct {
	mu   sync.Mutex
	list []*groundwork
	last map[string]bool // the standard packages that the last load has needed from source; nil: there was none
}

// mostGrounds is how many are kept: a load takes two or three attempts, rarely more.
const mostGrounds = 4

// lend lets a loader use the groundworks, unless somebody else does; give takes them back.
func (g *grounds) lend(l *loader) (give func()) {
	if !g.mu.TryLock() {
		return func() {}
	}
	l.grounds = g
	return g.mu.Unlock
}

// groundwork finds the groundwork of an attempt, or makes it. The loader has its files afterwards.
func (l *loader) groundwork(ctx context.Context, req Request) (*groundwork, error) {
	key := fmt.Sprint(strings.Join(sortedKeys(l.source), " "), "\n", ctx.Value(instrumentedKey{}) != nil, req.mode)
	texts := uint64(0)
	if l.grounds != nil {
		texts = l.texts()
		for _, g := range l.grounds.list {
			if g.key == key && g.texts == texts {
				l.follow(g)
				return g, nil
			}
		}
	}
	if l.last != nil { // what is linked by the harness of this load is none of a later one's
		l.linked, l.elsewhere = maps.Clone(l.last.linked), maps.Clone(l.last.elsewhere)
	}
	c := newChecker(l)
	if err := c.others(ctx); err != nil {
		return nil, err
	}
	g := &groundwork{key: key, texts: texts, loader: l, shared: c.shared, sources: c.sources, direct: c.direct,
		linked: maps.Clone(l.linked), elsewhere: maps.Clone(l.elsewhere)}
	l.last = g
	if l.grounds != nil {
		l.grounds.keep(g)
	}
	return g, nil
}

// keep drops those of earlier texts.
func (k *grounds) keep(g *groundwork) {
	k.list = slices.DeleteFunc(k.list, func(old *groundwork) bool { return old.texts != g.texts })
	if len(k.list) < mostGrounds {
		k.list = append(k.list, g)
	}
}

// follow gives the loader the files of a groundwork, and what was found in them.
func (l *loader) follow(g *groundwork) {
	from := g.loader
	l.last = g
	l.fset, l.parsed, l.prelude = from.fset, from.parsed, from.prelude
	l.directives, l.norace, l.embedded = from.directives, from.norace, from.embedded // by file
	l.linked, l.elsewhere = maps.Clone(g.linked), maps.Clone(g.elsewhere)
}

// checker begins an attempt: all packages but the target are checked.
func (g *groundwork) checker(l *loader) *checker {
	c := &checker{l: l, shared: g.shared, sources: slices.Clone(g.sources), seen: map[*types.Package]bool{}}
	for _, pkg := range g.direct {
		c.needs(pkg)
	}
	return c
}

// target is the target without a harness.
func (g *groundwork) target(l *loader) (*types.Package, error) {
	if g.plain == nil {
		c := g.checker(l)
		res, err := c.sourceOf(l.target)
		if err != nil {
			return nil, err
		}
		g.plain = res.pkg
	}
	return g.plain, nil
}

// begin makes the SSA packages of all but the target and the prelude, without their functions' bodies.
func (g *groundwork) begin(ctx context.Context, req Request) {
	if g.prog != nil {
		return
	}
	g.prog = ssa.NewProgram(g.loader.fset, ssa.InstantiateGenerics|ssa.BareInits|req.mode)
	g.made, g.comparisons, g.preludes = map[*types.Package]*ssa.Package{}, comparisons{}, map[string]*models{}
	for _, s := range g.sources {
		g.made[s.pkg] = g.create(ctx, s, g.comparisons)
	}
}

// create makes the SSA package of a checked one, whose expressions are put into gc's order.
func (g *groundwork) create(ctx context.Context, s *checked, all comparisons) *ssa.Package {
	files := order.Package(s.pkg, s.files, s.info, ctx.Value(instrumentedKey{}) != nil)
	for _, f := range files {
		all.add(f, s.info)
	}
	return g.prog.CreatePackage(s.pkg, files, s.info, true)
}

// prelude gives the models for what the packages of an attempt import.
func (g *groundwork) prelude(ctx context.Context, c *checker) (*models, error) {
	files, err := c.l.preludeSources()
	if err != nil {
		return nil, err
	}
	needed := c.neededPrelude(files)
	var names []string
	for _, f := range needed {
		names = append(names, c.l.fset.Position(f.FileStart).Filename)
	}
	key := strings.Join(names, " ")
	if g.preludes[key] == nil {
		m, err := c.prelude(needed)
		if err != nil {
			return nil, err
		}
		m.prog = g.prog
		s := c.sources[len(c.sources)-1]
		g.made[s.pkg] = g.create(ctx, s, g.comparisons)
		g.preludes[key] = m
	}
	return g.preludes[key], nil
}
