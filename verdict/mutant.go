// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Fate is the outcome of a mutant.
type Fate string

// The fates. A mutant that compiles to the same code as the original or an earlier mutant is not tried and has none.
const (
	Killed    Fate = "killed"   // it violates the property, or cannot be set up, or does not end
	Survived  Fate = "survived" // it is verified in the whole scope
	Undecided Fate = "unknown"  // a limit was reached
	Invalid   Fate = "invalid"  // it does not compile
)

// Mutant is a planted fault with its outcome.
type Mutant struct {
	Type     string  `json:"type"` // "mutant"
	ID       int     `json:"id"`   // counted from 1, in the order of the source; the same in each scope
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Operator string  `json:"operator"`
	Outcome  Fate    `json:"outcome"`
	Class    string  `json:"class"`  // class of the violation that killed it; else ""
	Reason   string  `json:"reason"` // of the violation, the limit or the compiler
	Client   string  `json:"client"` // the client of the violation
	Func     string  `json:"func"`   // the changed function: Name or Type.Name
	Diff     string  `json:"diff"`
	States   uint64  `json:"states"`
	Seconds  float64 `json:"seconds"`
	// Cached says that it was not computed now but kept (-cache): the seconds are those of the first time.
	Cached bool `json:"cached,omitempty"`
	Schema int  `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Unmutated is the verdict about the collection without a fault.
type Unmutated struct{ Verdict }

// MutationSummary counts the mutants of a collection.
type MutationSummary struct {
	Type       string `json:"type"` // "summary"
	Collection string `json:"collection"`
	Property   string `json:"property"`
	Scope      Scope  `json:"scope"`
	Planted    int    `json:"planted"` // number of possible mutants
	Mutants    int    `json:"mutants"` // number of mutants that were tried: the sum of the four outcomes
	Killed     int    `json:"killed"`
	Survived   int    `json:"survived"`
	Unknown    int    `json:"unknown"`
	Invalid    int    `json:"invalid"`
	// Same is the number of mutants that were not tried because they compile to the same code as the original or an earlier mutant.
	Same    int     `json:"same"`
	Cached  int     `json:"cached,omitempty"` // number of mutants that were tried in an earlier run (-cache)
	Seconds float64 `json:"seconds"`
	Schema  int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Count counts the outcome of a mutant.
func (s *MutationSummary) Count(m *Mutant) {
	s.Mutants++
	if m.Cached {
		s.Cached++
	}
	switch m.Outcome {
	case Killed:
		s.Killed++
	case Survived:
		s.Survived++
	case Undecided:
		s.Unknown++
	case Invalid:
		s.Invalid++
	}
}
