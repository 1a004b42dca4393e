// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"cmp"
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Lent asks whether it matters which object a pool gives.
//
// By its own code, run by one thread, a pool gives the object that was given back last. One whose Get tries the lock of a shard, and makes a new
// object if it cannot have it, may give another one, and nothing is wrong with that. Where two callers have the same object at a time, though no order of the
// calls would give it to both, the pool is wrong.
var Lent = Rule{
	Name:    "lent",
	Excuses: true,
	Doc: "A violation of a type that lends objects and takes them back, as a pool does, in which no two callers have the same object at a time. The same scope is searched without counting which object it is that " +
		"an operation gives, and clients of the violation's size by themselves if their scope was too large; what comes of that is the verdict, and says so. Where two callers have the same object at a time, though by the type's own code, run by one thread, they would not, the violation stays.",
	When: func(c Case) bool {
		v := c.Verdict.Violation
		return v != nil && v.Execution != nil && v.Class == "history" && c.Reading.itself() && c.Reading.Found.Lends && !c.Reading.Overrides.AnyLent && !twoHave(v.Execution, c.Reading.Found)
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.found("lent", func() (*find.Target, error) { return c.Reading.AnyLent(c.ctx) })
		switch {
		case err != nil || len(so) > 1 || len(so) == 1 && (so[0].Err != nil || c.excused(&so[0])):
			return Question{}, false
		case len(so) == 1: // a scope that holds the violation was dropped at its limit
			u, err := r.within(fmt.Sprintf("%dx%d", busy(c), len(c.Verdict.Violation.Execution.History)), 0)
			return Question{Reading: r, Scope: u, Property: c.Property, Limit: Limit{States: mostLent}}, err == nil
		}
		return Question{Reading: r, Scope: c.excusing(r), Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		switch {
		case len(so) == 0 || so[0].Err != nil:
		case len(so) == 2 && so[1].Err == nil && so[1].Verdict.Status == verdict.Violated:
			c.accept(so[1])
		default: // if the size of the violation is too large to search, the verdict's scope says so
			c.accept(so[0])
		}
		return c
	},
}

// mostLent limits the states of the question about clients of exactly the size of the violation's.
const mostLent = 1 << 18

// twoHave reports whether an operation gives an object to a thread while one has it: that of an earlier call which has returned, and that
// is not given back by a call which has begun. A thread gives back what it got last.
func twoHave(w *verdict.Witness, found *collection.Collection) bool {
	type change struct {
		step, thread int
		given        string // "": the latest one is given back
	}
	var changes []change
	for i := range w.History {
		e := &w.History[i]
		at := slices.IndexFunc(found.Operations, func(o collection.Operation) bool { return o.Name == e.Operation })
		if at < 0 {
			continue
		}
		for range found.Operations[at].TakenBack() {
			changes = append(changes, change{step: e.Invoked, thread: e.Thread})
		}
		if e.Responded == 0 {
			continue
		}
		for _, number := range found.Operations[at].GivenIn(e.Results) {
			changes = append(changes, change{step: e.Responded, thread: e.Thread, given: number})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.step, b.step) })
	has := map[int][]string{}
	for _, c := range changes {
		if c.given == "" {
			has[c.thread] = has[c.thread][:max(0, len(has[c.thread])-1)]
			continue
		}
		for _, objects := range has {
			if slices.Contains(objects, c.given) {
				return true
			}
		}
		has[c.thread] = append(has[c.thread], c.given)
	}
	return false
}
