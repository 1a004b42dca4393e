// SPDX-License-Identifier: BSD-3-Clause

// Package parts keeps the parts that states consist of (vm/state, parts.go), each once, under
// a number. It takes parts as they have been taken out of a machine, gives their numbers, and
// puts the words of whole states together again.
//
// It does not execute, and knows nothing of searches: which parts make up which state, and
// which step leads from one to another, is remembered elsewhere.
package parts

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"pangolin/internal/vm/state"
)

// Thread is a thread with what nobody else reaches.
type Thread struct {
	words []uint64 // the second one, the tag's place, is 0
	stack int
	names []state.Place // words that depend on what comes before in the state
	Own
	// Held are the heap's objects that it leads to, by number, HeldItems the items, and HeldNumbers the threads' numbers, as far
	// as there are bits. In heaps that have more of them nothing is remembered.
	Held        uint64
	HeldItems   uint32
	HeldNumbers uint32
	Keys        uint64
	Idle        bool
	Anonymous   bool // nothing holds its number
	Depth       int  // calls in progress
}

// Words are the words of the part, stack first. They must not be changed.
func (t *Thread) Words() []uint64 { return t.words }

// Stack says how many of the words are the stack's.
func (t *Thread) Stack() int { return t.stack }

// Most is how many of a heap's objects can have a bit in Held, and mostNamed how many of its items and numbers.
const (
	Most      = 64
	mostNamed = 32
)

// Store keeps parts. It is safe for concurrent use; to look at a part takes no lock.
type Store struct {
	ground  *state.Ground
	limit   int64
	mu      sync.RWMutex
	full    bool // nothing is added any more
	heaps   list[Heap]
	threads list[Thread]
	bytes   atomic.Int64
	// remembered is what the memories of steps take.
	remembered atomic.Int64
}

// New makes a store for states of a program that takes up to limit bytes.
func New(ground *state.Ground, limit int64) *Store {
	s := &Store{ground: ground, limit: limit}
	s.heaps.init(s)
	s.threads.init(s)
	return s
}

// Bytes is about the memory that the store takes, with all that is remembered of its parts.
func (s *Store) Bytes() int64 { return s.bytes.Load() + s.remembered.Load() }

// Heap and Thread are the parts with a number.
func (s *Store) Heap(number uint32) *Heap     { return s.heaps.at(number) }
func (s *Store) Thread(number uint32) *Thread { return s.threads.at(number) }

// perPart is about what a part takes besides its words.
const perPart = int64(unsafe.Sizeof(Thread{})) + 64

// KeysIn is the set of the offsets of keys in words.
func KeysIn(words []uint64) uint64 {
	var set uint64
	for _, w := range words {
		if at, ok := state.KeyOffset(w); ok {
			set |= 1 << at
		}
	}
	return set
}

// AddThread numbers a thread's part, whose second word is taken to be 0. own is
// what it has of its own.
func (s *Store) AddThread(words []uint64, stack int, own Own, names func() []state.Place) (number uint32, ok bool) {
	return s.addThread(Thread{words: words, stack: stack}, func() Thread {
		t := Thread{words: slices.Clone(words), stack: stack, Own: own,
			Idle: state.Idle(words), Anonymous: state.AnonymousPart(words), Depth: state.Depth(words)}
		t.words[1] = 0
		t.place(s.ground, names())
		return t
	})
}

// addThread numbers the part with t's words, which is what whole gives if it is new.
func (s *Store) addThread(t Thread, whole func() Thread) (number uint32, ok bool) {
	same := func(o *Thread) bool {
		return o.stack == t.stack && o.words[0] == t.words[0] && slices.Equal(o.words[2:], t.words[2:])
	}
	return s.threads.number(t.hash(), same, func() (Thread, int) {
		t := whole()
		t.Keys = KeysIn(t.words)
		return t, 8 * (len(t.words) + len(t.names))
	})
}

// ReplaceThread does for a thread's part what ReplaceHeap does for a heap.
func (s *Store) ReplaceThread(number uint32, change func(words []uint64)) (uint32, bool) {
	t := *s.Thread(number)
	words := slices.Clone(t.words)
	change(words)
	t.words = words
	return s.addThread(t, func() Thread { return t })
}

// Own says how many objects, items and numbers of threads are a thread's own.
type Own struct{ Objects, Items, Numbers int }

