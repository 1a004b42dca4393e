// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"encoding/json"
	"errors"

	"pangolin/verdict"
)

// Result is what came of a task: verdicts in the order of its properties, or what became of the mutant. With an error some are missing.
type Result struct {
	Verdicts []verdict.Verdict
	Mutant   *verdict.Mutant
	Notes    []string // what was noted on the way, in order
	Err      error

	// Key is the one under which the result is kept; "": it is not. Cached says that it was kept before, and nothing was computed.
	Key    string
	Cached bool
	Alone  bool // its key is about no package but the collection's, with what that imports: the oracle is no other's

	unlike bool // a limit on time or memory was met, so that it may be another one the next time
}

// encoded is a result as a text. An error is its message.
type encoded struct {
	Verdicts []json.RawMessage `json:"verdicts,omitempty"`
	Mutant   *verdict.Mutant   `json:"mutant,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// MarshalJSON writes the result with all that any format shows of it.
func (r *Result) MarshalJSON() ([]byte, error) {
	e := encoded{Mutant: r.Mutant, Notes: r.Notes}
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
	*r = Result{Mutant: e.Mutant, Notes: e.Notes}
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
