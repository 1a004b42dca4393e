// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/zeebo/xxh3"

	"pangolin/internal/memo"
	"pangolin/oracle"
)

// store numbers monitor states from 1 on. Reading a state takes no lock, nor does finding the
// number of one that is known. A search may meet millions of them, so they are kept without
// pointers, which the garbage collector would follow: words lie one behind the other in blocks,
// records and hashes in chunks.
type store struct {
	threads int
	index   atomic.Pointer[index]
	chunks  atomic.Pointer[[]*chunk]
	blocks  atomic.Pointer[[][]byte]
	bytes   atomic.Int64

	mu    sync.Mutex // held by writers
	count int
	free  []byte // the unused end of the last block

	setsMu sync.Mutex
	sets   memo.Numbers[oracle.Names] // the different sets of names
}

// chunk is an array of records, and of signatures by record and thread.
type chunk struct {
	records    [1 << chunkBits]record
	signatures []uint64
}

const chunkBits = 10

// record is a monitor state: where its words are, and the hash of its content. Records do not
// change, except that names are filled in when they are first asked for.
type record struct {
	content uint64
	block   uint32
	from    uint32
	length  uint32
	names   atomic.Uint32 // number of the set in store.sets, plus one; 0: not asked for
}

const blockBytes = 1 << 16

// index finds states by the hashes of their words. An entry is the lower half of a hash and
// a state's number, never 0; it is written when all else is.
type index struct {
	entries []atomic.Uint64
	shift   uint // how many bits of a hash are dropped to get a place
}

const firstIndex = 8 // bits of the number of places

func newIndex(bits uint) *index { return &index{make([]atomic.Uint64, 1<<bits), 64 - bits} }

func newStore(threads int) *store {
	s := &store{threads: threads}
	s.index.Store(newIndex(firstIndex))
	s.chunks.Store(&[]*chunk{s.newChunk()}) // it contains record 0, which is never used
	s.blocks.Store(&[][]byte{})
	return s
}

func (s *store) newChunk() *chunk {
	c := &chunk{signatures: make([]uint64, s.threads<<chunkBits)}
	s.bytes.Add(int64(unsafe.Sizeof(*c)) + 8*int64(len(c.signatures)))
	return c
}

func (s *store) record(id ID) *record {
	return &(*s.chunks.Load())[id>>chunkBits].records[id&(1<<chunkBits-1)]
}

// words returns the words of a state.
func (s *store) words(id ID) string {
	r := s.record(id)
	if r.length == 0 {
		return ""
	}
	return unsafe.String(&(*s.blocks.Load())[r.block][r.from], r.length)
}

func (s *store) content(id ID) uint64 { return s.record(id).content }

// signatures returns the hashes of a state as the threads see it.
func (s *store) signatures(id ID) []uint64 {
	at := int(id&(1<<chunkBits-1)) * s.threads
	return (*s.chunks.Load())[id>>chunkBits].signatures[at : at+s.threads]
}

func (s *store) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// find returns the number of the state with these words, or 0 and the free place in the index.
func (s *store) find(in *index, hash uint64, words string) (id ID, place uint64) {
	mask := uint64(len(in.entries) - 1)
	for place = hash >> in.shift; ; place = (place + 1) & mask {
		e := in.entries[place].Load()
		if e == 0 {
			return 0, place
		}
		if e>>32 == hash&(1<<32-1) && s.words(ID(e)) == words {
			return ID(e), place
		}
	}
}

var signatureRooms = sync.Pool{New: func() any { return new([MaxThreads]uint64) }}

// intern returns the number of a state. For a new one, describe computes the hashes.
func (s *store) intern(words []byte, describe func(words string, signatures []uint64) (content uint64)) ID {
	key := unsafe.String(unsafe.SliceData(words), len(words))
	hash := xxh3.HashString(key)
	if id, _ := s.find(s.index.Load(), hash, key); id != 0 {
		return id
	}
	room := signatureRooms.Get().(*[MaxThreads]uint64)
	defer signatureRooms.Put(room)
	signatures := room[:s.threads]
	clear(signatures)
	content := describe(key, signatures)
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.index.Load()
	id, place := s.find(in, hash, key)
	if id != 0 {
		return id
	}
	s.count++
	id = ID(s.count)
	if chunks := *s.chunks.Load(); int(id>>chunkBits) == len(chunks) {
		longer := append(chunks[:len(chunks):len(chunks)], s.newChunk())
		s.chunks.Store(&longer)
	}
	r := s.record(id)
	r.content, r.length = content, uint32(len(words))
	r.block, r.from = s.keep(words)
	copy(s.signatures(id), signatures)
	in.entries[place].Store(hash<<32 | uint64(id))
	if 4*s.count >= 3*len(in.entries) {
		s.grow(in)
	}
	return id
}

// keep copies words into a block.
func (s *store) keep(words []byte) (block, from uint32) {
	if len(words) > len(s.free) {
		s.free = make([]byte, max(blockBytes, len(words)))
		s.bytes.Add(int64(len(s.free)))
		blocks := *s.blocks.Load()
		longer := append(blocks[:len(blocks):len(blocks)], s.free)
		s.blocks.Store(&longer)
	}
	blocks := *s.blocks.Load()
	last := len(blocks) - 1
	at := len(blocks[last]) - len(s.free)
	copy(s.free, words)
	s.free = s.free[len(words):]
	return uint32(last), uint32(at)
}

// grow replaces the index by one of twice the size. A reader of the old one may miss new states,
// and looks again under the lock.
func (s *store) grow(old *index) {
	in := newIndex(64 - old.shift + 1)
	mask := uint64(len(in.entries) - 1)
	for i := range old.entries {
		e := old.entries[i].Load()
		if e == 0 {
			continue
		}
		place := xxh3.HashString(s.words(ID(e))) >> in.shift
		for in.entries[place].Load() != 0 {
			place = (place + 1) & mask
		}
		in.entries[place].Store(e)
	}
	s.bytes.Add(8 * int64(len(in.entries)-len(old.entries)))
	s.index.Store(in)
}

// names returns the names in a state, if they are known.
func (s *store) names(id ID) (n oracle.Names, known bool) {
	number := s.record(id).names.Load()
	if number == 0 {
		return n, false
	}
	return *s.sets.At(int(number - 1)), true
}

// noteNames records the names in a state. Few different sets occur.
func (s *store) noteNames(id ID, n oracle.Names) {
	s.setsMu.Lock()
	defer s.setsMu.Unlock()
	number, _ := s.sets.Of(n)
	s.record(id).names.Store(uint32(number + 1))
}
