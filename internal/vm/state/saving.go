// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/saved"

// Pass writes the strings, or adds those that were written, in the order in which they were
// interned: so their words are the same again. What has been interned meanwhile must be the
// beginning of what was written.
func (s *Strings) Pass(c *saved.Codec) {
	c.Mark("strings")
	saved.Extend(c, s.All(), (*saved.Codec).Text, func(v string) { s.Word(v) })
}

// Pass passes a place.
func (p *Place) Pass(c *saved.Codec) {
	saved.Int(c, &p.At)
	saved.Int(c, &p.Of)
}

// Pass writes what is known of guards, or makes guards of which nothing has been found out yet know it.
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
