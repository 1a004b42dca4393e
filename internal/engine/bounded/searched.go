// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// A search may end with another scope than it was given: with other items, if the code looks at them, and
// with more keys, if these are chosen by rank.

// searched is the scope that was searched in the end.
func searched(j *engine.Job, res *Result) *engine.Scope {
	s := j.Scope
	if res.Scope != s.Clients {
		s.Preset, s.Clients = "", res.Scope
	}
	s.Beforehand.Keys = res.keysUsed(s.Beforehand.Keys)
	return &s
}

// keysUsed says which keys were added beforehand, where clients that are listed have some. If keys were
// chosen by rank a call's key may lie anywhere between them, so that one key stands for all; of several
// the order in which they were added is left.
func (r *Result) keysUsed(listed verdict.KeysUsed) verdict.KeysUsed {
	switch {
	case listed == verdict.AnyKeys || !r.Ranked:
		return listed
	case r.Scope.PreAdds.To > 1:
		return verdict.AscendingKeys
	}
	return verdict.AnyKeys
}
