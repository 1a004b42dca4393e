// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// Code that asks which thread executes it is judged by itself, run sequentially: each call as the thread that makes it.

func TestCallers_AreKnownToTheOracleSelf(t *testing.T) {
	const stack = `
func id() string {
	var b [64]byte
	s := b[:runtime.Stack(b[:], false)]
	return string(s[:bytes.IndexByte(s, '[')])
}

func number() int {
	n := 0
	for _, c := range id() {
		if '0' <= c && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	return n - 1
}
`
	for _, c := range []struct {
		name, source string
		want         verdict.Status
	}{
		{"callers are counted", `package example

import ("bytes"; "runtime"; "sync")

type Box struct { mu sync.Mutex; by map[string]int }

func New() *Box { return &Box{by: map[string]int{}} }
func (b *Box) Visit() int { b.mu.Lock(); defer b.mu.Unlock(); b.by[id()]++; return len(b.by) }
` + stack, verdict.Verified},
		{"callers are counted in two steps", `package example

import ("bytes"; "runtime"; "sync")

type Box struct { mu sync.Mutex; by map[string]int }

func New() *Box { return &Box{by: map[string]int{}} }
func (b *Box) Visit() int {
	b.mu.Lock(); b.by[id()]++; b.mu.Unlock()
	b.mu.Lock(); defer b.mu.Unlock(); return len(b.by)
}
` + stack, verdict.Violated},
		{"a variable for each thread", `package example

import ("bytes"; "runtime"; "sync")

type Box struct { mu sync.Mutex; own []*int }

func New() *Box { return new(Box) }
func (b *Box) Own() *int {
	me := number()
	b.mu.Lock(); defer b.mu.Unlock()
	for len(b.own) <= me { b.own = append(b.own, new(int)) }
	return b.own[me]
}
` + stack, verdict.Verified},
		{"a variable for all threads but the first", `package example

import ("bytes"; "runtime"; "sync")

type Box struct { mu sync.Mutex; own [2]int; who int }

func New() *Box { return new(Box) }
func (b *Box) Add() int {
	me := min(number(), 1)
	b.mu.Lock(); n := b.own[me]; b.mu.Unlock()
	b.mu.Lock(); b.own[me] = n + 1; b.mu.Unlock()
	return n
}
` + stack, verdict.Violated},
		{"who holds it may hold it again", `package example

import ("bytes"; "runtime"; "sync")

type Box struct { mu sync.Mutex; owner, depth int }

func New() *Box { return &Box{owner: -1} }
func (b *Box) Take() bool {
	b.mu.Lock(); defer b.mu.Unlock()
	me := number()
	if b.owner >= 0 && b.owner != me { return false }
	b.owner = me; b.depth++
	return true
}
func (b *Box) Give() bool {
	b.mu.Lock(); defer b.mu.Unlock()
	if b.owner != number() { return false }
	if b.depth--; b.depth == 0 { b.owner = -1 }
	return true
}
` + stack, verdict.Verified},
		{"who asks only when it is too late is not asked", `package example

import ("sync/atomic"; "runtime/debug")

type Box struct { n atomic.Int64 }

func New() *Box { return new(Box) }
func (b *Box) Add() int64 { n := b.n.Add(1); if n > 100 { panic(debug.Stack()) }; return n }
`, verdict.Verified},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, config := range []string{"2x3x0", "3x3x0"} {
				v, err := trySource(t, c.source, pangolin.Request{Type: "Box", New: "New()", Oracle: "self", Scope: pangolin.Scope{Config: config}})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(config, v.Status, v.States, v.Reason)
				if v.Status != c.want && !(config == "2x3x0" && c.want == verdict.Violated) {
					t.Errorf("%s: %s %s, want %s", config, v.Status, v.Reason, c.want)
				}
			}
		})
	}
}
