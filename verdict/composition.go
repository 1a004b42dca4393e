// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Composition is the result of checking a collection together with its concurrent specification, whose threads invoke, take effect in one
// step, and return; the announcements of directives tell which steps go together.
type Composition struct {
	Type string `json:"type"` // "composition"
	Subject
	Scope Scope `json:"scope"`
	// Verdict is verified if the specification can make every step that goes with one of the code; violated, with an execution in which it
	// cannot.
	Verdict Verdict `json:"verdict"`
	// Synchronous reports that at most one step of the specification goes with a step of the code, and always one of the same thread.
	Synchronous bool `json:"synchronous"`
	// Most is the greatest number of steps of the specification that go with one step of the code.
	Most int `json:"most"`
	// Helped lists the operations that take effect in steps of other threads.
	Helped []Help `json:"helped"`
	// Candidates lists outcomes that take effect in one of several steps, which only a later step shows. Anywhere lists outcomes that are
	// not announced, for which every moment of the call is a candidate.
	Candidates []OutcomeOf `json:"candidates"`
	Anywhere   []OutcomeOf `json:"anywhere"`
	// Intermediate is the result about the system between code and specification that these candidates require; nil: none is needed.
	Intermediate *Intermediate `json:"intermediate,omitempty"`
	Schema       int           `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Help is an operation that takes effect in a step of a thread that executes another one.
type Help struct {
	Operation string `json:"operation"`
	In        string `json:"in"`
}

// OutcomeOf is an outcome of an operation: its results without values, as in "Pop = _, true".
type OutcomeOf struct {
	Operation string `json:"operation"`
	Outcome   string `json:"outcome"`
}

func (o OutcomeOf) String() string {
	if o.Outcome == "" {
		return o.Operation
	}
	return o.Operation + " = " + o.Outcome
}

// Intermediate is a system whose calls may take effect at one of several steps, and which must itself be linearizable.
type Intermediate struct {
	Status Status `json:"verdict"` // unknown: a limit on states was reached
	States uint64 `json:"states"`
}
