// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"encoding/json"
	"errors"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Result is the outcome of a task: verdicts in the order of its properties, or a mutant's result.
// With an error, verdicts are missing.
type Result struct {
	Verdicts []verdict.Verdict
	Mutant   *verdict.Mutant
	Code     subject.Code // of the mutant; "": it was not compiled
	Notes    []string     // the notes on the way, in order
	Err      error

	// Key is the key under which the result is kept; "": it is not kept. Cached is true if it was
	// recalled, not computed.
	Key    string
	Cached bool
	Alone  bool // the key depends on the collection's package and its imports alone, not on the package of an oracle

	unlike bool // a limit on time or memory was reached, so another run may have another result
	scarce bool // a limit on memory was reached
}

// encoded is the form of a result as JSON; an error is its message.
type encoded struct {
	Verdicts []json.RawMessage `json:"verdicts,omitempty"`
	Mutant   *verdict.Mutant   `json:"mutant,omitempty"`
	Code     subject.Code      `json:"code,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// MarshalJSON writes everything in the result that any format shows.
func (r *Result) MarshalJSON() ([]byte, error) {
	e := encoded{Mutant: r.Mutant, Code: r.Code, Notes: r.Notes}
	for i := range r.Verdicts {
		text, err := verdict.Encode(&r.Verdicts[i])
		if err != nil {
			return nil, err
		}
		e.Verdicts = append(e.Verdicts, text)
	}
	if r.Err != nil {
		e.Error = r.Err.Error()
	}
	return json.Marshal(&e)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(text []byte) error {
	var e encoded
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	*r = Result{Mutant: e.Mutant, Code: e.Code, Notes: e.Notes}
	for _, one := range e.Verdicts {
		v, err := verdict.Decode(one)
		if err != nil {
			return err
		}
		r.Verdicts = append(r.Verdicts, *v)
	}
	if e.Error != "" {
		r.Err = errors.New(e.Error)
	}
	return nil
}
