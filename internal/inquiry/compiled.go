// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
)

// CompiledRules are the rules for an engine that executes code as gc compiles it (engine.Engine.Compiled). Others ask the machine.
func CompiledRules() []Rule { return []Rule{NotThatKind} }

// NotThatKind judges a type by its own code where one thread contradicts what it was taken for.
var NotThatKind = Rule{
	Name: "not that kind",
	Doc: "One thread contradicts the kind that names suggest, and neither the user nor the type's name claims it: its own code, run " +
		"sequentially, is the oracle.",
	When: func(c Case) bool {
		b := c.Verdict.Violation
		if b == nil || b.Execution == nil || b.Execution.Threads != 1 || !c.Reading.Guessed() || c.Reading.Called() != nil {
			return false
		}
		_, differs := disagrees(&c.Verdict)
		return (differs || b.Class == "deadlock") && contradicts(c.Reading, &c.Verdict) == ""
	},
	Conclude: func(c Case, _ []Answer) Case {
		r, err := c.Reading.asItself(c.ctx)
		if err != nil {
			return c
		}
		was := c.Reading.Found.Kind
		return c.take(r.unlike(was), fmt.Sprintf("one thread contradicts the kind %s (%s), so only the code itself judges it", was, c.Verdict.Violation.Client))
	},
}
