// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "pangolin/verdict"

// Forgotten looks for calls that are not woken where calls wait in turn.
//
// A semaphore that wakes one call for each Release forgets the second of two who wait for one unit each, if two are given back at once. That takes three threads and four calls:
// one holds and gives back, two wait. The usual scope has three calls for so many threads.
var Forgotten = Rule{
	Name: "forgotten",
	Doc: "A type that is verified with calls that wait in turn (rule \"in turn\"). Clients of three threads with four calls are searched, in which one of two who wait can be forgotten, unless the verdict's scope has such. " +
		"What is wrong with them makes the type violated; otherwise the verdict says that they were searched, or that they have too many states.",
	When: func(c Case) bool {
		v := &c.Verdict
		if v.Status != verdict.Verified || !c.Reading.Overrides.InTurn || v.Scope.Bounds == nil || !c.Reading.usual {
			return false
		}
		for _, b := range append([]verdict.Bounds{*v.Scope.Bounds}, v.Scope.And...) {
			if b.Threads[1] > 2 && b.Steps[1] > 3 {
				return false
			}
		}
		return true
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		u, err := c.Reading.within(forgottenScope, 0)
		return Question{Reading: c.Reading, Scope: u, Property: c.Property, Limit: Limit{States: mostForgotten}}, err == nil && len(so) == 0
	},
	Conclude: func(c Case, so []Answer) Case {
		switch {
		case len(so) == 1 && so[0].Err == nil && so[0].Verdict.Violation != nil:
			c.accept(so[0])
		case len(so) == 1 && so[0].Agrees():
			c.assume("nobody who waits in turn is forgotten by three threads with four calls (" + forgottenScope + ")")
		default:
			c.assume("whether one of several who wait in turn is forgotten was not decided: three threads with four calls (" + forgottenScope + ") have too many states")
		}
		return c
	},
}

const (
	forgottenScope = "3x4"
	mostForgotten  = 1 << 17 // states
)
