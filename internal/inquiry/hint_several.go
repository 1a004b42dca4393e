// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
)

// OneByOne tries whether a type holds without its operations that are given several things at once.
//
// PutAll(m), which puts one entry after the other and lets go of the lock between them, is no operation that takes effect at one moment: others see some of its entries before the rest. Many types
// mean that, and few say so.
var OneByOne = Rule{
	Name: "one by one",
	Doc:  "A violation with a call that is given several things at once, such as PutAll(m) or DeleteAll(keys...). Does the type hold without such operations? Then they do one thing after the other, and others see some before the rest.",
	When: func(c Case) bool { return wrong(c) && len(severalAtOnce(c)) > 0 },
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		out := map[string]string{}
		for _, name := range severalAtOnce(c) {
			out[name] = "it is given several things at once"
		}
		r, err := c.Reading.found("one by one", func() (*find.Target, error) { return c.Reading.Target.Without(c.ctx, out) })
		if err != nil || len(r.Found.Operations) == 0 {
			return Question{}, false
		}
		return less(c, so, claim{reading: r, property: c.Property})
	},
	Conclude: func(c Case, so []Answer) Case {
		if !holds(so) {
			return advise(c, so, "")
		}
		var rest []string
		for i := range so[0].Reading.Found.Operations {
			rest = append(rest, so[0].Reading.Found.Operations[i].Name)
		}
		return advise(c, so, "holds with Request.Ops '"+strings.Join(rest, ",")+"', in this scope: may others see what "+strings.Join(severalAtOnce(c), " or ")+" has done in part?")
	},
}

// severalAtOnce lists the operations, called in the violation, that are given several things at once.
func severalAtOnce(c Case) (names []string) {
	for i := range c.Reading.Found.Operations {
		o := &c.Reading.Found.Operations[i]
		several := slices.ContainsFunc(o.Params, func(p collection.Param) bool { return p.Codec != nil && p.Codec.Several })
		if several && callsOf(c.Verdict.Violation.Execution, o.Name) > 0 {
			names = append(names, o.Name)
		}
	}
	return names
}
