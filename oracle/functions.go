// SPDX-License-Identifier: BSD-3-Clause

package oracle

import "pangolin/history"

// Functions is a Spec given by code: the user's own oracle, or the collection
// itself run sequentially. States are whatever encoding the code chooses, as
// long as equal states have equal encodings.
type Functions struct {
	// Start is the initial state.
	Start State

	// Run runs the call to its end. It returns false if the call does not
	// return. Nil if the oracle is nondeterministic.
	Run func(s State, c Call) (o Outcome, returns bool, err error)

	// Accept runs the call of a nondeterministic oracle that is told the
	// observed result, and returns false if that result is wrong in s.
	Accept func(s State, c Call, observed history.Tuple) (next State, ok bool, err error)

	// Candidates lists every result that Accept should be asked about. A result
	// that is missing here counts as wrong.
	Candidates func(c Call) []history.Tuple

	// Blocks is Spec.MayBlock. Nil: a call may block where Run does not return;
	// never, with Accept.
	Blocks func(s State, c Call) bool

	// Complete is Spec.Accepting. Nil: every state.
	Complete func(s State) bool
}

// Initial is Start.
func (f *Functions) Initial() State { return f.Start }

// Outcomes runs the code.
func (f *Functions) Outcomes(s State, c Call) ([]Outcome, error) {
	if f.Run != nil {
		o, returns, err := f.Run(s, c)
		if err != nil || !returns {
			return nil, err
		}
		return []Outcome{o}, nil
	}
	var out []Outcome
	for _, observed := range f.Candidates(c) {
		next, ok, err := f.Accept(s, c, observed)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, Outcome{Result: observed, Next: next})
		}
	}
	return out, nil
}

// MayBlock asks Blocks. An oracle that fails does not block; the error comes out
// of Outcomes.
func (f *Functions) MayBlock(s State, c Call) bool {
	if f.Blocks != nil {
		return f.Blocks(s, c)
	}
	if f.Run == nil {
		return false
	}
	_, returns, err := f.Run(s, c)
	return err == nil && !returns
}

// Accepting asks Complete.
func (f *Functions) Accepting(s State) bool { return f.Complete == nil || f.Complete(s) }
