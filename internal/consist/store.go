package consist

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"pangolin/oracle"
)

// record is a monitor state: its words and the hashes of its content. Records do
// not change, but for the names, which are found when first asked for.
type record struct {
	words      string
	content    uint64
	signatures []uint64 // by thread
	names      atomic.Pointer[oracle.Names]
}

// store numbers monitor states from 1 on. Reading a record by its number takes
// no lock.
type store struct {
	mu     sync.RWMutex
	ids    map[string]ID
	chunks atomic.Pointer[[]*recordChunk]
	bytes  atomic.Int64 // about
}

// idBytes is about what the map takes for an entry, without the words.
const idBytes = 48

const chunkBits = 10

type recordChunk [1 << chunkBits]record

func newStore() *store {
	s := &store{ids: make(map[string]ID)}
	s.chunks.Store(&[]*recordChunk{new(recordChunk)}) // number 0, never used, is in it
	return s
}

func (s *store) get(id ID) *record {
	return &(*s.chunks.Load())[id>>chunkBits][id&(1<<chunkBits-1)]
}

func (s *store) size() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.ids)
}

// intern finds the number of a state; a new one gets its hashes from describe.
func (s *store) intern(words []byte, describe func() (content uint64, signatures []uint64)) ID {
	s.mu.RLock()
	id, ok := s.ids[string(words)]
	s.mu.RUnlock()
	if ok {
		return id
	}
	content, signatures := describe()
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.ids[string(words)]; ok {
		return id
	}
	id = ID(len(s.ids) + 1)
	chunks := *s.chunks.Load()
	if int(id>>chunkBits) == len(chunks) {
		longer := append(chunks[:len(chunks):len(chunks)], new(recordChunk))
		s.chunks.Store(&longer)
	}
	key := string(words)
	r := s.get(id)
	r.words, r.content, r.signatures = key, content, signatures
	s.ids[key] = id
	s.bytes.Add(int64(unsafe.Sizeof(*r)) + int64(len(key)+8*len(signatures)) + idBytes)
	return id
}
