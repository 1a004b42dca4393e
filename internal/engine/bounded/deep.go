// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"pangolin/internal/explore"
	"pangolin/internal/subject"
)

// A search depth first follows one execution to its end. Where a thread waits by counting (ten thousand
// attempts before it yields) every count is a state, and the search may count on for hours before it comes to
// what is wrong some steps from the beginning. So when it comes so deep that this is likely, it is given up
// for a look around, breadth first, in not too many states; if that finds nothing, it begins again.

const (
	deepWay      = 1 << 14 // steps that no execution of a small client needs
	aroundStates = 1 << 17
)

// stage says how far that has come.
type stage uint8

const (
	shallow stage = iota
	tooDeep
	lookingAround
	lookedAround
)

// sinks ends a search that has come too deep for the first time.
func (v *verification) sinks(at int) explore.Action {
	if at <= deepWay || v.opt.BreadthFirst || v.opt.Laps != "" {
		return explore.Continue
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stage == shallow {
		v.stage = tooDeep
	}
	if v.stage == tooDeep {
		return explore.Stop
	}
	return explore.Continue
}

// around makes a search one that looks around, if it is time.
func (v *verification) around(opt explore.Options) explore.Options {
	if v.stage == lookingAround {
		opt.Order, opt.Cycles, opt.OnComponent = explore.BreadthFirst, false, nil
		if opt.MaxStates == 0 || opt.MaxStates > aroundStates {
			opt.MaxStates = aroundStates
		}
	}
	return opt
}

// goesOn says that the search was none that counts: it came too deep, or has looked around in vain.
func (v *verification) goesOn() bool {
	if v.found != nil || v.assumed.Fault() != nil || v.monitor.Err() != nil || subject.Failure(v.subject.Spec) != nil {
		return false
	}
	switch v.stage {
	case tooDeep:
		v.stage = lookingAround
	case lookingAround:
		v.stage = lookedAround
	default:
		return false
	}
	return true
}
