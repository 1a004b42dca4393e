// SPDX-License-Identifier: BSD-3-Clause
//go:build prelude

//pangolin:for unique

package prelude

import (
	"unique"
	"unsafe"
)

// uniqueValues are the values that have handles, each with what the handle points to, a pointer to its copy.
var uniqueValues map[any]unsafe.Pointer

// uniqueHandle has the word of a unique.Handle.
type uniqueHandle struct{ value unsafe.Pointer }

type uniqueMake[T comparable] struct{}

// The handles of values of different types differ, as the values do in an interface.
//
//pangolin:model unique.Make
func (uniqueMake[T]) call(value T) unique.Handle[T] {
	atomicBegin(unsafe.Pointer(&uniqueValues), true)
	p := uniqueValues[value]
	if p == nil {
		if uniqueValues == nil {
			uniqueValues = map[any]unsafe.Pointer{}
		}
		copied := new(T)
		*copied = value
		p = unsafe.Pointer(copied)
		uniqueValues[value] = p
	}
	atomicEnd()
	h := &uniqueHandle{p}
	return *(*unique.Handle[T])(unsafe.Pointer(h))
}

type uniqueValue[T comparable] struct{}

//pangolin:model (unique.Handle[T]).Value
func (uniqueValue[T]) call(h unique.Handle[T]) T {
	return *(*T)((*uniqueHandle)(unsafe.Pointer(&h)).value)
}

// SPDX-License-Identifier: BSD-3-Clause
