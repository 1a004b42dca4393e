// SPDX-License-Identifier: BSD-3-Clause

package store

import "pangolin/internal/saved"

// Pass writes a set, or makes a new one what was written. The tables are passed as they are, free slots included, so that nothing is
// looked up or moved: the numbers of states, and the memory taken, are those of before.
func (s *Set) Pass(c *saved.Codec) {
	c.Mark("set")
	saved.Same(c, s.config.Kind, "the kind of set")
	c.SameBool(s.config.Indexed, "the form of the set")
	c.SameBool(s.config.Shared, "the form of the set")
	bits := s.bits
	saved.Int(c, &bits)
	if !c.Writes() && bits != s.bits {
		if bits > sharedBits {
			c.Failf("a set has 2^%d shards", bits)
			return
		}
		s.divide(bits, s.shards[0].ledger)
	}
	saved.Int(c, &s.count)
	for i := range s.shards {
		s.shards[i].pass(c, i == 0 || s.config.Shared)
	}
	memory := s.bytes.Load()
	saved.Int(c, &memory)
	s.bytes.Store(memory)
}

// pass passes a shard. Own says whether its ledger is passed with it: those of an unshared set have one together.
func (sh *shard) pass(c *saved.Codec, own bool) {
	c.Words(&sh.keys)
	c.Halves(&sh.numbers)
	saved.Int(c, &sh.used)
	saved.Int(c, &sh.limit)
	c.Halves(&sh.zeros)
	if own && sh.ledger != nil {
		sh.ledger.pass(c)
	}
}

func (l *ledger) pass(c *saved.Codec) {
	page := func(c *saved.Codec, p *[]uint64) {
		room := cap(*p)
		saved.Int(c, &room)
		words := *p
		if c.Words(&words); c.Writes() || c.Err() != nil {
			return
		}
		*p = append(make([]uint64, 0, max(room, len(words))), words...)
	}
	saved.List(c, &l.pages, page)
	saved.List(c, &l.ends, page)
	saved.Int(c, &l.count)
}
