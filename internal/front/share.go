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

// Asking the go command takes longer than many a search. Tests and studies look at the same
// packages again and again while nobody changes them: they share its answers.

type sharedKey struct{}

// shared are answers of the go command, by directory and patterns, and the types of the packages
// that it has listed.
type shared struct {
	mu      sync.Mutex
	answers map[string][]*packages.Package
	types   map[*packages.Package]*typed
	// together are the paths of packages that the go command is asked about at once.
	together []string
}

// typed is the cache of a package's types.
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

// Share makes everything that is listed within the context share the go command's answers, as long
// as the context is in use. The files and imports of packages must not change meanwhile; their
// texts may. If one of the packages in together is asked for, all of them are, which takes hardly
// longer.
func Share(ctx context.Context, together ...string) context.Context {
	return context.WithValue(ctx, sharedKey{}, &shared{answers: map[string][]*packages.Package{}, types: map[*packages.Package]*typed{}, together: together})
}

// question is a question to the go command: packages by patterns, with or without their tests.
type question struct {
	patterns []string
	tests    bool
}

// ask lists packages, including those that are empty without cgo.
func (l *loader) ask(ctx context.Context, q question) ([]*packages.Package, error) {
	if r := replaying(ctx); r != nil {
		return r.answer(q)
	}
	answer, err := l.answer(ctx, q)
	if err != nil {
		return nil, cmp.Or(l.usesC(goFiles(q.patterns)), err)
	}
	if r, ok := ctx.Value(recordingKey{}).(*Recording); ok {
		r.add(q, answer)
	}
	return answer, nil
}

// answer lists packages; within a shared context once.
func (l *loader) answer(ctx context.Context, q question) ([]*packages.Package, error) {
	config := l.config(ctx)
	config.Tests = q.tests
	known, ok := ctx.Value(sharedKey{}).(*shared)
	if !ok {
		answer, err := l.again(config, q, func() ([]*packages.Package, error) { return packages.Load(config, q.patterns...) })
		addCFiles(answer)
		return answer, err
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
		addCFiles(all) // before others see them
		for _, p := range all {
			known.answers[key(p.PkgPath)] = []*packages.Package{p}
		}
		if answer, ok := known.answers[key(q.patterns...)]; ok {
			return answer, nil
		}
	}
	answer, err := l.again(config, q, func() ([]*packages.Package, error) { return l.listing(config, q.patterns) })
	if addCFiles(answer); err == nil {
		known.answers[key(q.patterns...)] = answer
	}
	return answer, err
}
