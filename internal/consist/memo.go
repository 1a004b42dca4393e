package consist

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// memo maps 64-bit keys (never 0) to 32-bit values. Reading takes no lock: an
// entry's value is written before its key, and entries never change. A reader
// may miss an entry that is being added; the caller then computes the value
// again, which gives the same.
type memo struct {
	shards [memoShards]memoShard
	bytes  atomic.Int64 // of the tables
}

const (
	memoShardBits = 5
	memoShards    = 1 << memoShardBits
	memoFirstBits = 6 // of a shard's first table
)

type memoShard struct {
	table atomic.Pointer[memoTable]
	mu    sync.Mutex // of writers
	used  int
	_     [40]byte // keeps shards on cache lines of their own
}

type memoTable struct {
	shift   uint // of the hash, so that an index remains
	entries []memoEntry
}

type memoEntry struct {
	key   atomic.Uint64
	value atomic.Uint32
}

func newMemoTable(bits uint) *memoTable {
	return &memoTable{shift: 64 - bits, entries: make([]memoEntry, 1<<bits)}
}

// memoHash spreads keys by Fibonacci hashing; the upper bits are the good ones.
func memoHash(key uint64) uint64 { return (key ^ key>>32) * 0x9e3779b97f4a7c15 }

func (m *memo) get(key uint64) (uint32, bool) {
	h := memoHash(key)
	t := m.shards[h>>(64-memoShardBits)].table.Load()
	if t == nil {
		return 0, false
	}
	mask := uint64(len(t.entries) - 1)
	for i := (h << memoShardBits) >> t.shift; ; i = (i + 1) & mask {
		e := &t.entries[i&mask]
		switch e.key.Load() {
		case key:
			return e.value.Load(), true
		case 0:
			return 0, false
		}
	}
}

func (m *memo) put(key uint64, value uint32) {
	h := memoHash(key)
	s := &m.shards[h>>(64-memoShardBits)]
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.table.Load()
	if t == nil {
		t = newMemoTable(memoFirstBits)
		m.use(s, t)
	}
	if 2*s.used >= len(t.entries) {
		t = t.grown()
		m.use(s, t)
	}
	if t.insert(key, value) {
		s.used++
	}
}

// use makes t the table of a shard.
func (m *memo) use(s *memoShard, t *memoTable) {
	m.bytes.Add(t.bytes())
	if old := s.table.Swap(t); old != nil {
		m.bytes.Add(-old.bytes())
	}
}

func (t *memoTable) bytes() int64 { return int64(len(t.entries)) * int64(unsafe.Sizeof(memoEntry{})) }

func (t *memoTable) grown() *memoTable {
	bigger := newMemoTable(64 - t.shift + 1)
	for i := range t.entries {
		if key := t.entries[i].key.Load(); key != 0 {
			bigger.insert(key, t.entries[i].value.Load())
		}
	}
	return bigger
}

// insert reports whether the key was new.
func (t *memoTable) insert(key uint64, value uint32) bool {
	mask := uint64(len(t.entries) - 1)
	for i := (memoHash(key) << memoShardBits) >> t.shift; ; i = (i + 1) & mask {
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
