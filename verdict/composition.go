// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Composition is a collection beside its concurrent specification: the same threads, each of which invokes, takes effect in one
// step, and returns; what directives announce says which steps go together.
type Composition struct {
	Type string `json:"type"` // "composition"
	Subject
	Scope Scope `json:"scope"`
	// Verdict says whether the specification can make every step that goes with one of the code. Violated, it has
	// the execution in which it cannot.
	Verdict Verdict `json:"verdict"`
	// Synchronous says that never more than one step of the specification goes with one of the code, and always one of the
	// same thread.
	Synchronous bool `json:"synchronous"`
	// Most is how many steps of the specification go with one of the code at most.
	Most int `json:"most"`
	// Helped are operations that take effect in steps of other threads.
	Helped []Help `json:"helped"`
	// Candidates are outcomes for which one of several steps is the point, which a later step shows: results as far
	// as they tell outcomes apart. Anywhere are those that are announced nowhere; every moment of the call is a candidate.
	Candidates []OutcomeOf `json:"candidates"`
	Anywhere   []OutcomeOf `json:"anywhere"`
	// Intermediate is the system between code and specification that has these candidates; nil: it is the specification.
	Intermediate *Intermediate `json:"intermediate,omitempty"`
	Schema       int           `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Help is an operation that takes effect in a step of a thread that executes another one.
type Help struct {
	Operation string `json:"operation"`
	In        string `json:"in"`
}

// OutcomeOf is an outcome of an operation.
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

// Intermediate is a system whose calls may take effect at one of several steps. It has to be linearizable itself.
type Intermediate struct {
	Status Status `json:"verdict"` // unknown: it has more states than were looked at
	States uint64 `json:"states"`
}
