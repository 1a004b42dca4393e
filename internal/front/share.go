// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Asking the go command takes longer than many a search. Whoever looks at the same packages
// again and again, and knows that nobody changes them meanwhile, shares what it has
// answered: tests and studies do.

type sharedKey struct{}

// shared is what the go command has answered, by directory and patterns, and the types of what it
// has listed.
type shared struct {
	mu      sync.Mutex
	answers map[string][]*packages.Package
	types   map[*packages.Package]*typed
	// together are packages about which the go command is asked at once, by their paths.
	together []string
}

// typed is where the types of a package are kept.
func (s *shared) typed(p *packages.Package) *typed {
	if s == nil {
		return new(typed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.types[p] == nil {
		s.types[p] = &typed{shared: true}
	}
	return s.types[p]
}

// Share lets all that is listed within a context share the go command's answers, as long as
// the context is in use. Which files and imports packages have is taken not to change; their texts may.
// Who asks for one of the packages with the paths together asks for all of them, which takes hardly longer.
func Share(ctx context.Context, together ...string) context.Context {
	return context.WithValue(ctx, sharedKey{}, &shared{answers: map[string][]*packages.Package{}, types: map[*packages.Package]*typed{}, together: together})
}

// question is what the go command is asked: packages, or packages as their tests see them.
type question struct {
	patterns []string
	tests    bool
}

// ask lists packages, those that cannot do without cgo too.
func (l *loader) ask(ctx context.Context, q question) ([]*packages.Package, error) {
	answer, err := l.answer(ctx, q)
	if err != nil {
		return nil, cmp.Or(l.usesC(goFiles(q.patterns)), err)
	}
	hidden, err := l.onlyC(ctx, q, answer)
	if err != nil {
		return nil, err
	}
	answer = append(slices.Clip(answer), hidden...)
	addCFiles(answer)
	return answer, nil
}

// answer lists packages, if nobody has asked before within the context.
func (l *loader) answer(ctx context.Context, q question) ([]*packages.Package, error) {
	config := l.config(ctx)
	config.Tests = q.tests
	known, ok := ctx.Value(sharedKey{}).(*shared)
	if !ok {
		return packages.Load(config, q.patterns...)
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	key := func(patterns ...string) string {
		return fmt.Sprint(l.dir, "\x00", q.tests, "\x00", strings.Join(patterns, "\x00"))
	}
	if answer, ok := known.answers[key(q.patterns...)]; ok {
		return answer, nil
	}
	if len(q.patterns) == 1 && !q.tests && slices.Contains(known.together, q.patterns[0]) {
		all, err := l.listing(config, known.together)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			known.answers[key(p.PkgPath)] = []*packages.Package{p}
		}
		if answer, ok := known.answers[key(q.patterns...)]; ok {
			return answer, nil
		}
	}
	answer, err := l.listing(config, q.patterns)
	if err == nil {
		known.answers[key(q.patterns...)] = answer
	}
	return answer, err
}
