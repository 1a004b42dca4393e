// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"cmp"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/task"
)

// The types of those fields of a request whose text has a structure. The text is the same in Go, on the command line, in directives and in
// JSON, so that a constant can be written ("1..3"). Each is parsed in one place, here; other packages get ranges, reductions, properties
// and oracles, and no text.

// Range is "a..b" or "b"; "" is none.
type Range string

// AnySteps is any number of calls.
const AnySteps Range = "any"

// read parses the range; nil if there is none.
func (r Range) read() (*engine.Range, error) { return engine.ParseRange(string(r)) }

// Reduce is names of reductions separated by commas; "" and "all" are all, "none" is none.
type Reduce string

func (r Reduce) read() (engine.Reductions, error) {
	return engine.ParseReductions(cmp.Or(string(r), "all"))
}

// Properties are linear, sc, quiescent, wait-free, lock-free and obstruction-free, separated by commas, or all for the
// strongest of the first three that hold; "" is linear.
type Properties string

func (p Properties) read() (task.Asked, error) { return task.ParseProperties(string(p)) }

// Oracle is auto, self (the code itself, run sequentially), the name of a kind, or a Go type PKG.Type; "" is auto.
type Oracle string

func (o Oracle) read() find.Oracle { return find.ParseOracle(string(o)) }
