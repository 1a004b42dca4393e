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
	Dir string // in which the go command runs

	mu    sync.Mutex
	known map[memoKey]*Package
}

// memoKey is a package as it is asked for.
type memoKey struct {
	path, patterns string
	tests          bool
}

// files is the import path of a package that is given as files.
const files = "command-line-arguments"

// key leaves out the patterns where the import path alone tells which package it is, and the ending of tests that stand outside of
// their package: a package's digest with tests covers them.
func key(q *Query, path string) memoKey {
	k := memoKey{path: path, tests: q.Tests}
	if q.Tests {
		k.path = strings.TrimSuffix(path, "_test")
	}
	if path == files {
		k.patterns = strings.Join(q.Patterns, "\x00")
	}
	return k
}

// Know notes the digests of a closure that was listed by the query, in the memo's directory.
func (m *Memo) Know(q Query, c *Closure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.know(&q, c)
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

// Package is a package that a query's patterns match, with its digest. Of the query the directory is the memo's.
func (m *Memo) Package(ctx context.Context, q Query, path string) (*Package, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := key(&q, path)
	if p := m.known[k]; p != nil {
		return p, nil
	}
	q.Dir = m.Dir
	if path != files { // one that ends in _test is none of the go command's
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
	return nil, fmt.Errorf("%s is not among what %s matches", path, strings.Join(q.Patterns, " "))
}
