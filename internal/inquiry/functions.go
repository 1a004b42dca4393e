// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/find"
	"pangolin/verdict"
)

// What operations that are given functions may do with them is judged leniently if the strict way finds a violation of a type
// that is its own oracle, and the leniency shows when an operation is called alone.

// orderOfOwn says that a type that is its own oracle is violated because no order of all calls explains the results.
func orderOfOwn(c Case) bool {
	return c.Verdict.Violation != nil && c.Verdict.Violation.Class == "history" && c.Reading.itself()
}

// Again compares the last calls of functions.
//
// A method that computes a new value from an old one with a function that it is given calls it
// again if the old value has changed meanwhile; alone it calls it once at most. Which calls
// were in vain nobody asks, so the last one is compared, whoever makes it: a method that calls a
// function though another call has done so already is still wrong.
var Again = Rule{
	Name: "called again",
	Doc: "All calls of the functions that operations are given, Update(f), make a violation, and alone each operation calls them once at most. Then " +
		"those in vain do not count: of the calls the last one is compared.",
	When: func(c Case) bool {
		return orderOfOwn(c) && len(c.Reading.Overrides.Again) == 0 && len(onceAlone(c)) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		names := onceAlone(c)
		r, err := c.Reading.found("again "+strings.Join(names, ","), func() (*find.Target, error) { return c.Reading.Target.Again(c.ctx, names) })
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		r = r.quietly(fmt.Sprintf("%s may call a function that it is given again, in vain, if others come in between", strings.Join(names, ", ")))
		return Question{Reading: r, Scope: r.Scopes, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 1 && so[0].Err == nil {
			c.Answer, c.Facts = so[0], nil
		}
		return c
	},
}

// onceAlone lists the operations that are given functions with results and call them once at most
// if they are alone.
func onceAlone(c Case) (names []string) {
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		if !o.Computes() {
			continue
		}
		once, err := c.Facts.CallsOnce(i)
		if err != nil {
			return nil
		}
		if once {
			names = append(names, o.Name)
		}
	}
	return names
}

// Agreeing gives operations functions that agree.
//
// A method that runs a function that it is given, to share the result with others who call it at the
// same time, gives some of them what another one's function returns. One call at a time
// gives each the result of its own, so that no order of the calls explains different ones. Such a
// method is made for callers whose functions agree: with the same arguments they give the
// same. Whether a method is of this sort shows when it is called alone, twice: if the
// second call gives what its own function returns, nobody keeps what the first one gave.
var Agreeing = Rule{
	Name: "functions agree",
	Doc: "Calls at the same time share the result of one function, Do(f), and called alone each gives that of its own. Then the functions that it is given " +
		"return the same.",
	When: func(c Case) bool {
		return orderOfOwn(c) && !c.Reading.Overrides.Agreeing && len(sharing(c)) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.found("agreeing", func() (*find.Target, error) { return c.Reading.Target.Agreeing(c.ctx) })
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		r = r.quietly(fmt.Sprintf("functions given to %s return the same: calls at the same time share one result", sharing(c)[0]))
		return Question{Reading: r, Scope: r.Scopes, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 1 && so[0].Err == nil && so[0].Verdict.Status != verdict.Unknown {
			c.Answer, c.Facts = so[0], nil
		}
		return c
	},
}

// sharing lists the operations that are given functions without arguments, and whose results, of
// calls one after the other, are those of their own functions.
func sharing(c Case) (names []string) {
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		at := slices.IndexFunc(o.Call.Args, func(arg int) bool { return o.Call.Params[arg].Produces() })
		if at < 0 {
			continue
		}
		own, err := c.Facts.OwnResult(i, at)
		if err != nil || !own {
			return nil
		}
		names = append(names, o.Name)
	}
	return names
}
