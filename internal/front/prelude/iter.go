//go:build prelude

//pangolin:for iter

package prelude

import (
	"iter"
	"runtime"
)

// pull runs an iterator in a goroutine of its own, which takes turns with its
// consumer: a value on resume lets it run, one on yield lets the consumer run.
type pull[K, V any] struct {
	name   string
	resume chan bool // false: stop
	yield  chan pulled[K, V]
	ended  bool
	wanted bool // a value, by next
}

type pulled[K, V any] struct {
	k     K
	v     V
	ok    bool
	ended func() // how the iterator has ended that did not return; nil: it has
}

func newPull[K, V any](name string, seq func(yield func(K, V) bool)) *pull[K, V] {
	p := &pull[K, V]{name: name, resume: make(chan bool), yield: make(chan pulled[K, V])}
	go p.run(seq)
	return p
}

func (p *pull[K, V]) run(seq func(yield func(K, V) bool)) {
	var last pulled[K, V]
	returned := false
	defer func() {
		if !returned {
			last.ended = endOf(recover())
		}
		p.yield <- last
	}()
	if <-p.resume {
		seq(func(k K, v V) bool {
			switch {
			case p.ended:
				return false
			case !p.wanted:
				panic(p.name + ": yield called again before next")
			}
			p.wanted = false
			p.yield <- pulled[K, V]{k: k, v: v, ok: true}
			return <-p.resume
		})
	}
	returned = true
}

// endOf does in the consumer what the iterator has done: it panics, or calls runtime.Goexit.
func endOf(panicked any) func() {
	if panicked == nil {
		return runtime.Goexit
	}
	return func() { panic(panicked) }
}

func (p *pull[K, V]) next(goOn bool) (k K, v V, ok bool) {
	switch {
	case p.ended:
		return k, v, false
	case goOn && p.wanted:
		panic(p.name + ": next called again before yield")
	}
	p.wanted, p.ended = goOn, !goOn
	p.resume <- goOn
	item := <-p.yield
	p.ended = !item.ok || !goOn
	if item.ended != nil {
		item.ended()
	}
	return item.k, item.v, item.ok && goOn
}

func (p *pull[K, V]) stop() {
	if !p.ended {
		p.next(false)
	}
}

type iterPull[V any] struct{}

//pangolin:model iter.Pull
func (iterPull[V]) call(seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	p := newPull("iter.Pull", func(yield func(V, struct{}) bool) {
		seq(func(v V) bool { return yield(v, struct{}{}) })
	})
	return func() (V, bool) {
		v, _, ok := p.next(true)
		return v, ok
	}, p.stop
}

type iterPull2[K, V any] struct{}

//pangolin:model iter.Pull2
func (iterPull2[K, V]) call(seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	p := newPull("iter.Pull2", func(yield func(K, V) bool) { seq(yield) })
	return func() (K, V, bool) { return p.next(true) }, p.stop
}

// SPDX-License-Identifier: BSD-3-Clause
