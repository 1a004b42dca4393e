// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"slices"

	"github.com/zeebo/xxh3"

	"pangolin/internal/saved"
	"pangolin/internal/vm/state"
)

// Pass writes all parts, or reads parts into an empty store under the same numbers. Whether the
// store is full is written too and kept whatever the limit is now: a part that had no number must
// not get one.
func (s *Store) Pass(c *saved.Codec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Mark("parts")
	s.heaps.pass(c, (*Heap).pass, (*Heap).hash)
	s.threads.pass(c, (*Thread).pass, (*Thread).hash)
	c.Bool(&s.full)
	bytes := s.bytes.Load()
	saved.Int(c, &bytes)
	s.bytes.Store(bytes)
}

// pass writes or reads the elements of a list.
func (l *list[T]) pass(c *saved.Codec, one func(*T, *saved.Codec), hash func(*T) uint64) {
	n := l.count
	saved.Int(c, &n)
	for i := uint32(0); i < n && c.Err() == nil; i++ {
		if c.Writes() {
			one(l.at(i), c)
			continue
		}
		var v T
		if one(&v, c); c.Err() == nil {
			l.add(v, hash(&v))
		}
	}
}

func (h *Heap) pass(c *saved.Codec) {
	c.Bytes(&h.packed)
	saved.Int(c, &h.front)
	saved.Int(c, &h.Objects)
	saved.Int(c, &h.Items)
	saved.Int(c, &h.Numbers)
	saved.Int(c, &h.Root)
	saved.Int(c, &h.Keys)
}

func (h *Heap) hash() uint64 { return xxh3.Hash(h.packed) }

func (t *Thread) pass(c *saved.Codec) {
	saved.Ints(c, &t.words)
	saved.Int(c, &t.stack)
	saved.List(c, &t.names, func(c *saved.Codec, p *state.Place) { p.Pass(c) })
	saved.Int(c, &t.Own.Objects)
	saved.Int(c, &t.Own.Items)
	saved.Int(c, &t.Own.Numbers)
	saved.Int(c, &t.Held)
	saved.Int(c, &t.HeldItems)
	saved.Int(c, &t.HeldNumbers)
	saved.Int(c, &t.Keys)
	c.Bool(&t.Idle)
	c.Bool(&t.Anonymous)
	saved.Int(c, &t.Depth)
	t.words = slices.Clip(t.words)
}

// hash covers all words but the second one, the tag.
func (t *Thread) hash() uint64 {
	hash := xxh3.HashSeed(view(t.words[:1]), uint64(t.stack))
	return xxh3.HashSeed(view(t.words[2:]), hash)
}
