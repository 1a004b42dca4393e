// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// Which standard packages a program needs from source is known when it has been built with them: a load begins with few, and again with those whose
// functions it has reached, until none is missing (growing). Each of these attempts checks and builds everything. But a load mostly needs what the
// load before it has needed, and who executes one package of the standard library mostly executes certain others as well. So all that are expected are
// compiled at once, and then it is found out, without building anything, which ones would have been found missing one after the other: attempts are
// pretended, in which functions of packages that are not compiled yet have no body. If that ends with the very packages that were expected, the
// program is the one that growing makes, because it is made of the same packages. A package too many could have an init function, which would be executed.

// companions are the standard packages that are expected where one is needed from source.
var companions = map[string][]string{
	"strconv": {"internal/strconv", "math/bits"},
}

// mostExpected is how often another set of packages is tried.
const mostExpected = 8

// pretence is an attempt that is not built for itself: it is found out what it would reach in what was built with more standard packages.
type pretence struct {
	source  map[string]bool // the standard packages that it compiles from source
	prelude map[string]bool // the files of the prelude that it has
	// differs says that it would meet something else in a way that is not followed.
	differs bool
}

// hides says whether a package that is compiled from source would not be.
func (as *pretence) hides(l *loader, pkg *types.Package) bool {
	if as == nil || pkg == nil {
		return false
	}
	p := l.listed[pkg.Path()]
	return p != nil && !l.fromSourceIf(p, as.source)
}

// lacksBody says whether a function would have no body. Those that package ssa makes of types alone have one in any case.
func (as *pretence) lacksBody(l *loader, fn *ssa.Function) bool {
	if as == nil || isWrapper(fn) && fn.Origin() == nil {
		return false
	}
	return as.hides(l, packageOf(fn))
}

// stands notes a use of what stands in place of a function, a variable or a type of the library: it may be in no file that the attempt has.
func (as *pretence) stands(l *loader, pos token.Pos) {
	if as != nil && !as.prelude[l.fset.Position(pos).Filename] {
		as.differs = true
	}
}

// pretend makes the attempt that compiles these standard packages.
func (b *built) pretend(l *loader, source map[string]bool) (*pretence, error) {
	all, err := l.preludeSources()
	if err != nil {
		return nil, err
	}
	imported := map[string]bool{}
	as := &pretence{source: source, prelude: map[string]bool{}}
	for _, s := range b.checked {
		if as.hides(l, s.pkg) {
			continue
		}
		for _, pkg := range s.pkg.Imports() {
			imported[pkg.Path()] = true
		}
	}
	for _, f := range preludeFor(all, imported) {
		as.prelude[l.fset.Position(f.FileStart).Filename] = true
	}
	return as, nil
}

// expected has reached everything with the packages that growing would end with; nil: they were not found, or there is an error, which growing
// will meet as well.
func (l *loader) expected(ctx context.Context, req Request) *compiler {
	first := l.source
	source := first
	if l.grounds != nil && l.grounds.last != nil {
		source = l.grounds.last
	}
	for range mostExpected {
		l.forget(source)
		c, next := l.grown(ctx, req, first)
		if c != nil {
			l.remember()
			return c
		}
		if next == nil {
			break
		}
		source = next
	}
	l.forget(first)
	if l.grounds != nil {
		l.grounds.last = nil
	}
	return nil
}

// forget begins with these standard packages, as if no others had been tried.
func (l *loader) forget(source map[string]bool) {
	l.source, l.last = maps.Clone(source), nil
	l.linked, l.elsewhere = map[string]string{}, map[string]string{}
}

// remember expects the packages of this load of the next one.
func (l *loader) remember() {
	if l.grounds != nil {
		l.grounds.last = maps.Clone(l.source)
	}
}

// grown builds with the loader's standard packages and pretends the attempts that begin with first. If they end with the same packages, the last one is
// returned. Else next is what to expect instead; nil: nothing.
func (l *loader) grown(ctx context.Context, req Request, first map[string]bool) (c *compiler, next map[string]bool) {
	b, err := l.build(ctx, req)
	if err != nil {
		return nil, nil
	}
	next = maps.Clone(first)
	for {
		var as *pretence
		if !maps.Equal(next, l.source) {
			if as, err = b.pretend(l, next); err != nil {
				return nil, nil
			}
		}
		c := newCompiler(l, b, as)
		if err := c.reachRoots(req.Roots); err != nil || as != nil && as.differs {
			return nil, nil
		}
		built, others := l.missed(c, next)
		switch {
		case len(others) > 0:
			l.expect(next, built)
			l.expect(next, others)
			return nil, next
		case len(built) > 0:
			for _, path := range built {
				next[path] = true
			}
		case as != nil: // some are needed by nothing
			return nil, next
		default:
			return c, nil
		}
	}
}

// missed are the packages whose source an attempt with these standard packages has missed: those that were built, and others.
func (l *loader) missed(c *compiler, source map[string]bool) (built, others []string) {
	for _, path := range sortedKeys(c.missing) {
		switch {
		case !l.couldBeSource(path, source):
		case l.source[path]:
			built = append(built, path)
		default:
			others = append(others, path)
		}
	}
	return built, others
}

// expect adds packages and their companions.
func (l *loader) expect(source map[string]bool, paths []string) {
	for _, path := range paths {
		source[path] = true
		for _, beside := range companions[path] {
			if l.couldBeSource(beside, source) {
				source[beside] = true
			}
		}
	}
}
