// SPDX-License-Identifier: BSD-3-Clause

// Package memo remembers what functions of small numbers have given, and the values that have such numbers, for
// several goroutines at once. It forgets nothing, and computes nothing: who misses an answer computes it again.
package memo

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Table maps 64-bit keys (never 0) to 32-bit values; the zero Table is empty. Reading takes no
// lock: an entry's value is written before its key, and entries never change. A reader
// may miss an entry that is being added; the caller then computes the value
// again, which gives the same.
type Table struct {
	shards [shards]shard
	bytes  atomic.Int64 // of the tables
}

const (
	shardBits = 5
	shards    = 1 << shardBits
	firstBits = 6 // of a shard's first table
)

type shard struct {
	table atomic.Pointer[table]
	mu    sync.Mutex // of writers
	used  int
	_     [40]byte // keeps shards on cache lines of their own
}

type table struct {
	shift   uint // of the hash, so that an index remains
	entries []entry
}

type entry struct {
	key   atomic.Uint64
	value atomic.Uint32
}

func newTable(bits uint) *table {
	return &table{shift: 64 - bits, entries: make([]entry, 1<<bits)}
}

// spread spreads keys by Fibonacci hashing; the upper bits are the good ones.
func spread(key uint64) uint64 { return (key ^ key>>32) * 0x9e3779b97f4a7c15 }

// Bytes is about the memory that the table takes.
func (m *Table) Bytes() int64 { return m.bytes.Load() }

// Get is the value of a key.
func (m *Table) Get(key uint64) (uint32, bool) {
	h := spread(key)
	t := m.shards[h>>(64-shardBits)].table.Load()
	if t == nil {
		return 0, false
	}
	mask := uint64(len(t.entries) - 1)
	for i := (h << shardBits) >> t.shift; ; i = (i + 1) & mask {
		e := &t.entries[i&mask]
		switch e.key.Load() {
		case key:
			return e.value.Load(), true
		case 0:
			return 0, false
		}
	}
}

// Put gives a key its value. A key that has one keeps it.
func (m *Table) Put(key uint64, value uint32) {
	h := spread(key)
	s := &m.shards[h>>(64-shardBits)]
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.table.Load()
	if t == nil {
		t = newTable(firstBits)
		m.use(s, t)
	}
	if 4*s.used >= 3*len(t.entries) {
		t = t.grown()
		m.use(s, t)
	}
	if t.insert(key, value) {
		s.used++
	}
}

// use makes t the table of a shard.
func (m *Table) use(s *shard, t *table) {
	m.bytes.Add(t.bytes())
	if old := s.table.Swap(t); old != nil {
		m.bytes.Add(-old.bytes())
	}
}

func (t *table) bytes() int64 { return int64(len(t.entries)) * int64(unsafe.Sizeof(entry{})) }

func (t *table) grown() *table {
	bigger := newTable(64 - t.shift + 1)
	for i := range t.entries {
		if key := t.entries[i].key.Load(); key != 0 {
			bigger.insert(key, t.entries[i].value.Load())
		}
	}
	return bigger
}

// insert reports whether the key was new.
func (t *table) insert(key uint64, value uint32) bool {
	mask := uint64(len(t.entries) - 1)
	for i := (spread(key) << shardBits) >> t.shift; ; i = (i + 1) & mask {
		e := &t.entries[i&mask]
		switch e.key.Load() {
		case key:
			return false
		case 0:
			e.value.Store(value)
			e.key.Store(key)
			return true
		}
	}
}
