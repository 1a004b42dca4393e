// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// A type of a kind is often a struct under one lock, or one atomic word. No method proves that a heap or a cache of recently used items is what its kind promises, but that each call takes effect at one moment, with what the
// same code does alone, is proved in milliseconds (the engine sections). What one thread does is verified in a scope by the kind's oracle. Together: whatever any number of threads do with as many
// calls in all as that scope has is right, since the calls have the results that they have one after the other.

// oneThreadScopes are the configurations in which one thread is verified: each takes at most oneThreadStates, or is the last.
var oneThreadScopes = []string{"1x3", "1x4", "1x5", "1x6", "1x7", "1x8"}

const oneThreadStates = 60_000

// vacuous are assumptions of readings and engines that say nothing here: of what one thread does, that there are no data races, and of critical sections, that they wait for other calls. That a call returns alone is not among them:
// the kind's oracle lets calls wait where the protocol does, knows the kind's operations alone, and is asked of no client that ends with more removes than adds, as one does whose first remove goes round for ever.
var vacuous = []string{engine.WithoutRaces, subject.CallsMayWait}

// OneMoment asks that where prove has found no proof of what a kind promises.
var OneMoment = Rule{
	Name: "one moment",
	Doc: "No method proves what the kind's oracle promises, and no execution was found that is wrong. If it can be shown of all operations, judged by the same code run sequentially, that each is one critical section or one atomic access, and clients of one thread are verified by the " +
		"kind's oracle, with eight calls or as many as take 60,000 states, the type is proved but for what one thread does in more calls than those; the verdict names their scope.",
	When: func(c Case) bool {
		t := c.Reading.terms
		return c.Verdict.Status == verdict.Unknown && (c.Property == verdict.Linear || c.Property.IsProgress()) && (t.Engine == "prover" || t.Engine == "sections") && !t.Search.NoRaces && ofKind(c)
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) == 0 {
			return atOneMoment(c, so)
		}
		last := &so[len(so)-1]
		if len(so) > len(oneThreadScopes) || last.Err != nil || len(so) == 1 && last.Verdict.Status != verdict.Proved || len(so) > 1 && last.Verdict.Status != verdict.Verified {
			return Question{}, false
		}
		q := c.Reading.byOneThread(verdict.Linear, false)
		q.States = oneThreadStates
		if u, err := c.Reading.within(oneThreadScopes[len(so)-1], 0); err == nil {
			q.Scope = u
		}
		return q, true
	},
	Conclude: func(c Case, so []Answer) Case {
		var one *Answer
		for i := 1; i < len(so); i++ {
			switch {
			case so[i].Err == nil && so[i].Verdict.Status == verdict.Violated:
				return c.wrong(so[i], "")
			case so[i].Agrees():
				one = &so[i]
			}
		}
		if one == nil {
			return c
		}
		v, w := c.Verdict, &so[0].Verdict
		proof := *w.Proof
		proof.Alone = one.Verdict.Scope.Name()
		v.Status, v.Cause, v.Reason, v.Engine, v.Scope, v.Proof, v.LeftOut = verdict.Proved, "", "", w.Engine, w.Scope, &proof, w.LeftOut
		v.States, v.Transitions = w.States, w.Transitions
		v.Assumptions = []string{fmt.Sprintf("what one thread does is not proved: the oracle %s has verified it in %s", c.Reading.Found.Oracle, proof.Alone)}
		for i := range so {
			v.Seconds += so[i].Verdict.Seconds
		}
		for _, text := range slices.Concat(w.Assumptions, one.Verdict.Assumptions) {
			if !slices.Contains(vacuous, text) && !slices.Contains(v.Assumptions, text) {
				v.Assumptions = append(v.Assumptions, text)
			}
		}
		c.Verdict = v
		return c
	},
}

// OneMomentBeside asks the same of what verify has searched, by the kind's oracle.
var OneMomentBeside = Rule{
	Name: "one moment, beyond the scope",
	Doc: "A type is verified by its kind's oracle in the usual scope, and nothing more was proved of it. If it can be shown of all operations that each is one critical section or one atomic access, the verdict says so: " +
		"then any number of threads see what one thread sees, which is verified in the scope. With -prove off, with -races=false, and in a scope of the user's own without -prove auto nothing is asked.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && !c.Verdict.Proof.Beside() && mayProve(c) && ofKind(c)
	},
	Ask: atOneMoment,
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil || so[0].Verdict.Status != verdict.Proved {
			return c
		}
		w := so[0].Verdict
		w.Assumptions = slices.DeleteFunc(slices.Clone(w.Assumptions), func(text string) bool { return slices.Contains(vacuous, text) })
		proof := *w.Proof
		proof.By, proof.For, proof.Alone = w.Engine, w.Scope.Extent(), c.Verdict.Scope.Name()
		return c.beyond(proof, &w)
	},
}

// ofKind reports whether a type is judged by the oracle of a kind, not one of the user's, for whom any thread may call any operation.
func ofKind(c Case) bool {
	o := &c.Reading.Overrides
	return !c.Reading.itself() && o.Oracle.IsAuto() && c.Reading.roles == "" && c.Reading.Ops.ForOneThread()
}

// atOneMoment asks once whether all operations, judged by the same code, take effect at one moment each.
func atOneMoment(c Case, so []Answer) (Question, bool) {
	if len(so) > 0 {
		return Question{}, false
	}
	own, err := judgedByItself(c)
	if err != nil {
		return Question{}, false
	}
	return Question{Reading: own, Scope: own.Scopes, Property: c.Property, Limit: Limit{Moment: true}}, true
}

// judgedByItself is the reading of the type with all operations, judged by the same code.
func judgedByItself(c Case) (*Reading, error) {
	if len(c.Reading.Found.More) > 0 {
		return c.Reading.whole(c)
	}
	own, err := c.Reading.asItself(c.ctx)
	if err != nil {
		return nil, err
	}
	return own.alone(), nil
}
