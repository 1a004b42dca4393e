package pangolin

import (
	"fmt"
	"slices"

	"pangolin/internal/mutant"
	"pangolin/verdict"
)

// Outcome is what became of a mutant.
type Outcome string

// The outcomes. Mutants that compile to the same code as the original or as an earlier
// mutant have none: they are not among the results.
const (
	Killed    Outcome = "killed"   // it violates the property, or cannot be set up, or does not end
	Survived  Outcome = "survived" // it is verified in the whole scope
	Undecided Outcome = "unknown"  // a limit was reached
	Invalid   Outcome = "invalid"  // it does not compile
)

// Mutant is a planted fault and what became of it.
type Mutant struct {
	Type     string  `json:"type"` // "mutant"
	ID       int     `json:"id"`   // counted from 1, in the order of the source; the same in each scope
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Operator string  `json:"operator"`
	Outcome  Outcome `json:"outcome"`
	Class    string  `json:"class"`  // of the violation that killed it; else ""
	Reason   string  `json:"reason"` // of the violation, the limit or the compiler
	Client   string  `json:"client"` // that shows the violation
	Func     string  `json:"func"`   // that changes: Name or Type.Name
	Diff     string  `json:"diff"`
	States   uint64  `json:"states"`
	Seconds  float64 `json:"seconds"`
}

// MutationSummary counts the mutants of a collection.
type MutationSummary struct {
	Type       string        `json:"type"` // "summary"
	Collection string        `json:"collection"`
	Property   string        `json:"property"`
	Scope      verdict.Scope `json:"scope"`
	Planted    int           `json:"planted"` // of the whole source, before any were chosen
	Mutants    int           `json:"mutants"` // that were tried: the sum of the four outcomes
	Killed     int           `json:"killed"`
	Survived   int           `json:"survived"`
	Unknown    int           `json:"unknown"`
	Invalid    int           `json:"invalid"`
	// Same is how many were not tried because they compile to the same code as the
	// original or as an earlier mutant.
	Same    int     `json:"same"`
	Seconds float64 `json:"seconds"`
}

func (s *MutationSummary) count(m *Mutant) {
	s.Mutants++
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

// Mutation says which mutants to try.
type Mutation struct {
	Only      []int    // by ID; none: all
	Operators []string // none: all
	// Where, if not nil, chooses among the mutants before they are tried: it sees all but
	// their outcomes.
	Where func(*Mutant) bool
	// Max tries at most so many, spread evenly over the source; 0: all.
	Max int
	// Baseline is called with the verdict of the unmutated collection.
	Baseline func(verdict.Verdict)
	// Mutant is called for each mutant, in order of ID, from one goroutine at a time.
	Mutant func(Mutant)
}

// MutationOperators gives the name of each way of planting faults with what it does.
func MutationOperators() [][2]string { return mutant.Operators() }

// validate reports what contradicts itself.
func (o *Mutation) validate() error {
	for _, name := range o.Operators {
		if !slices.ContainsFunc(mutant.Operators(), func(op [2]string) bool { return op[0] == name }) {
			return fmt.Errorf("there is no mutation operator %q", name)
		}
	}
	if o.Max < 0 {
		return fmt.Errorf("at most %d mutants: want at least 1", o.Max)
	}
	return nil
}

// planted is a mutant with its number.
type planted struct {
	*mutant.Mutant
	id   int
	path string // of its file, on the disk
}

// untried is a mutant without an outcome.
func (p *planted) untried() Mutant {
	return Mutant{Type: "mutant", ID: p.id, File: p.File.Name, Line: p.Line, Operator: p.Operator, Func: p.Func, Diff: p.Diff()}
}

func (o *Mutation) wants(p *planted) bool {
	switch {
	case len(o.Only) > 0 && !slices.Contains(o.Only, p.id), len(o.Operators) > 0 && !slices.Contains(o.Operators, p.Operator):
		return false
	case o.Where == nil:
		return true
	}
	m := p.untried()
	return o.Where(&m)
}

// choose picks the mutants to try.
func (o *Mutation) choose(all []planted) []planted {
	var out []planted
	for i := range all {
		if o.wants(&all[i]) {
			out = append(out, all[i])
		}
	}
	n := len(out)
	if o.Max == 0 || n <= o.Max {
		return out
	}
	spread := make([]planted, o.Max)
	for i := range spread {
		spread[i] = out[i*n/o.Max]
	}
	return spread
}
