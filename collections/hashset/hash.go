package hashset

import (
	"hash/maphash"

	"pangolin/mark"
)

// Identity hashes a number to itself; small values then never collide.
func Identity(x int) uint { return uint(x) }

// Successor hashes a number to the next one, COLLECT's second function beside Identity in its
// cuckoo hash sets.
func Successor(x int) uint { return uint(x) + 1 }

// DefaultHash returns the identity for int and otherwise hash/maphash's function
// with a fresh seed.
func DefaultHash[T comparable]() func(T) uint {
	if f, ok := any(Identity).(func(T) uint); ok {
		return f
	}
	seed := maphash.MakeSeed()
	return func(x T) uint { return uint(maphash.Comparable(seed, x)) }
}

// hashOr returns f, or DefaultHash if f is nil.
func hashOr[T comparable](f func(T) uint) func(T) uint {
	if f == nil {
		return DefaultHash[T]()
	}
	return f
}

// Chosen returns an arbitrary function from numbers modulo domain to [0, size):
// under the verifier every one of the size^domain functions is explored, in a
// normal run one is drawn. It is COLLECT's nondeterministic hashing (section 4)
// with all choices made at once. It panics if domain or size is less than 1.
func Chosen(domain, size int) func(int) uint {
	values := make([]uint, domain)
	for i := range values {
		values[i] = uint(mark.Choose(size))
	}
	return func(x int) uint { return values[uint(x)%uint(len(values))] }
}

// SPDX-License-Identifier: BSD-3-Clause
