// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/saved"

// Pass writes the strings, or reads and adds them in the order in which they were interned, so that
// their words are the same. Strings interned meanwhile must be the first of those written.
func (s *Strings) Pass(c *saved.Codec) {
	c.Mark("strings")
	saved.Extend(c, s.All(), (*saved.Codec).Text, func(v string) { s.Word(v) })
}

// Pass writes or reads a place.
func (p *Place) Pass(c *saved.Codec) {
	saved.Int(c, &p.At)
	saved.Int(c, &p.Of)
}

// Pass writes what is known of guards, or reads it into new guards.
func (g *Guards) Pass(c *saved.Codec) {
	c.Mark("guards")
	saved.Same(c, len(g.of), "classes")
	for i := range g.of {
		x := g.of[i].Load()
		saved.Int(c, &x)
		g.of[i].Store(x)
	}
	for _, b := range []interface {
		Load() bool
		Store(bool)
	}{&g.broken, &g.void} {
		is := b.Load()
		c.Bool(&is)
		b.Store(is)
	}
}
