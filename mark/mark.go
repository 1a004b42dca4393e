// SPDX-License-Identifier: BSD-3-Clause

// Package mark holds what a verified program may say to the verifier while it
// remains an ordinary program. In a normal run every function here has a plain
// meaning of its own; under Pangolin the calls are built in.
//
// The package imports nothing heavy and keeps no state that a program could
// observe. It does not report anything and is never needed for a verification:
// a collection that does not import it is verified just the same.
package mark

import (
	"math/rand/v2"
	"sync"
)

// Choose returns a number in [0, n). Pangolin explores every one of them; a
// normal run draws one at random. It panics if n < 1.
func Choose(n int) int {
	if n < 1 {
		panic("mark.Choose: n must be at least 1")
	}
	return rand.IntN(n)
}

// Thread returns a small number that identifies the calling thread
// (goroutine): 0 for the first thread that asks, 1 for the next, and so on. The
// same thread always gets the same number. Under Pangolin the numbers follow
// the order of the threads in the client. A collection that only asks whether
// numbers are equal, as a reentrant lock does, is verified as quickly as one
// that does not ask at all; for one that does more with them its threads differ.
//
// In a normal run the number is found through the goroutine's identity, which
// costs about a microsecond; the number of a thread that has ended is not given
// to another one.
func Thread() int {
	return threads.number(goroutineID())
}

// threads is the only state of the package: the numbers given so far.
var threads registry

type registry struct {
	numbers sync.Map // goroutine id (uint64) -> number (int)
	mu      sync.Mutex
	next    int
}

func (r *registry) number(id uint64) int {
	if n, ok := r.numbers.Load(id); ok {
		return n.(int)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.next
	r.next++
	r.numbers.Store(id, n)
	return n
}
