// SPDX-License-Identifier: BSD-3-Clause

// Package sets has sets whose keys are counted or listed while others change them.
package sets

import (
	"sync"
	"sync/atomic"
)

// half is a set with a lock.
type half struct {
	mu   sync.Mutex
	keys map[int]bool
}

func newHalf() half { return half{keys: map[int]bool{}} }

// put makes a key present or absent, and returns what it was.
func (h *half) put(key int, present bool) (was bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was = h.keys[key]
	if present {
		h.keys[key] = true
	} else {
		delete(h.keys, key)
	}
	return was
}

func (h *half) has(key int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keys[key]
}

func (h *half) len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.keys)
}

// Halves has a lock for each half of its keys.
//
//pangolin:overlaps Len:parts
type Halves struct{ even, odd half }

func NewHalves() *Halves { return &Halves{newHalf(), newHalf()} }

func (s *Halves) of(key int) *half {
	if key%2 == 0 {
		return &s.even
	}
	return &s.odd
}

func (s *Halves) Add(key int) bool      { return !s.of(key).put(key, true) }
func (s *Halves) Remove(key int) bool   { return s.of(key).put(key, false) }
func (s *Halves) Contains(key int) bool { return s.of(key).has(key) }
func (s *Halves) Len() int              { return s.even.len() + s.odd.len() }

// Ageing has young keys and old ones. Who looks for a young key makes it an old one, so that Len may count it on both sides.
//
//pangolin:overlaps Len:parts
type Ageing struct {
	mu         sync.Mutex // of those that change something
	young, old half
}

func NewAgeing() *Ageing { return &Ageing{young: newHalf(), old: newHalf()} }

func (s *Ageing) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.old.has(key) && !s.young.put(key, true)
}

func (s *Ageing) Contains(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.young.has(key) {
		s.old.put(key, true)
		s.young.put(key, false)
	}
	return s.old.has(key)
}

func (s *Ageing) Len() int { return s.young.len() + s.old.len() }

// Counted counts its keys behind the critical section.
//
//pangolin:overlaps Len:some
type Counted struct {
	half
	n atomic.Int64
}

func NewCounted() *Counted { return &Counted{half: newHalf()} }

func (s *Counted) Add(key int) bool {
	if s.put(key, true) {
		return false
	}
	s.n.Add(1)
	return true
}

func (s *Counted) Contains(key int) bool { return s.has(key) }
func (s *Counted) Len() int              { return int(s.n.Load()) }

// Hasty counts a key before it looks whether it is there.
//
//pangolin:overlaps Len:some
type Hasty struct {
	half
	n atomic.Int64
}

func NewHasty() *Hasty { return &Hasty{half: newHalf()} }

func (s *Hasty) Add(key int) bool {
	s.n.Add(1)
	if s.put(key, true) {
		s.n.Add(-1)
		return false
	}
	return true
}

func (s *Hasty) Contains(key int) bool { return s.has(key) }
func (s *Hasty) Len() int              { return int(s.n.Load()) }

// Resting counts when nobody writes; while somebody does, Len is what it was when it was counted last.
//
//pangolin:overlaps Len:eventually
type Resting struct {
	half
	writers, counted atomic.Int64
}

func NewResting() *Resting { return &Resting{half: newHalf()} }

func (s *Resting) Add(key int) bool {
	s.writers.Add(1)
	defer s.writers.Add(-1)
	return !s.put(key, true)
}

func (s *Resting) Contains(key int) bool { return s.has(key) }

func (s *Resting) Len() int {
	if s.writers.Load() > 0 {
		return int(s.counted.Load())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted.Store(int64(len(s.keys)))
	return len(s.keys)
}

// Fresh counts again if somebody has written since. Who counts may say so when somebody writes: then what was counted stays.
//
//pangolin:overlaps Len:eventually
type Fresh struct {
	half
	fresh   atomic.Bool
	counted atomic.Int64
}

func NewFresh() *Fresh { return &Fresh{half: newHalf()} }

func (s *Fresh) Add(key int) bool {
	s.fresh.Store(false)
	return !s.put(key, true)
}

func (s *Fresh) Contains(key int) bool { return s.has(key) }

func (s *Fresh) Len() int {
	if !s.fresh.Load() {
		s.counted.Store(int64(s.len()))
		s.fresh.Store(true)
	}
	return int(s.counted.Load())
}

// Synced is a sync.Map. Len counts by Range, which takes each key as it comes to it.
//
//pangolin:overlaps Len:parts
type Synced struct{ m sync.Map }

func (s *Synced) Add(key int) bool {
	_, was := s.m.LoadOrStore(key, true)
	return !was
}

func (s *Synced) Remove(key int) bool {
	_, was := s.m.LoadAndDelete(key)
	return was
}

func (s *Synced) Len() (n int) {
	s.m.Range(func(any, any) bool { n++; return true })
	return n
}

// Replaced is Synced that removes a key by writing a new map without it, one key after the other: a Range meanwhile misses others.
//
//pangolin:overlaps Len:parts
type Replaced struct {
	mu sync.Mutex // of those that change something
	m  sync.Map
}

func (s *Replaced) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, was := s.m.LoadOrStore(key, true)
	return !was
}

func (s *Replaced) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, was := s.m.Load(key)
	var others []any
	s.m.Range(func(k, _ any) bool { others = append(others, k); return true })
	s.m.Clear()
	for _, k := range others {
		if k != key {
			s.m.Store(k, true)
		}
	}
	return was
}

func (s *Replaced) Len() (n int) {
	s.m.Range(func(any, any) bool { n++; return true })
	return n
}
