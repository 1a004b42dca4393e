// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Variants makes the type in other ways in which users make it as well: with functions that refuse, with options, with a configuration, by another constructor.
//
// A constructor that is given a function, New(load func(key string) (int, error)), is given one first that gives the same value each time
// and no error. A cache that forgets to unlock behind an error, or gives one key's value for another, is right with it. A queue that is full only with
// New(WithMax(2)) is right without. A queue that wakes one of those who wait, be it the wrong one, is right with room for two, for three threads; with room for one it is not.
//
// The code itself judges a variant, for what a kind's oracle takes for granted, that there is always room, may not hold for it.
var Variants = Rule{
	Name: "made otherwise",
	Doc: "A type that is verified, whose constructor is given functions that give values, New(load func(key string) (int, error)), options, New(opts ...Option), or a configuration, or of which there are other constructors, NewWithTTL(ttl), or with exported fields that no method writes, MaxEntries. What was made up gives the same value each time and refuses nothing, " +
		"there are no options, and fields are not set. It is asked again, by its own code as the oracle, with all operations that were judged, or else with those of the kind, in D, and in 2x4 while that is cheap, with functions that tell their arguments apart and refuse some, with implementations of interfaces that fail, with such that give another value at each call, with the package's options, together and one by one, with the configuration's sizes, functions and flags set, and the constructor's flags, with the numbers, flags and functions set among the type's own exported fields, with room for two where the oracle of the kind is given what is never full, with room for one where it is made with room for two (then in 3x4 as well: two who wait for an item, and one who puts two), and by up to three other constructors. " +
		"A violation then is the verdict, but for a panic, unless all that was given are functions that can refuse; where functions give another value at each call, a history that no order explains is said, and is no violation, and so is what is wrong where there is no room, but for a data race and a wait for a lock that nobody gives back; with room for one, what one thread does by itself, or does not end, is none; otherwise the verdict says what was made as well, or not judged, and which fields were not set.",
	When: func(c Case) bool {
		m := &c.Reading.Found.Made
		return c.Verdict.Status == verdict.Verified && len(m.Variants)+len(m.Beyond)+len(m.Unset) > 0 && c.Reading.Overrides.New == "" && c.Reading.Overrides.Prefix == "" && !c.Reading.terms.Strict
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		tried := c.variants(so)
		for i := range tried {
			if t := &tried[i]; t.answer != nil && t.wrong() {
				return Question{}, false
			}
		}
		for i := range tried {
			if t := &tried[i]; t.next != nil {
				r, err := t.next.madeBy(c, t.New)
				if err != nil {
					return Question{}, false
				}
				b := r.bounds
				if b.Config, b.Beside = "D", besideVariants; t.Small {
					b.Beside = besideSmall
				}
				scope, err := b.Scopes(r.Ops)
				return Question{Reading: r, Scope: scope, Property: c.Property, Limit: Limit{States: mostVaried}}, err == nil
			}
		}
		return Question{}, false
	},
	Conclude: func(c Case, so []Answer) Case {
		m := &c.Reading.Found.Made
		var open, scopes, apart, full, handlers []string // D within the user's bounds, and 2x4 for some
		unset := slices.Clone(m.Unset)
		right := map[string][]string{}
		tried := c.variants(so)
		for i := range tried {
			t := &tried[i]
			switch {
			case t.answer == nil || t.answer.Err != nil:
				open, unset = append(open, t.New), append(unset, t.Sets...)
				continue
			case t.wrong():
				c.accept(*t.answer)
				return c
			}
			switch v := &t.answer.Verdict; {
			case unlike(t.Variant, t.answer):
				apart = append(apart, t.New)
			case t.Full && v.Violation != nil && !panicked(v.Violation): // else it must not be given more than it has room for
				full = append(full, fmt.Sprintf("%s of Request.New '%s', Request.Oracle self", v.Violation.Class, t.New))
			case v.Status == verdict.Verified:
				in := v.Scope.Name() + " by its own code"
				if len(t.without) > 0 {
					in += ", without " + strings.Join(t.without, ", ")
				}
				if right[in] = append(right[in], t.New); len(right[in]) == 1 {
					scopes = append(scopes, in)
				}
				handlers = append(handlers, t.Handlers...)
				if len(t.without) == 0 { // it executes the same functions
					c.Verdict.NotExecuted, c.Verdict.NotCalled = verdict.NotExecutedIn(&c.Verdict.Findings, &v.Findings)
				}
			default:
				open, unset = append(open, t.New), append(unset, t.Sets...)
			}
		}
		open = append(open, m.Beyond...)
		assume := func(text string, list []string) {
			if len(list) > 0 {
				c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), text+strings.Join(list, "; "))
			}
		}
		c.Verdict.SayUnexecuted()
		for _, in := range scopes {
			assume("it may be made otherwise, and is right so in "+in+": ", right[in])
		}
		assume("it may be made otherwise, which is not judged: ", open)
		assume("exported fields that users may set are not set: ", unset)
		if slices.Sort(handlers); len(handlers) > 0 && !slices.ContainsFunc(c.Verdict.Assumptions, func(a string) bool { return strings.Contains(a, " are not observed, and do not call back") }) {
			assume(collection.NotObserved(slices.Compact(handlers)), []string{""})
		}
		assume("it is given functions that give the same at each call: where each gives another value, no order of the calls explains the results: ", apart)
		assume("it is not right where it is full, if that is allowed: several threads do what its own code, run by one, does not: ", full)
		return c
	},
}

