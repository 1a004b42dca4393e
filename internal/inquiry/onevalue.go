// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import "pangolin/verdict"

// manyClients is the number of clients beyond which OneValue asks: of types with some ten operations.
const manyClients = 1 << 20

// OneValue searches the usual scope with one value first where it has so many clients that the search hardly ends.
var OneValue = Rule{
	Name: "one value",
	Doc: "A type with twenty operations that take items, keys or numbers has millions of clients in the usual scope, most of which differ in values alone, and a limit comes first. A data race mostly needs no second value. " +
		"So D is searched with one value before: what is wrong there is wrong in D. That it is right there is no verdict, and is not told.",
	Before: true,
	When: func(c Case) bool {
		if !c.open() || !c.Reading.usual || !c.Reading.itself() {
			return false
		}
		counted, err := c.Question.Scope.Asked()[:1].Count(c.Reading.Ops, false)
		if err != nil {
			return false
		}
		n, err := counted.Count.Int64()
		return err != nil || n > manyClients
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		b := c.Reading.bounds
		b.Config, b.Values = "D", 1
		scope, err := b.Scopes(c.Reading.Ops)
		if err != nil || len(so) > 0 {
			return Question{}, false
		}
		scope[0].Large = true // fewer threads or calls are searched in place of what does not end either
		return Question{Reading: c.Reading, Scope: scope, Property: c.Property}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 1 && so[0].Err == nil && so[0].Verdict.Status == verdict.Violated {
			c.Answer = so[0]
		}
		return c
	},
}
