// SPDX-License-Identifier: BSD-3-Clause

// Package store keeps the set of states that a search has visited.
//
// A Set is given states (flat words) or ready-made fingerprints and answers, for
// each, whether it is new and, if the set is indexed, which number it has. What it
// keeps of a state is chosen by a Kind: a 64-bit fingerprint, a 128-bit one, or the
// whole state. It is a sharded open-addressing table of words without pointers, so
// that the garbage collector has nothing to scan and a state costs 10 to 15 bytes
// (Hash64, without and with numbers).
//
// It does not forget states, does not give back the contents of a state, knows
// nothing about searches, and does not resolve fingerprint collisions: two states
// with the same fingerprint are one state to it, except with Exact. Collisions says
// how many such confusions are to be expected.
package store

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
)

// Kind says what a Set keeps of each state.
type Kind uint8

const (
	Hash64  Kind = iota // a 64-bit fingerprint (XXH3)
	Hash128             // a 128-bit fingerprint (XXH3), 8 to 12 more bytes a state
	Exact               // the whole state: no collisions, much more memory
)

// String returns the name of k as verdicts print it.
func (k Kind) String() string {
	switch k {
	case Hash64:
		return "64-bit fingerprints"
	case Hash128:
		return "128-bit fingerprints"
	case Exact:
		return "exact states"
	}
	return fmt.Sprintf("store.Kind(%d)", uint8(k))
}

// Collisions returns the expected number of pairs of different states that a set of
// n states has confused: n²/2 pairs, each with probability 2^-64 or 2^-128.
func (k Kind) Collisions(n uint64) float64 {
	pairs := float64(n) * float64(n) / 2
	switch k {
	case Hash64:
		return math.Ldexp(pairs, -64)
	case Hash128:
		return math.Ldexp(pairs, -128)
	}
	return 0
}

// Config describes a Set.
type Config struct {
	Kind Kind
	// Indexed numbers the states, for 4 bytes a slot. Hash128 and Exact number them in
	// any case.
	Indexed bool
	// Shared makes the set safe for concurrent use, by one lock for each of 256 shards.
	// (To look without the lock first was measured: it costs more than the uncontended
	// locks that it saves.) An unshared set takes no lock and uses no atomic operation but
	// when a table grows.
	Shared bool
}

const (
	privateBits = 6 // log2 of the number of shards of a large unshared set
	sharedBits  = 8 // the same for a shared one: more locks, less contention
)

// Set is a growing set of states. Create one with New.
type Set struct {
	shards []shard
	shift  uint // a fingerprint's shard is fingerprint >> shift
	bits   uint // log2(len(shards))
	config Config
	count  uint32 // elements of an unshared set: the next number
	bytes  atomic.Int64
}

// New returns an empty set. A shared set takes 32 kB from the start; an unshared one is
// a single small table until it has some 1800 states, so that it costs next to nothing
// to search thousands of small systems.
func New(c Config) *Set {
	c.Indexed = c.Indexed || c.Kind != Hash64
	s := &Set{config: c}
	if c.Shared {
		s.divide(sharedBits, nil)
		return s
	}
	var common *ledger
	if c.Kind != Hash64 {
		common = newLedger(c.Kind)
	}
	s.divide(0, common)
	return s
}

// divide makes 1<<bits empty shards. Those of a shared set have a ledger each.
func (s *Set) divide(bits uint, common *ledger) {
	s.bits = bits
	s.shift = 64 - bits
	s.shards = make([]shard, 1<<bits)
	for i := range s.shards {
		sh := &s.shards[i]
		sh.number = uint32(i)
		sh.indexed = s.config.Indexed
		sh.ledger = common
		if s.config.Shared && s.config.Kind != Hash64 {
			sh.ledger = newLedger(s.config.Kind)
		}
	}
}

// split distributes the only shard of an unshared set over many.
func (s *Set) split() {
	old := &s.shards[0]
	s.divide(privateBits, old.ledger)
	s.shards[0].zeros = old.zeros
	s.bytes.Add(-old.bytes())
	for i, key := range old.keys {
		if key == 0 {
			continue
		}
		sh := &s.shards[key>>s.shift]
		if sh.used >= sh.limit {
			sh.grow(s)
		}
		sh.used++
		sh.move(s, key, old, i)
	}
}

// Kind returns what the set keeps of a state.
func (s *Set) Kind() Kind { return s.config.Kind }