// varied is a variant with what is known of it.
type varied struct {
	collection.Variant
	answer  *Answer  // the last one about it; nil: it was not asked
	without []string // operations that the answer is not about, and that the type has
	next    *Reading // how the type is read in the next question about it; nil: there is none
}

// variants are the variants of a case, given the answers so far. Each is asked with all operations that Whole has judged, and if that is not decided, or Whole
// has judged none, with those of the kind.
func (c Case) variants(so []Answer) (list []varied) {
	var readings []*Reading
	if c.All != nil {
		readings = append(readings, c.All)
	}
	readings = append(readings, c.Reading)
	for _, v := range c.Reading.Found.Made.Variants {
		t := varied{Variant: v}
		for _, r := range readings {
			if t.answer != nil && (t.answer.Err == nil && t.answer.Verdict.Status != verdict.Unknown) {
				break
			}
			if len(so) == 0 {
				t.next = r
				break
			}
			t.answer, so = &so[0], so[1:]
			if t.without = nil; r == c.Reading {
				t.without = r.Found.More
			}
		}
		list = append(list, t)
	}
	return list
}

// wrong reports whether an answer about a variant is the type's own fault.
func (t *varied) wrong() bool {
	v := t.answer.Verdict.Violation
	switch {
	case t.answer.Err != nil || v == nil || unlike(t.Variant, t.answer):
		return false
	case t.Full:
		return (v.Class == "race" || forLock(v)) && !panicked(v)
	case fails(t.Variant, t.answer), t.Small && (v.Class == "nontermination" || alone(v)): // what never has room for anything
		return false
	}
	return t.Refuses || v.Class != "panic"
}

// unlike reports whether an answer says that two calls together do otherwise than one after the other only because what a function gives has changed in between: one that loads is called
// twice where one call would do, or what was loaded first is stored last. Whether that is a fault depends on what the function is.
func unlike(v collection.Variant, a *Answer) bool {
	return v.Changes && a.Err == nil && a.Verdict.Violation != nil && (a.Verdict.Violation.Class == "history" || a.Verdict.Violation.Class == "panic")
}

// fails reports whether the violation of an answer may be the fault of a stand-in that fails, which the variant gives the constructor.
func fails(v collection.Variant, a *Answer) bool {
	return v.MadeUp && !itsOwn(a.Verdict.Violation, a.Reading)
}

// itsOwn reports whether a violation with a stand-in that fails is the type's own doing: a data race, a wait for a lock that nobody gives back, or a wrong result, unless the stand-in has a method of the sort that givesAgain finds. An
// endless execution, a panic and any other wait may be the fault of the stand-in: another implementation might not have failed there.
func itsOwn(v *verdict.Violation, r *Reading) bool {
	switch v.Class {
	case "race":
		return true
	case "history":
		return givesAgain(r.Found.Made.StandIns) == ""
	}
	return forLock(v)
}

// forLock reports whether all that wait in what is wrong wait for a lock that nobody gives back.
func forLock(v *verdict.Violation) bool {
	return v.Class == "deadlock" && v.Execution != nil && len(v.Execution.Waiting) > 0 && !slices.ContainsFunc(v.Execution.Waiting, func(s verdict.Situation) bool {
		return s.For != "sync.Mutex.Lock" && s.For != "sync.RWMutex.Lock" && s.For != "sync.RWMutex.RLock"
	})
}

// panicked reports whether a call panics in what is wrong.
func panicked(v *verdict.Violation) bool {
	return v.Class == "panic" || v.Execution == nil || slices.ContainsFunc(v.Execution.History, func(e verdict.Event) bool { return e.Panicked })
}

// besideVariants is searched beside D as far as that is cheap: what is given room for two is full for two calls behind two others.
var besideVariants = []string{"2x4"}

// besideSmall is searched, as far as that is cheap, where there is room for one: two who wait for an item, and one who puts two.
var besideSmall = []string{"3x4"}

// alone reports whether one thread by itself does what is wrong.
func alone(v *verdict.Violation) bool {
	return v.Execution == nil || !slices.ContainsFunc(v.Execution.History, func(e verdict.Event) bool { return e.Thread != v.Execution.History[0].Thread })
}

// mostVaried limits the states of one question.
const mostVaried = 1 << 17

// madeBy is the reading of the same type, made by another expression and judged by its own code.
func (r *Reading) madeBy(c Case, expr string) (*Reading, error) {
	if !r.itself() {
		own, err := r.asItself(c.ctx)
		if err != nil {
			return nil, err
		}
		r = own
	}
	return r.found("made by "+expr, func() (*find.Target, error) { return r.Target.Made(c.ctx, expr) })
}
