//go:build prelude

//pangolin:for sync

package prelude

import (
	"sync"
	"unsafe"
)

// poolState has the words of a sync.Pool.
type poolState struct {
	content    *poolContent
	localSize  uintptr
	victim     unsafe.Pointer
	victimSize uintptr
	newItem    func() any
}

// poolContent is what a sync.Pool has once it has been used, and what a copy of it would share with it.
type poolContent struct {
	of    *poolState // the pool whose first operation has made it
	items []any
}

// own is the content, in an atomic step: nil if there has been no operation.
func (s *poolState) own() *poolContent {
	if s.content != nil && s.content.of != s {
		unsupported("a sync.Pool that was copied after its first use: use a pointer to it")
	}
	return s.content
}

// poolGet takes any of the pooled items, or makes a new one: a pool may lose
// items at any time.
//
//pangolin:model (*sync.Pool).Get
func poolGet(p *sync.Pool) any {
	s := (*poolState)(unsafe.Pointer(p))
	atomicBegin(unsafe.Pointer(s), true)
	used := s.own() != nil
	var item any
	ok := false
	if used {
		item, ok = s.content.take()
	}
	atomicEnd()
	if !used {
		poolUse(s)
	}
	if !ok && p.New != nil {
		return p.New()
	}
	return item
}

// poolUse makes the content, in a step of its own: who gets nothing is behind nothing that was put in.
func poolUse(s *poolState) {
	atomicBegin(unsafe.Pointer(s), true)
	if s.content == nil {
		s.content = &poolContent{of: s}
	}
	atomicEnd()
}

func (c *poolContent) take() (any, bool) {
	if len(c.items) == 0 {
		return nil, false
	}
	i := choose(len(c.items) + 1)
	if i == len(c.items) {
		return nil, false
	}
	item := c.items[i]
	c.items = without(c.items, i)
	return item, true
}

//pangolin:model (*sync.Pool).Put
func poolPut(p *sync.Pool, item any) {
	if item == nil {
		return
	}
	s := (*poolState)(unsafe.Pointer(p))
	atomicBegin(unsafe.Pointer(s), true)
	if s.own() == nil {
		s.content = &poolContent{of: s}
	}
	s.content.items = append(s.content.items, item)
	atomicEnd()
}

// SPDX-License-Identifier: BSD-3-Clause
