// Package threadlocal gives each thread (goroutine) a variable of its own, as
// Java's ThreadLocal does. The thread is known by mark.Thread.
//
// It does not forget threads that have ended: in a program that starts very many
// goroutines the variables of all of them stay.
package threadlocal

import (
	"sync"

	"pangolin/mark"
)

// A Var is one variable per thread. The zero value gives every thread a zero T.
type Var[T any] struct {
	mu     sync.Mutex
	copies []*T // by thread number
}

// Get returns the calling thread's variable, which no other thread can get.
func (v *Var[T]) Get() *T {
	me := mark.Thread()
	v.mu.Lock()
	defer v.mu.Unlock()
	for len(v.copies) <= me {
		v.copies = append(v.copies, new(T))
	}
	return v.copies[me]
}

// SPDX-License-Identifier: BSD-3-Clause
