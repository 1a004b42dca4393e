// SPDX-License-Identifier: BSD-3-Clause

package closure

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// Memo asks for each package once. It is for a time in which nobody changes the sources.
type Memo struct {
	Dir string // where the go command runs

	mu    sync.Mutex
	known map[memoKey]*Package
	first map[string]*Package // result of First, by pattern
	asked map[string]bool     // the queries that Know has listed
	all   []*Package          // the packages that Know has listed, in the order of its queries
	wrong bool                // a query of Know matches packages with errors
}

// memoKey identifies a package and how it was asked for.
type memoKey struct {
	path, patterns string
	tests          bool
}

// givenFiles is the import path of a package that is given as files.
const givenFiles = "command-line-arguments"

// key drops the patterns if the import path alone identifies the package, and the ending of
// external tests, which are covered by a package's digest with tests.
func key(q *Query, path string) memoKey {
	k := memoKey{path: path, tests: q.Tests}
	if q.Tests {
		k.path = strings.TrimSuffix(path, "_test")
	}
	if path == givenFiles {
		k.patterns = strings.Join(q.Patterns, "\x00")
	}
	return k
}

// Know lists the packages of queries, each query once, and remembers their digests. The directory
// of a query is the memo's.
func (m *Memo) Know(ctx context.Context, queries ...Query) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, q := range queries {
		asked := fmt.Sprintf("%t %q", q.Tests, q.Patterns)
		if m.asked[asked] {
			continue
		}
		q.Dir = m.Dir
		c, err := List(ctx, q)
		if err != nil {
			return err
		}
		if m.know(&q, c); m.asked == nil {
			m.asked = map[string]bool{}
		}
		m.asked[asked] = true
		for i := range c.Packages {
			m.all = append(m.all, &c.Packages[i])
		}
		m.wrong = m.wrong || c.Faulty
	}
	return nil
}

// All returns the packages that Know has listed, in the order of its queries. whole is false if
// some that match have errors.
func (m *Memo) All() (list []*Package, whole bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.all, !m.wrong
}

// Known is a package that was listed before; nil if it was not, or has errors.
func (m *Memo) Known(q Query, path string) *Package {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[key(&q, path)]
}

func (m *Memo) know(q *Query, c *Closure) {
	if m.known == nil {
		m.known = map[memoKey]*Package{}
	}
	for i := range c.Packages {
		p := &c.Packages[i]
		m.known[key(q, p.Path)] = p
	}
}

// First is the first package that a pattern matches.
func (m *Memo) First(ctx context.Context, pattern string) (*Package, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.first[pattern]; p != nil {
		return p, nil
	}
	c, err := List(ctx, Query{Dir: m.Dir, Patterns: []string{pattern}})
	if err != nil {
		return nil, err
	}
	if len(c.Packages) != 1 {
		return nil, fmt.Errorf("%s matches %d packages without errors, want one", pattern, len(c.Packages))
	}
	if m.first == nil {
		m.first = map[string]*Package{}
	}
	m.first[pattern] = &c.Packages[0]
	return m.first[pattern], nil
}

// Package is a package that a query's patterns match, with its digest. The directory of the query
// is the memo's.
func (m *Memo) Package(ctx context.Context, q Query, path string) (*Package, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := key(&q, path)
	if p := m.known[k]; p != nil {
		return p, nil
	}
	q.Dir = m.Dir
	if path != givenFiles { // the go command does not know the import paths of external tests
		q.Patterns = []string{k.path}
	}
	c, err := List(ctx, q)
	if err != nil {
		return nil, err
	}
	m.know(&q, c)
	if p := m.known[k]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among what %s matches, or has errors", path, strings.Join(q.Patterns, " "))
}
