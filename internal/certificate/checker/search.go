// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"context"
	"encoding/binary"
	"slices"

	"pangolin/internal/certificate"
)

// The search for fits, when a certificate is written. The checker does not trust its result: it compares every claim again.

// Fit returns the fits of a certificate. If there are none, the error is a *file.Rejection.
func (c *Checker) Fit(ctx context.Context) ([]certificate.Fits, error) {
	c.searching()
	var out []certificate.Fits
	err := c.each(ctx, func(check func() error) error {
		c.fit.list, c.fit.at = nil, 0
		err := check()
		out = append(out, c.fit.list)
		return err
	})
	return out, err
}

// searching makes the checker search for fits from now on.
func (c *Checker) searching() {
	c.fit = fits{given: c.fit.given, writing: true, views: map[string][]int{}, first: map[string]*claim{}}
	for i, v := range c.views {
		if c.fit.first[v.place] == nil {
			c.fit.first[v.place] = v
		}
		for _, key := range []string{v.place, c.look(v.place, c.stateOf(v, v.g))} {
			c.fit.views[key] = append(c.fit.views[key], i)
		}
	}
	for i := range c.effects {
		c.fit.effects = append(c.fit.effects, i)
	}
}

// candidates lists the views to compare with a state, similar ones first.
func (c *Checker) candidates(place string, s *state) [][]int {
	if c.fit.first[place] == nil {
		return nil
	}
	return [][]int{c.fit.views[c.look(place, s)], c.fit.views[place]}
}

// search finds a claim that covers what is compared, and moves it to the front of its list.
func (f *fits) search(lists [][]int, compare func(i int) bool) int {
	from := f.at
	for _, list := range lists {
		for k, i := range list {
			f.list, f.at = append(f.list[:from], int32(i)), from+1
			if compare(i) {
				copy(list[1:k+1], list[:k])
				list[0] = i
				return i
			}
		}
	}
	f.list, f.at = append(f.list[:from], -1), from+1
	return -1
}

// look is a key of a state made from the registers that the first view at a place names. A view and a state for which it stands mostly have
// the same key; views with another key are compared only if none of these stands for the state.
func (c *Checker) look(place string, s *state) string {
	dst := append(append(c.key[:0], place...), byte(s.saw), byte(s.saw>>8))
	var met []int32
	put := func(w word) {
		dst = append(dst, byte(w.Form), byte(w.Off), byte(w.Off>>8))
		if !w.IsRef() {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(w.N))
			return
		}
		i := slices.Index(met, w.N)
		dst = append(dst, byte(i))
		if i >= 0 {
			return
		}
		met = append(met, w.N)
		d := &s.g[w.N]
		dst = append(dst, byte(d.typ))
		for off, x := range d.words {
			if !x.IsRef() && off != c.types[d.typ].link {
				dst = append(dst, byte(x.Form), byte(x.N))
			}
		}
	}
	calls := c.fit.first[place].calls
	for i := range calls {
		for _, r := range calls[i].Regs {
			put(s.frames[i].regs[r.Reg])
		}
	}
	for _, n := range append([]int32{0}, met...) {
		for off, w := range s.g[n].words {
			if w.IsRef() || off == c.types[s.g[n].typ].link {
				dst = c.way(dst, s.g, w, met)
			}
		}
	}
	c.key = dst
	return string(dst)
}

// way describes what a word leads to by links: cells with k, and the first named cell.
func (c *Checker) way(dst []byte, g graph, w word, named []int32) []byte {
	for range g {
		if !w.IsRef() {
			break
		}
		d := &g[w.N]
		if i := slices.Index(named, w.N); i >= 0 {
			return append(dst, 'n', byte(i))
		}
		if d.chain {
			w = d.next
			continue
		}
		if c.equal(d) {
			dst = append(dst, 'k')
			for off, x := range d.words {
				if !x.IsRef() && off != c.types[d.typ].link {
					dst = append(dst, byte(x.Form), byte(x.N))
				}
			}
		}
		link := c.types[d.typ].link
		if link < 0 {
			return dst
		}
		w = d.words[link]
	}
	return append(dst, 'e')
}
