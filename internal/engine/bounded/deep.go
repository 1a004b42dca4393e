// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"pangolin/internal/explore"
	"pangolin/internal/subject"
)

// A depth-first search follows one execution to its end. If a thread waits by counting (ten thousand attempts before it yields), every
// count is a state, and the search may count for hours before it finds a violation some steps from the beginning. So a search that becomes
// this deep is given up for a breadth-first search of limited size; if that finds nothing, the depth-first search starts again without this
// check.

const (
	deepWay      = 1 << 14 // more steps than an execution of a small client needs
	aroundStates = 1 << 17 // limit of the breadth-first search
)

// stage is the progress of these searches.
type stage uint8

const (
	shallow stage = iota
	tooDeep
	lookingAround
	lookedAround
)

// sinks ends a search that has become too deep for the first time.
func (v *verification) sinks(at int) explore.Action {
	if at <= deepWay || v.opt.BreadthFirst || v.opt.Laps != "" || v.space.Scope.Endless {
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

// around makes the search breadth first, if the last one was too deep.
func (v *verification) around(opt explore.Options) explore.Options {
	if v.stage == lookingAround {
		opt.Order, opt.Cycles, opt.OnComponent, opt.Checkpoints = explore.BreadthFirst, false, nil, nil
		if opt.MaxStates == 0 || opt.MaxStates > aroundStates {
			opt.MaxStates = aroundStates
		}
	}
	return opt
}

// goesOn reports whether the search must be followed by another one: it became too deep, or was the breadth-first one and found nothing.
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
