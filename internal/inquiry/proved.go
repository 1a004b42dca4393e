// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Bounds of the searches behind a proof: of all operations where some are proved, for wrong results and for calls that do not return; of those that
// are proved, for calls that do not return.
const besideStates, besideProgress, beyondStates = 1 << 18, 1 << 20, 1 << 16

// Beside asks about all operations of a type of which a proof covers those that its kind has.
//
// A proof of Push and Pop says nothing of a Walk that reads without the lock. No engine that proves can judge Walk, so all operations
// together are searched as verify does it, by their own code run sequentially, in the usual scope.
var Beside = Rule{
	Name: "beside a proof",
	Doc: "The operations of the kind are proved, and the type has others. All together are searched by the usual engine, judged by the same code run sequentially, " +
		"and once more for progress where lock-free, obstruction-free or wait-free was asked: " +
		"what is violated, such as by a data race, is the verdict, and otherwise the proof says how far the others were looked at.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Proved && !c.Verdict.Proof.OneMoment() && len(c.Reading.Found.More) > 0 && hasMore(c)
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.whole(c)
		if err != nil {
			return Question{}, false
		}
		q := Question{Reading: r, Scope: r.Scopes.Asked(), Property: c.Property, Limit: Limit{Usual: true, States: besideStates}}
		switch {
		case len(so) == 0 && c.Property.IsProgress():
			q.Property = verdict.Linear
		case len(so) == 1 && so[0].Verdict.Status == verdict.Verified && c.Property.IsProgress() && c.Property != verdict.DeadlockFree:
			q.Limit.States = besideProgress // the oracle self lets a call wait for another one for ever, so results tell nothing of that
		case len(so) > 0:
			return Question{}, false
		}
		return q, true
	},
	Conclude: func(c Case, so []Answer) Case {
		v, names := c.Verdict, strings.Join(c.Reading.Found.More, ", ")
		switch {
		case len(so) == 0 || so[0].Err != nil:
			leaveOut(&v, c.Reading.Found.More, "cannot be judged")
		case so[len(so)-1].Verdict.Status == verdict.Violated:
			return c.wrong(so[len(so)-1], fmt.Sprintf("proved without %s, %s", names, v.Scope.Extent()))
		case so[0].Verdict.Status == verdict.Unknown:
			leaveOut(&v, c.Reading.Found.More, "could not be judged: "+so[0].Verdict.Reason)
		default:
			what := fmt.Sprintf("%s: no part of the proof; verified with all other operations in %s, judged by the same code run sequentially",
				names, so[0].Verdict.Scope.Name())
			switch {
			case !c.Property.IsProgress():
			case len(so) > 1 && so[1].Err == nil && so[1].Verdict.Status == verdict.Verified:
				what += fmt.Sprintf(", and %s with them in %s", c.Property, so[1].Verdict.Scope.Name())
			default:
				what += fmt.Sprintf("; whether it is %s with them was not decided", c.Property)
			}
			v.Assumptions = append(v.Assumptions, what)
		}
		c.Verdict = v
		return c
	},
	Within: []Rule{Agreeing},
}

// Unproved searches for what no proof of results is about: calls that never return, and broken invariants.
//
// It has two turns: behind the question, so that what it finds is looked at by the rules that look at violations, and behind these, which may take another reading.
var Unproved = Rule{
	Name: "beyond a proof",
	Doc: "A type is proved, by an engine that does not know whether its calls return or whether its invariants are true. The usual engine searches the scope of the flags (65,536 states at most, 262,144 with invariants): " +
		"a deadlock, an execution without end or a broken invariant is the verdict, and otherwise the proof says where they were looked for. If no call returned there, or nothing was done, nothing is known of the type, as for the rule vacuous, and the verdict is unknown. Where a proof by one moment is about calls that return, or about operations that the kind has not, all are judged by the same code.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Proved && (!c.Property.IsProgress() || slices.Contains(c.Verdict.Assumptions, verdict.ReturnsAlone) || len(c.Reading.Found.Invariants) > 0) &&
			!slices.ContainsFunc(c.Verdict.Assumptions, func(text string) bool { return strings.Contains(text, noPart) })
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		property := c.Property
		if property.IsProgress() { // while which no invariant is looked at
			property = verdict.Linear
		}
		l := Limit{Usual: true, States: beyondStates}
		if len(c.Reading.Found.Invariants) > 0 {
			l.States = besideStates
		}
		r := c.Reading
		if c.Verdict.Proof.OneMoment() && (c.Property.IsProgress() || len(r.Found.More) > 0) { // the kind's oracle may let calls wait, and does not know all operations
			own, err := judgedByItself(c)
			if err != nil {
				return Question{}, false
			}
			r = own
		}
		return Question{Reading: r, Scope: r.Scopes.Asked(), Property: property, Limit: l}, len(so) == 0
	},
	Conclude: func(c Case, so []Answer) Case {
		v := c.Verdict
		if len(so) == 0 {
			return c
		}
		if so[0].Err == nil && so[0].Verdict.Status == verdict.Violated {
			was, hint := c.Question, "its results are proved, "+v.Scope.Extent() // the question is asked again where a rule takes another reading
			if x := so[0].Verdict.Violation; v.Proof.OneMoment() || x != nil && (x.Class == "history" || x.Class == "race") {
				hint = "" // of one thread's results no more is known than its scope; or the violation is about results or a race, which the proof excludes, so the hint would contradict it
			}
			c = c.wrong(so[0], hint)
			c.Question = was
			return c
		}
		if why := empty(c, so[0]); why != "" {
			return c.withdrawn(why, so[0].Verdict.Scope)
		}
		looked := "verified in " + so[0].Verdict.Scope.Name()
		switch w := &so[0].Verdict; {
		case so[0].Err != nil:
			looked = "cannot be asked: " + so[0].Err.Error()
		case w.Status != verdict.Verified:
			looked = "not decided: " + w.Reason
		}
		v.Assumptions = slices.Clone(v.Assumptions)
		if v.Engine == "sections" { // what it proves waits for no other call
			v.Assumptions = slices.DeleteFunc(v.Assumptions, func(text string) bool { return text == subject.CallsMayWait })
		}
		say := func(was, what string) {
			if text, at := what+noPart+looked, slices.Index(v.Assumptions, was); at >= 0 {
				v.Assumptions[at] = text
			} else {
				v.Assumptions = append(v.Assumptions, text)
			}
		}
		if !c.Property.IsProgress() {
			say(engine.OfEnds("")[0], "that calls return")
		} else if slices.Contains(v.Assumptions, verdict.ReturnsAlone) {
			say(verdict.ReturnsAlone, "that "+verdict.ReturnsAlone)
		}
		for _, i := range c.Reading.Found.Invariants {
			say(i.Unasked(), fmt.Sprintf("that the invariant %s is true %s", i.Name, i.When()))
		}
		c.Verdict = v
		return c
	},
}

