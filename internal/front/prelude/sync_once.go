//go:build prelude

//pangolin:for sync

package prelude

import "sync"

// onceCall runs a function once and keeps what it panicked with.
type onceCall struct {
	once  sync.Once
	valid bool
	value any // of the panic
}

func (c *onceCall) do(f func()) {
	c.once.Do(func() {
		defer func() {
			c.value = recover()
			if !c.valid {
				panic(c.value)
			}
		}()
		f()
		c.valid = true
	})
	if !c.valid {
		panic(c.value)
	}
}

//pangolin:model sync.OnceFunc
func onceFunc(f func()) func() {
	c := new(onceCall)
	return func() { c.do(f) }
}

type onceValue[T any] struct{}

//pangolin:model sync.OnceValue
func (onceValue[T]) call(f func() T) func() T {
	c := new(onceCall)
	var result T
	return func() T {
		c.do(func() { result = f() })
		return result
	}
}

type onceValues[T1, T2 any] struct{}

//pangolin:model sync.OnceValues
func (onceValues[T1, T2]) call(f func() (T1, T2)) func() (T1, T2) {
	c := new(onceCall)
	var r1 T1
	var r2 T2
	return func() (T1, T2) {
		c.do(func() { r1, r2 = f() })
		return r1, r2
	}
}

// SPDX-License-Identifier: BSD-3-Clause
