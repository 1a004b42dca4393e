package hashset

import (
	"math/bits"
	"sync/atomic"
)

// SplitOrder holds the parameters of the lock-free hash sets. Zero fields stand
// for the defaults.
type SplitOrder[T comparable] struct {
	WordSize  int          // bits of a key, at most 62; hashes are taken modulo 2^(WordSize-1). Default 32.
	Capacity  int          // how many buckets there can ever be. Default 1024.
	Buckets   int          // how many there are at first: a power of two, at most Capacity. Default 2.
	Threshold int          // they are doubled when there are more values than this per bucket. Default 4.
	Hash      func(T) uint // default DefaultHash
}

// withDefaults replaces zero fields and panics if the others are out of range.
func (p SplitOrder[T]) withDefaults() SplitOrder[T] {
	p.WordSize = orDefault(p.WordSize, 32)
	p.Capacity = orDefault(p.Capacity, 1024)
	p.Buckets = orDefault(p.Buckets, 2)
	p.Threshold = orDefault(p.Threshold, 4)
	p.Hash = hashOr(p.Hash)
	if p.WordSize < 1 || p.WordSize > 62 {
		panic("hashset: WordSize must be 1 to 62")
	}
	if p.Buckets < 1 || p.Buckets > p.Capacity || bits.OnesCount(uint(p.Buckets)) != 1 {
		panic("hashset: Buckets must be a power of two up to Capacity")
	}
	return p
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// A keyspace turns hashes and bucket numbers into keys of the list: bit-reversed,
// so that the values of a bucket stay together when the buckets are doubled. The
// highest bit makes a value's key odd and so different from every sentinel's.
type keyspace struct {
	wordSize int
}

// endKey is greater than every key.
const endKey = 1 << 63

func (k keyspace) mask() uint64    { return 1<<k.wordSize - 1 }
func (k keyspace) highBit() uint64 { return 1 << (k.wordSize - 1) }

func (k keyspace) ordinary(hash uint) uint64 {
	return k.reverse(uint64(hash)&k.mask() | k.highBit())
}

func (k keyspace) sentinel(bucket int) uint64 {
	return k.reverse(uint64(bucket) & k.mask())
}

func (k keyspace) reverse(key uint64) uint64 {
	return bits.Reverse64(key) >> (64 - k.wordSize)
}

// A directory is the array of buckets: N is a sentinel node of the list. A bucket is
// made when it is first used, from the bucket it was split off.
type directory[N any] struct {
	threshold int64
	buckets   []atomic.Pointer[N]
	used      atomic.Int64 // how many of the buckets are in use: a power of two
	size      atomic.Int64 // how many values were added; removals do not count
}

func newDirectory[N any](capacity, buckets, threshold int, first *N) *directory[N] {
	d := &directory[N]{threshold: int64(threshold), buckets: make([]atomic.Pointer[N], capacity)}
	d.used.Store(int64(buckets))
	d.buckets[0].Store(first)
	return d
}

// index returns the bucket for a masked hash.
func (d *directory[N]) index(hash uint64) int {
	return int(hash % uint64(d.used.Load()))
}

// bucket returns the sentinel of a bucket, making it with sentinel(from, bucket)
// if need be, where from is the bucket's parent.
func (d *directory[N]) bucket(i int, sentinel func(from *N, bucket int) *N) *N {
	if d.buckets[i].Load() == nil {
		d.initialize(i, sentinel)
	}
	return d.buckets[i].Load()
}

func (d *directory[N]) initialize(i int, sentinel func(from *N, bucket int) *N) {
	parent := d.parent(i)
	if d.buckets[parent].Load() == nil {
		d.initialize(parent, sentinel)
	}
	d.buckets[i].Store(sentinel(d.buckets[parent].Load(), i))
}

// parent clears the highest bit of a bucket's number.
func (d *directory[N]) parent(i int) int {
	p := int(d.used.Load())
	for {
		p >>= 1
		if p <= i {
			return i - p
		}
	}
}

// grew counts an added value and doubles the buckets in use if there are too many
// values in each and room for more.
func (d *directory[N]) grew() {
	size := d.size.Add(1) - 1
	used := d.used.Load()
	if size/used > d.threshold && 2*used <= int64(len(d.buckets)) {
		d.used.CompareAndSwap(used, 2*used)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