func (o Own) and(more Own) Own {
	return Own{o.Objects + more.Objects, o.Items + more.Items, o.Numbers + more.Numbers}
}

// named is how many of what a place names there are.
func (o Own) named(p state.Place) int {
	switch p.Of {
	case state.NamedItem:
		return o.Items
	case state.NamedNumber:
		return o.Numbers
	}
	return o.Objects
}

// place notes what the part names.
func (t *Thread) place(g *state.Ground, names []state.Place) {
	for _, p := range names {
		index, own := g.Names(t.words[p.At], p)
		switch {
		case own:
			t.names = append(t.names, p)
		case p.Of == state.NamedItem:
			t.HeldItems |= 1 << index
		case p.Of == state.NamedNumber:
			t.HeldNumbers |= 1 << index
		default:
			t.Held |= 1 << index
		}
	}
}

// number finds or adds a part.
func (l *list[T]) number(hash uint64, same func(*T) bool, make func() (part T, bytes int)) (uint32, bool) {
	s := l.store
	s.mu.RLock()
	n, found := l.find(hash, same)
	full := s.full
	s.mu.RUnlock()
	if found || full {
		return n, found
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, found := l.find(hash, same); found || s.full {
		return n, found
	}
	part, bytes := make()
	n = l.add(part, hash)
	if s.bytes.Add(perPart+int64(bytes)) > s.limit {
		s.full = true
	}
	return n, true
}

// Join appends the words of the state that consists of a heap and threads with tags.
func (s *Store) Join(dst []uint64, heap uint32, threads []uint32, tags []uint64) []uint64 {
	h, head := s.Heap(heap), len(dst)
	dst, rest := unpack(dst, h.packed, h.front)
	first := Own{h.Objects, h.Items, h.Numbers}
	own := first
	for i, n := range threads {
		t := s.Thread(n)
		at := len(dst)
		dst = append(dst, t.words[:t.stack]...)
		dst[at+1] = tags[i]
		s.join(dst[at:], t, 0, own)
		own = own.and(t.Own)
	}
	dst[head] = state.NumberJoined(dst[head], own.Numbers-first.Numbers)
	dst, _ = unpack(dst, rest, len(rest))
	own = first
	for _, n := range threads {
		t := s.Thread(n)
		if len(t.words) > t.stack {
			at := len(dst)
			dst = append(dst, t.words[t.stack:]...)
			s.join(dst[at:], t, t.stack, own)
		}
		own = own.and(t.Own)
	}
	return dst
}

// join gives the names in words, the part of t from from on, the values that they have behind
// so many others.
func (s *Store) join(words []uint64, t *Thread, from int, before Own) {
	for _, p := range t.names {
		i := int(p.At) - from
		if i < 0 || i >= len(words) {
			continue
		}
		words[i] = s.ground.Joined(words[i], p, before.named(p))
	}
}

// list is a growing list whose elements stay where they are, so that reading takes no lock.
type list[T any] struct {
	store  *Store
	chunks atomic.Pointer[[]*[chunk]T]
	count  uint32
	last   map[uint64]uint32 // by hash: the last element with it, plus one
	before []uint32          // by element: the one before it with the same hash, plus one
}

const chunkBits = 8

const chunk = 1 << chunkBits

func (l *list[T]) init(s *Store) {
	l.store = s
	l.chunks.Store(&[]*[chunk]T{})
	l.last = map[uint64]uint32{}
}

// find is called under a lock.
func (l *list[T]) find(hash uint64, same func(*T) bool) (uint32, bool) {
	for n := l.last[hash]; n != 0; n = l.before[n-1] {
		if same(l.at(n - 1)) {
			return n - 1, true
		}
	}
	return 0, false
}

func (l *list[T]) at(n uint32) *T { return &(*l.chunks.Load())[n>>chunkBits][n&(chunk-1)] }

// add is called under a lock.
func (l *list[T]) add(v T, hash uint64) uint32 {
	n := l.count
	chunks := *l.chunks.Load()
	if int(n>>chunkBits) == len(chunks) {
		longer := append(chunks[:len(chunks):len(chunks)], new([chunk]T))
		l.chunks.Store(&longer)
	}
	*l.at(n) = v
	l.count++
	l.before = append(l.before, l.last[hash])
	l.last[hash] = n + 1
	return n
}

// view returns the bytes of words without copying them.
func view(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
}
