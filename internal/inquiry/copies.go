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

// Copies uses what operations give that make a copy of the collection, Clone().
//
// Of a result of the collection's own type only nil is told from the rest, so a Clone that hands out the map of the original is as right as one that copies
// it. Who gets a copy calls its operations, beside others who call those of the original: what both share then shows.
//
// A copy may be meant to share something: an operation is no copy by its type alone, only by its name, and nobody is accused of what its documentation says.
var Copies = Rule{
	Name: "copies",
	Doc: "A type that is verified or proved, with operations that give a copy of the collection by their names (Clone, Copy, Snapshot, Dup, Fork) and their type, of which only nil is told from the rest. The operations of the copy are called by the thread that got it, beside those of the original, " +
		"in 2x3, and with one value if there are too many states. What is wrong then makes the type violated, if a copy was made; otherwise the verdict says that copies are used. It says that they are not where the operation's documentation restricts the use of the copy or says that both share something, and where nothing was decided.",
	When: func(c Case) bool { return c.right() && ofTwo(c) && len(c.Reading.GivesCopies()) > 0 }, // no proof is about what is done to a copy
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := c.Reading.GivesCopies()
		asked := withFewer(so)
		next := asked[len(so)]
		if next == min(len(names), mostOthers) {
			return Question{}, false
		}
		r, err := c.Reading.found("copies of "+names[next], func() (*find.Target, error) { return c.Reading.Copying(c.ctx, names[next]) })
		if err != nil {
			return Question{}, false
		}
		values := 0
		if slices.Contains(asked[:len(so)], next) {
			values = 1
		}
		u, err := r.within(anotherScope, values)
		return Question{Reading: r, Scope: u, Property: c.Property, Limit: Limit{States: mostForTwo, Usual: c.Verdict.Status == verdict.Proved}}, err == nil
	},
	Conclude: func(c Case, so []Answer) Case {
		names := c.Reading.GivesCopies()
		asked := withFewer(so)
		for k := range so {
			v, name := &so[k].Verdict, names[asked[k]]
			switch d, shares := c.Reading.SharesCopies(name); {
			case so[k].Err == nil && v.Violation != nil && !involves(v.Violation, name):
			case so[k].Err == nil && v.Violation != nil && shares:
				c.assume(fmt.Sprintf("the operations of what %s gives are not called beside others: as its documentation says (%s): %s", name, d.At, d.Sentence))
			case so[k].Err == nil && v.Violation != nil:
				c.accept(so[k])
				return c
			case so[k].Agrees():
				c.Verdict.Assumptions = slices.DeleteFunc(slices.Clone(c.Verdict.Assumptions), func(s string) bool { return strings.HasSuffix(s, collection.OnlyNil(name)) })
				c.assume(fmt.Sprintf("what %s gives is used by who got it, beside the original, in %s", name, inOneValue(&so[k])))
			}
		}
		return c
	},
}

// inOneValue is the scope of an answer; it says that one value is all if that is less than the scope has.
func inOneValue(a *Answer) string {
	if len(a.Question.Scope) == 1 && a.Question.Scope[0].Clients.Values == 1 {
		return a.Verdict.Scope.Name() + " with one value"
	}
	return a.Verdict.Scope.Name()
}

// assume adds to what the verdict rests on.
func (c *Case) assume(said string) {
	c.Verdict.Assumptions = append(slices.Clone(c.Verdict.Assumptions), said)
}