// noPart stands, in an assumption of a proof, between what the proof is not about and where that was looked at.
const noPart = " is no part of the proof: "

// AlsoProved asks a proof of what is verified in the usual scope.
//
// The verdict stays the one of the scope, because a search sees what no proof is about: deadlocks, endless executions, leaks, invariants.
var AlsoProved = Rule{
	Name: "also proved",
	Doc: "A type is verified in the usual scope. If it can be shown with few views that its operations return what they should, without a panic or a data race, for any " +
		"number of threads, the verdict says so, unless it is for as few calls in all as the search has seen (2,500 views, and one more for a hundred states of the search, 4,000 at most: -prove auto). " +
		"With -prove off, with -races=false, and in a scope of the user's own without -prove auto nothing is asked.",
	When: func(c Case) bool {
		return c.Verdict.Status == verdict.Verified && mayProve(c) && !c.Reading.Overrides.Together // a proof would be about these values alone
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		l := Limit{Proof: true, States: min(mostViews, fewestViews+c.Verdict.Searched()/statesAView)}
		return Question{Reading: c.Reading, Scope: c.Reading.Scopes, Property: c.Property, Limit: l}, len(so) == 0
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil || so[0].Verdict.Status != verdict.Proved {
			return c
		}
		w := &so[0].Verdict
		if slices.ContainsFunc(w.Scope.Limits, func(l verdict.Limit) bool { return len(l.Operations) > 0 && seen(c, l) }) {
			return c
		}
		proof := *w.Proof
		proof.By, proof.For = w.Engine, w.Scope.Extent()
		more := append(slices.Clone(c.Reading.Found.More), takenAnother(c)...)
		if !slices.ContainsFunc(c.Reading.Found.Operations, func(o collection.Operation) bool { return !slices.Contains(more, o.Name) }) {
			return c // all take more, such as contexts that are cancelled, than the proof is about
		}
		if len(more) > 0 {
			proof.For = "without " + strings.Join(more, ", ") + ", " + proof.For
		}
		return c.beyond(proof, w)
	},
}

// beyond adds to what is verified in a scope a proof that goes beyond it, of a verdict: with what it rests on and the search has not looked for.
func (c Case) beyond(proof verdict.Proof, of *verdict.Verdict) Case {
	known := engine.OfEnds("")
	for _, i := range c.Reading.Found.Invariants {
		known = append(known, i.Unasked())
	}
	for _, text := range of.Assumptions {
		if !slices.Contains(known, text) && !slices.Contains(c.Verdict.Assumptions, text) {
			proof.Assumptions = append(proof.Assumptions, text)
		}
	}
	c.Verdict.Proof = &proof
	c.Verdict.Seconds += of.Seconds
	return c
}

// mayProve reports whether a proof may be asked of what verify has searched.
func mayProve(c Case) bool {
	t, o := c.Reading.terms, &c.Reading.Overrides
	return c.Property == verdict.Linear && t.Engine == "" && (t.Prove == "auto" || t.Prove == "" && !t.Scope) && !t.Search.NoRaces &&
		o.Agreeing == 0 && len(o.Again) == 0 && !c.Facts.StartsGoroutines() // no engine that proves treats these
}

// seen reports whether a search has seen executions with as many calls as a limit of a proof allows. Any number of calls that few threads make beside
// other scopes (D+2xany) do not count, because the proof is about any number of threads.
func seen(c Case, l verdict.Limit) bool {
	most, err := strconv.Atoi(l.Value)
	bounds := c.Verdict.Scope.And
	if b := c.Verdict.Scope.Bounds; b != nil {
		bounds = append([]verdict.Bounds{*b}, bounds...)
	}
	return err != nil || slices.ContainsFunc(bounds, func(b verdict.Bounds) bool { return b.Endless && len(bounds) == 1 || b.Steps[1] >= most })
}

// Limits of the views of a proof that nobody asked for.
const (
	fewestViews, mostViews = 2500, 4000
	statesAView            = 100 // of the search, for each further view
)
