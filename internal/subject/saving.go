// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"

	"pangolin/internal/saved"
	"pangolin/oracle"
)

// Pass writes what the oracle self has found out, or gives an oracle of the same subject what was written: the strings that its states
// refer to, what is assumed of its memory, and what it could not decide. Other oracles find out nothing.
func Pass(c *saved.Codec, spec oracle.Spec) {
	o, ok := spec.(*self)
	if !ok {
		return
	}
	c.Mark("oracle self")
	o.img.Strings.Pass(c)
	if a := o.assumed; a != nil {
		saved.Same(c, len(a.Frozen), "classes of the oracle that may be frozen")
		for _, is := range a.Frozen {
			c.SameBool(is, "a frozen class of the oracle")
		}
		c.SameBool(a.Guards != nil, "guards of the oracle")
		if a.Guards != nil {
			a.Guards.Pass(c)
		}
	}
	counts := o.known.counts.Load()
	c.Bool(&counts)
	o.known.counts.Store(counts)
	o.mu.Lock()
	defer o.mu.Unlock()
	var unsettled []int
	for op, is := range o.unsettled {
		if is {
			unsettled = append(unsettled, op)
		}
	}
	slices.Sort(unsettled)
	saved.Ints(c, &unsettled)
	for _, op := range unsettled {
		o.unsettled[op] = true
	}
}

// Sound reports whether the answers of the oracle mean something so far. Those of other oracles than self always do.
func Sound(spec oracle.Spec) bool {
	o, ok := spec.(*self)
	if !ok {
		return true
	}
	return !o.broken.Load() && Failure(spec) == nil && (o.assumed == nil || !o.assumed.Refuted())
}
