// SPDX-License-Identifier: BSD-3-Clause

// Package parts stores the parts of states (vm/state divides a state into a heap and one part for
// each thread), each once under a number, and remembers steps between states that are given by
// these numbers.
//
// It takes the parts of a machine's state, gives their numbers, and puts the words of a whole state
// together again. A state of three threads is four numbers.
//
// It does not execute anything, and does not know which states a search has visited.
package parts

import (
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"pangolin/internal/vm/state"
)

// Thread is the part of a state that belongs to one thread: its stack, and the objects that only
// this thread reaches.
type Thread struct {
	words []uint64 // the second word, where the tag goes, is 0
	stack int
	names []state.Place // the words that are names relative to the parts before this one in a state
	Own
	// Held are the objects of the heap to which the thread leads, by number, HeldItems the items
	// and HeldNumbers the thread numbers. Each is a set of bits; in a heap that has more than there
	// are bits, no step is remembered.
	Held        uint64
	HeldItems   uint32
	HeldNumbers uint32
	Keys        uint64
	Idle        bool
	Anonymous   bool // the thread's number occurs nowhere, so threads may be exchanged
	Depth       int  // number of calls in progress
}

// Words returns the words of the part, the stack first. They must not be changed.
func (t *Thread) Words() []uint64 { return t.words }

// Stack is how many of the words belong to the stack.
func (t *Thread) Stack() int { return t.stack }

// Most is the greatest number of objects of a heap that Held has bits for, mostNamed that of items
// and of thread numbers.
const (
	Most      = 64
	mostNamed = 32
)

// Store stores parts. It may be used concurrently; looking up a part by its number takes no lock.
type Store struct {
	ground  *state.Ground
	limit   int64
	mu      sync.RWMutex
	full    bool // no part is added any more
	heaps   list[Heap]
	threads list[Thread]
	bytes   atomic.Int64
	// remembered is how many bytes the memories of steps take.
	remembered atomic.Int64
}

// New makes a store of at most limit bytes for the states of one program.
func New(ground *state.Ground, limit int64) *Store {
	s := &Store{ground: ground, limit: limit}
	s.heaps.init(s)
	s.threads.init(s)
	return s
}

// Bytes estimates the memory of the store and of the steps that are remembered.
func (s *Store) Bytes() int64 { return s.bytes.Load() + s.remembered.Load() }

// Heap and Thread return the part with a number.
func (s *Store) Heap(number uint32) *Heap     { return s.heaps.at(number) }
func (s *Store) Thread(number uint32) *Thread { return s.threads.at(number) }

// perPart estimates the bytes of a part besides its words.
const perPart = int64(unsafe.Sizeof(Thread{})) + 64

// KeysIn is the set of keys in words, by their offsets.
func KeysIn(words []uint64) uint64 {
	var set uint64
	for _, w := range words {
		if at, ok := state.KeyOffset(w); ok {
			set |= 1 << at
		}
	}
	return set
}

// AddThread returns the number of a thread's part. Its second word, the tag, is ignored. own counts
// what only this thread reaches; names is called for a new part and returns where the words contain
// names. ok is false if the part is new and the store is full.
func (s *Store) AddThread(words []uint64, stack int, own Own, names func() []state.Place) (number uint32, ok bool) {
	return s.addThread(Thread{words: words, stack: stack}, func() Thread {
		t := Thread{words: slices.Clone(words), stack: stack, Own: own,
			Idle: state.Idle(words), Anonymous: state.AnonymousPart(words), Depth: state.Depth(words)}
		t.words[1] = 0
		t.place(s.ground, names())
		return t
	})
}

// addThread returns the number of the part with t's words. whole is called for a new part and
// completes it.
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

// ReplaceThread is ReplaceHeap for a thread's part.
func (s *Store) ReplaceThread(number uint32, change func(words []uint64)) (uint32, bool) {
	t := *s.Thread(number)
	words := slices.Clone(t.words)
	change(words)
	t.words = words
	return s.addThread(t, func() Thread { return t })
}

// Own is how many objects, items and thread numbers belong to one thread alone.
type Own struct{ Objects, Items, Numbers int }

func (o Own) and(more Own) Own {
	return Own{o.Objects + more.Objects, o.Items + more.Items, o.Numbers + more.Numbers}
}

// named is the field that counts names of p's sort.
func (o Own) named(p state.Place) int {
	switch p.Of {
	case state.NamedItem:
		return o.Items
	case state.NamedNumber:
		return o.Numbers
	}
	return o.Objects
}

// place sorts the names in the part: those of the thread's own things, which depend on the parts
// before it, and those of things in the heap.
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

// number returns the number of a part that is equal by same, or adds the one that make returns.
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

// Join appends the words of the whole state that consists of a heap and of threads with their tags.
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

// join adjusts the names in words, which are t's words from index from on. before is how many
// things of each sort belong to the parts before t.
func (s *Store) join(words []uint64, t *Thread, from int, before Own) {
	for _, p := range t.names {
		i := int(p.At) - from
		if i < 0 || i >= len(words) {
			continue
		}
		words[i] = s.ground.Joined(words[i], p, before.named(p))
	}
}

// list is a list that grows in chunks, so that elements keep their addresses and reading takes no lock.
type list[T any] struct {
	store  *Store
	chunks atomic.Pointer[[]*[chunk]T]
	count  uint32
	last   map[uint64]uint32 // by hash: the index of the last element with it, plus one
	before []uint32          // by element: the index of the one before it with the same hash, plus one
}

const chunkBits = 8

const chunk = 1 << chunkBits

func (l *list[T]) init(s *Store) {
	l.store = s
	l.chunks.Store(&[]*[chunk]T{})
	l.last = map[uint64]uint32{}
}

// find searches the elements with a hash. The store's lock is held.
func (l *list[T]) find(hash uint64, same func(*T) bool) (uint32, bool) {
	for n := l.last[hash]; n != 0; n = l.before[n-1] {
		if same(l.at(n - 1)) {
			return n - 1, true
		}
	}
	return 0, false
}

func (l *list[T]) at(n uint32) *T { return &(*l.chunks.Load())[n>>chunkBits][n&(chunk-1)] }

// add appends an element. The store's lock is held.
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
