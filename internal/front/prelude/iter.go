//go:build prelude

//pangolin:for iter

package prelude

import "iter"

// pull runs an iterator in a goroutine of its own, which takes turns with its
// consumer: a value on resume lets it run, one on yield lets the consumer run.
type pull[K, V any] struct {
	resume chan bool // false: stop
	yield  chan pulled[K, V]
	ended  bool
}

type pulled[K, V any] struct {
	k        K
	v        V
	ok       bool
	panicked bool
	value    any // of the panic
}

func newPull[K, V any](seq func(yield func(K, V) bool)) *pull[K, V] {
	p := &pull[K, V]{resume: make(chan bool), yield: make(chan pulled[K, V])}
	go p.run(seq)
	return p
}

func (p *pull[K, V]) run(seq func(yield func(K, V) bool)) {
	var last pulled[K, V]
	if <-p.resume {
		last = p.iterate(seq)
	}
	p.yield <- last
}

func (p *pull[K, V]) iterate(seq func(yield func(K, V) bool)) (last pulled[K, V]) {
	defer func() {
		if !last.ok {
			last.value, last.panicked = recover(), true
		}
		last.ok = false
	}()
	seq(func(k K, v V) bool {
		p.yield <- pulled[K, V]{k: k, v: v, ok: true}
		return <-p.resume
	})
	last.ok = true // it returned
	return last
}

func (p *pull[K, V]) next(goOn bool) (k K, v V, ok bool) {
	if p.ended {
		return k, v, false
	}
	p.resume <- goOn
	item := <-p.yield
	p.ended = !item.ok || !goOn
	if item.panicked {
		panic(item.value)
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
	p := newPull(func(yield func(V, struct{}) bool) {
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
	p := newPull(func(yield func(K, V) bool) { seq(yield) })
	return func() (K, V, bool) { return p.next(true) }, p.stop
}
