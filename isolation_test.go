// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What is wrong with one package or collection, ours or the user's, costs the others
// nothing.
func TestVerify_GivesTheOthersTheirVerdicts(t *testing.T) {
	level.SkipShort(t, "verifies several modules")
	const good = `

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Add(1) }

func (c *Counter) Get() int { return int(c.n.Load()) }
`
	const bad = `

import "sync/atomic"

// Counter has a directive that nobody knows.
//
//pangolin:nonsense 1
type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Add(1) }
`
	const unmade = `

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func NewCounter() *Counter { panic("never") }

func (c *Counter) Inc() { c.n.Add(1) }

func (c *Counter) Get() int { return int(c.n.Load()) }
`
	const uninitialised = `

import "sync/atomic"

var limits = make([]int, size())

func size() int { var none []int; return none[0] }

// Box is judged by the same code.
type Box struct{ n atomic.Int64 }

func (b *Box) Put(n int64) { b.n.Store(n) }

func (b *Box) Limits() int { return len(limits) }
`
	const withKind = `

import "sync"

func init() { panic("not here") }

type Stack struct { mu sync.Mutex; list []int }

func (s *Stack) Push(v int) { s.mu.Lock(); defer s.mu.Unlock(); s.list = append(s.list, v) }

func (s *Stack) Pop() (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return 0, false
	}
	v := s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	return v, true
}
`
	for _, c := range []struct {
		name, first string
		crash       bool
		want        string // of the error
	}{
		{"a directive is wrong", bad, false, "nonsense"},
		{"a constructor panics", unmade, false, "the constructor panics: panic: never"},
		{"package initialisation panics, judged by itself", uninitialised, false, "a.Box: package initialisation panics: runtime error: index out of range [0] with length 0"},
		{"package initialisation panics, judged by a kind", withKind, false, "a.Stack: package initialisation panics: not here"},
		{"a search crashes", good, true, "pangolin itself has failed, please report it: crash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "a/a.go": "package a" + c.first, "b/b.go": "package b" + good} {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			r := pangolin.Request{Dir: dir, Packages: []string{"./..."}}
			r.Events.Verdict = func(v verdict.Verdict) {
				if c.crash && v.Collection == "a.Counter" && v.Status != verdict.NotJudged {
					panic("crash\nwith a stack")
				}
			}
			list, err := pangolin.Verify(context.Background(), r)
			judged := map[string]verdict.Status{}
			for _, v := range list {
				judged[v.Collection[:2]] = v.Status
			}
			if len(list) != 2 || judged["a."] != verdict.NotJudged || judged["b."] != verdict.Verified {
				t.Errorf("%d verdicts: %+v", len(list), list)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "with a stack") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
