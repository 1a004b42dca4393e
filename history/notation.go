// SPDX-License-Identifier: BSD-3-Clause

package history

import "strings"

// Notation says how the values of a method are written, where the integers of a Tuple stand for
// something else: strings, pointers. A nil Notation writes them as they are.
type Notation struct {
	Args, Result func(Tuple) []string
}

// Arguments writes the arguments of a call.
func (n *Notation) Arguments(args Tuple) []string {
	if n == nil {
		return args.Strings()
	}
	return n.Args(args)
}

// Returned writes the values that a call returned; a panic is none.
func (n *Notation) Returned(result Tuple) []string {
	switch {
	case result.IsPanic():
		return nil
	case n == nil:
		return result.Strings()
	}
	return n.Result(result)
}

// Call writes a call, such as Add(0).
func (n *Notation) Call(name string, args Tuple) string {
	return name + "(" + strings.Join(n.Arguments(args), ", ") + ")"
}

// Results writes what a call returned, or "panic".
func (n *Notation) Results(result Tuple) string {
	if result.IsPanic() {
		return result.String()
	}
	return strings.Join(n.Returned(result), ", ")
}