// Add puts a state into the set. It returns the number of the state (0 if the set is
// not indexed) and whether the state is new.
//
// An unshared set numbers states 0, 1, 2, … in the order in which they came. A shared
// set gives out numbers that are unique and nearly dense, below Bound(), in no
// meaningful order. There is room for 2^32-1 states; more are a panic.
func (s *Set) Add(state []uint64) (number uint32, isNew bool) {
	switch s.config.Kind {
	case Hash64:
		return s.insert(hash64(state), nil)
	case Hash128:
		var rest [1]uint64
		key := hash128(state, &rest)
		return s.insert(key, rest[:])
	default:
		return s.insert(hash64(state), state)
	}
}

// Insert is Add for a Hash64 set whose caller has computed the fingerprint itself.
// Fingerprints must be spread evenly over all 64 bits: the table uses their upper
// bits as they are. Every value is a proper fingerprint, 0 included.
func (s *Set) Insert(fingerprint uint64) (number uint32, isNew bool) {
	if s.config.Kind != Hash64 {
		panic("store: Insert on a set of " + s.config.Kind.String())
	}
	return s.insert(fingerprint, nil)
}

// Find looks a state up without adding it.
func (s *Set) Find(state []uint64) (number uint32, found bool) {
	var key uint64
	rest := state
	switch s.config.Kind {
	case Hash128:
		var half [1]uint64
		key, rest = hash128(state, &half), half[:]
	default:
		key = hash64(state)
	}
	sh := &s.shards[key>>s.shift]
	if s.config.Shared {
		sh.mu.Lock()
		defer sh.mu.Unlock()
	}
	return sh.lookup(s, key, rest)
}

func (s *Set) insert(key uint64, rest []uint64) (uint32, bool) {
	sh := &s.shards[key>>s.shift]
	if !s.config.Shared {
		if sh.used >= sh.limit {
			sh = s.extend(sh, key)
		}
		return sh.insert(s, key, rest)
	}
	sh.mu.Lock()
	if sh.used >= sh.limit {
		sh.grow(s)
	}
	number, isNew := sh.insert(s, key, rest)
	sh.mu.Unlock()
	return number, isNew
}

// extend makes room in the shard of key, sh, and returns the shard that it then has.
func (s *Set) extend(sh *shard, key uint64) *shard {
	if len(s.shards) == 1 && len(sh.keys) == small {
		s.split()
		sh = &s.shards[key>>s.shift]
	}
	if sh.used >= sh.limit {
		sh.grow(s)
	}
	return sh
}

// take returns the number of the next element, which is in shard sh.
func (s *Set) take(sh *shard) uint32 {
	if !s.config.Shared {
		n := s.count
		if n == math.MaxUint32 {
			panic("store: more than 2^32-1 states")
		}
		s.count++
		return n
	}
	if sh.len() >= 1<<(32-s.bits)-1 {
		panic("store: more than 2^32-1 states")
	}
	return uint32(sh.len())<<s.bits | sh.number
}

// place turns a number into a position in the ledger of its shard.
func (s *Set) place(number uint32) uint32 {
	if s.config.Shared {
		return number >> s.bits
	}
	return number
}

// home returns the slot at which the search for a key starts: the first slot of one of
// the lines of its shard's table. Larger keys have larger or equal homes, whatever the
// number of lines; so a growing table is copied front to back, not scattered.
func (s *Set) home(key uint64, lines uint64) uint64 {
	line, _ := bits.Mul64(key<<s.bits, lines)
	return line * slotsPerLine
}

// Len returns the number of states in the set.
func (s *Set) Len() int {
	n := 0
	for i := range s.shards {
		n += s.lenOf(&s.shards[i])
	}
	return n
}

// Bound returns a number greater than that of every element.
func (s *Set) Bound() uint32 {
	if !s.config.Shared {
		return s.count
	}
	most := 0
	for i := range s.shards {
		most = max(most, s.lenOf(&s.shards[i]))
	}
	return uint32(most) << s.bits
}

func (s *Set) lenOf(sh *shard) int {
	if s.config.Shared {
		sh.mu.Lock()
		defer sh.mu.Unlock()
	}
	return sh.len()
}

// Bytes returns the memory that the set's tables take now, free slots included.
func (s *Set) Bytes() int64 { return s.bytes.Load() + int64(len(s.shards))*shardSize }
