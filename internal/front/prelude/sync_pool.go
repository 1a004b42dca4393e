//go:build prelude

//pangolin:for sync

package prelude

import (
	"sync"
	"unsafe"
)

// poolState has the words of a sync.Pool.
type poolState struct {
	items      unsafe.Pointer // *[]any
	localSize  uintptr
	victim     unsafe.Pointer
	victimSize uintptr
	newItem    func() any
}

// poolGet takes any of the pooled items, or makes a new one: a pool may lose
// items at any time.
//
//pangolin:model (*sync.Pool).Get
func poolGet(p *sync.Pool) any {
	s := (*poolState)(unsafe.Pointer(p))
	atomicBegin(unsafe.Pointer(s), true)
	item, ok := s.take()
	atomicEnd()
	if !ok && p.New != nil {
		return p.New()
	}
	return item
}

func (s *poolState) take() (any, bool) {
	if s.items == nil {
		return nil, false
	}
	items := (*[]any)(s.items)
	if len(*items) == 0 {
		return nil, false
	}
	i := choose(len(*items) + 1)
	if i == len(*items) {
		return nil, false
	}
	item := (*items)[i]
	*items = without(*items, i)
	return item, true
}

//pangolin:model (*sync.Pool).Put
func poolPut(p *sync.Pool, item any) {
	if item == nil {
		return
	}
	s := (*poolState)(unsafe.Pointer(p))
	atomicBegin(unsafe.Pointer(s), true)
	if s.items == nil {
		s.items = unsafe.Pointer(new([]any))
	}
	items := (*[]any)(s.items)
	*items = append(*items, item)
	atomicEnd()
}

// SPDX-License-Identifier: BSD-3-Clause
