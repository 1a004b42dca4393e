// SPDX-License-Identifier: BSD-3-Clause

// Package cast has a type that is wrong because of a pointer of another type that an initialiser makes.
package cast

import (
	"sync"
	"unsafe"
)

// Twofold writes a number under the lock as one of another type, and reads it without.
type Twofold struct {
	mu   sync.Mutex
	cell *cell
	into *int64
}

type cell struct{ n int }

var (
	first  = &cell{}
	second = (*int64)(unsafe.Pointer(&first.n))
)

func NewTwofold() *Twofold { return &Twofold{cell: first, into: second} }

func (t *Twofold) Change(n int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	*t.into += int64(n)
	return int(*t.into)
}

func (t *Twofold) Now(n int) int { return t.cell.n + n }
