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

// Another calls operations that take a collection of their own type, a.Merge(b), on two of them.
//
// A verdict is about one collection, so such an operation is none of it. Two of them show what goes wrong between them: that a.Merge(b) and b.Merge(a)
// wait for each other's lock, that Merge reads b without its lock. Whether Merge is one step of both is not asked of a type: one that takes a copy of b
// first and adds its elements to a then is rarely meant to be, so a history that no order explains is said, and is no violation.
//
// Nobody is accused of what two collections made alike meet and others do not. A type that may keep another one of itself, as a tree keeps its children,
// is not asked: two that are each other's parent are their user's fault. Nor is one whose operations have roles, or are excused in another way: what
// these mean for two is not known. A deadlock is none of a type that puts its objects in an order, for users make them unlike. And documentation may say
// that nobody else may use b meanwhile, or the name of what is filled: CopyTo(dst).
var Another = Rule{
	Name: "another one",
	Doc: "A type that is verified, with operations that take a collection of their own type, a.Merge(b), which are left out of it. Two collections are made; each call is on one of them, and Merge " +
		"is given the other one. A deadlock, a race, a panic or an endless execution of two threads makes the type violated; results that no order explains are said. " +
		"If two have too many states, one call less is searched. If nothing is wrong the operation is no more among those that are left out, and a proof says that it is without it. Nothing is asked of a type that may keep another one of itself, as a tree does, nor where roles or excuses restrict its use. " +
		"The operation stays left out, and no violation is told, if its documentation restricts the use of the other one, if a race is about what it fills by its name (CopyTo(dst)), or if they wait for each other and the package puts objects of the type in an order (x.id < y.id), which two that are made alike have not.",
	When: func(c Case) bool { return c.Verdict.Status == verdict.Verified && ofTwo(c) && len(takesAnother(c)) > 0 },
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := takesAnother(c)
		asked := withFewer(so)
		next, scope := asked[len(so)], anotherScope
		if slices.Contains(asked[:len(so)], next) {
			scope = fewerForAnother
		}
		if next == min(len(names), mostOthers) {
			return Question{}, false
		}
		r, err := c.Reading.withAnother(c, names[next])
		if err != nil {
			return Question{}, false
		}
		u, err := r.within(scope, 0)
		return Question{Reading: r, Scope: u, Property: c.Property, Limit: Limit{States: mostForTwo}}, err == nil
	},
	Conclude: func(c Case, so []Answer) Case {
		names := takesAnother(c)
		leftOut := func(at int, why string) {
			c.Verdict.LeftOut = slices.Clone(c.Verdict.LeftOut)
			leaveOut(&c.Verdict, names[at:at+1], fmt.Sprintf("takes another %s, %s", c.Reading.Found.Type, why))
		}
		asked := withFewer(so)
		for k := range so {
			v, i := &so[k].Verdict, asked[k]
			var said string
			switch {
			case v.Violation != nil && !involves(v.Violation, names[i]):
				continue
			case v.Violation != nil && v.Violation.Class != "history":
				if d, restricted := c.Reading.RestrictsAnother(names[i]); restricted {
					said = fmt.Sprintf("%s is not judged with another %s: as its documentation says (%s): %s", names[i], c.Reading.Found.Type, d.At, d.Sentence)
					break
				}
				if v.Violation.Class == "race" && c.Reading.FillsAnother(names[i]) {
					leftOut(i, "which it fills, and which is its caller's alone by its name")
					continue
				}
				if apart, err := c.Reading.TellsApart(); v.Violation.Class == "deadlock" && (apart || err != nil) {
					leftOut(i, "and what two that differ in their order do is not known")
					continue
				}
				c.accept(so[k])
				return c
			case v.Violation != nil:
				said = fmt.Sprintf("%s, given another %s, is no single step of both: two of them show a history that no order explains (Request.Give '%[1]s=%[3]s', Request.Kind object)", names[i], c.Reading.Found.Type, collection.Another)
			case so[k].Agrees():
				said = fmt.Sprintf("%s is given another %s in clients of two of them, in %s", names[i], c.Reading.Found.Type, v.Scope.Name())
				c.Verdict.LeftOut = slices.DeleteFunc(slices.Clone(c.Verdict.LeftOut), func(l verdict.LeftOut) bool { return l.Operation == names[i] })
			case metLimit(&so[k]) && (k+1 == len(so) || asked[k+1] != i):
				leftOut(i, "of which two have too many states")
				continue
			default:
				continue
			}
			c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), said)
		}
		return c
	},
}

// Two threads with three calls in all show two collections that wait for each other, and one that is read while it changes. Each of mostOthers operations
// may take mostForTwo states. Where these are not enough, two calls show the first, and what is read of the other one without its lock.
const (
	anotherScope    = "2x3"
	fewerForAnother = "2x2"
	mostOthers      = 4
	mostForTwo      = 1 << 16
)

// metLimit reports whether a question about two collections has met its limit.
func metLimit(a *Answer) bool {
	return a.Err == nil && a.Verdict.Status == verdict.Unknown && a.Verdict.Cause == verdict.Limited
}

// withFewer are the indexes of the operations that questions were about, and of the one that the next is about: the same once more where the first has met its limit.
func withFewer(so []Answer) []int {
	asked := make([]int, 1, len(so)+1)
	for k := range so {
		next := asked[k] + 1
		if metLimit(&so[k]) && !slices.Contains(asked[:k], asked[k]) {
			next--
		}
		asked = append(asked, next)
	}
	return asked
}

// ofTwo reports whether more may be asked about two of a type that is right.
func ofTwo(c Case) bool {
	o := &c.Reading.Overrides
	return c.Property == verdict.Linear && len(o.Given) == 0 && len(o.Ops) == 0 && o.Oracle.IsAuto() && !c.Reading.terms.Strict &&
		c.Reading.roles == "" && !o.Paired && !o.Careful && !o.Cancelled && !o.InTurn && !o.AnyWait && !o.AnyLent && len(o.MayFail) == 0
}

// involves reports whether an operation is called in a violation.
func involves(v *verdict.Violation, operation string) bool {
	w := v.Execution
	return w == nil || callsOf(w, operation) > 0 || slices.ContainsFunc(w.Waiting, func(s verdict.Situation) bool { return s.Operation == operation })
}

// withAnother is the reading of two collections, of which an operation is given the other one.
func (r *Reading) withAnother(c Case, operation string) (*Reading, error) {
	return r.found("another for "+operation, func() (*find.Target, error) { return r.Target.WithAnother(c.ctx, operation) })
}

// takenAnother lists the operations that were called on two collections, and are part of the verdict so.
func takenAnother(c Case) []string {
	return slices.DeleteFunc(takesAnother(c), func(name string) bool {
		return slices.ContainsFunc(c.Verdict.LeftOut, func(l verdict.LeftOut) bool { return l.Operation == name })
	})
}

// takesAnother lists the methods that are no operations because they take a collection of their own type, and can be given one. There are none if
// the type may keep it.
func takesAnother(c Case) (names []string) {
	if c.Reading.KeepsAnother() {
		return nil
	}
	bare, _, _ := strings.Cut(c.Reading.Found.Type, "[")
	for _, s := range c.Reading.Found.Skipped {
		if s.Why != "takes "+collection.AnotherOf(bare) {
			continue
		}
		if _, err := c.Reading.withAnother(c, s.Name); err == nil { // it takes a pointer
			names = append(names, s.Name)
		}
	}
	return names
}
