// SPDX-License-Identifier: BSD-3-Clause

package component

import "pangolin/internal/saved"

// Pass writes how far the search has come, or makes a new Finder go on from there. Kept passes a K.
func (f *Finder[K]) Pass(c *saved.Codec, kept func(*saved.Codec, *K)) {
	c.Mark("components")
	saved.List(c, &f.frames, func(c *saved.Codec, x *frame[K]) {
		saved.Int(c, &x.node)
		saved.Int(c, &x.low)
		saved.Int(c, &x.base)
		kept(c, &x.kept)
	})
	c.Halves(&f.nodes)
	c.Words(&f.done)
}
