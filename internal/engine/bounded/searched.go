// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// A search may end in another scope than it began: with chosen items, if the code looks at them, and with all keys, if they are represented
// by rank.

// searched is the scope that was searched in the end.
func searched(j *engine.Job, res *Result) *engine.Scope {
	s := j.Scope
	if res.Scope != s.Clients {
		s.Preset, s.Clients = "", res.Scope
	}
	s.Beforehand.Keys = res.keysUsed(s.Beforehand.Keys)
	s.Keyed = !res.Ranked && takesKeys(j.Subject)
	return &s
}

// keysUsed tells which keys the pre-adds had. With keys by rank a call's key may lie anywhere between them, so one pre-added key stands for
// all; of several only the order of their pre-adds is fixed.
func (r *Result) keysUsed(listed verdict.KeysUsed) verdict.KeysUsed {
	switch {
	case listed == verdict.AnyKeys || !r.Ranked:
		return listed
	case r.Scope.PreAdds.To > 1:
		return verdict.AscendingKeys
	}
	return verdict.AnyKeys
}
