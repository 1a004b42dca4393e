package verdict

// Fate is what became of a mutant.
type Fate string

// The fates. Mutants that compile to the same code as the original or as an earlier
// mutant have none: they are not among the results.
const (
	Killed    Fate = "killed"   // it violates the property, or cannot be set up, or does not end
	Survived  Fate = "survived" // it is verified in the whole scope
	Undecided Fate = "unknown"  // a limit was reached
	Invalid   Fate = "invalid"  // it does not compile
)

// Mutant is a planted fault and what became of it.
type Mutant struct {
	Type     string  `json:"type"` // "mutant"
	ID       int     `json:"id"`   // counted from 1, in the order of the source; the same in each scope
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Operator string  `json:"operator"`
	Outcome  Fate    `json:"outcome"`
	Class    string  `json:"class"`  // of the violation that killed it; else ""
	Reason   string  `json:"reason"` // of the violation, the limit or the compiler
	Client   string  `json:"client"` // that shows the violation
	Func     string  `json:"func"`   // that changes: Name or Type.Name
	Diff     string  `json:"diff"`
	States   uint64  `json:"states"`
	Seconds  float64 `json:"seconds"`
	Schema   int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Baseline is the verdict on the collection without a fault.
type Baseline struct{ Verdict }

// MutationSummary counts the mutants of a collection.
type MutationSummary struct {
	Type       string `json:"type"` // "summary"
	Collection string `json:"collection"`
	Property   string `json:"property"`
	Scope      Scope  `json:"scope"`
	Planted    int    `json:"planted"` // of the whole source, before any were chosen
	Mutants    int    `json:"mutants"` // that were tried: the sum of the four outcomes
	Killed     int    `json:"killed"`
	Survived   int    `json:"survived"`
	Unknown    int    `json:"unknown"`
	Invalid    int    `json:"invalid"`
	// Same is how many were not tried because they compile to the same code as the
	// original or as an earlier mutant.
	Same    int     `json:"same"`
	Seconds float64 `json:"seconds"`
	Schema  int     `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Count adds what became of a mutant.
func (s *MutationSummary) Count(m *Mutant) {
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

// MutantRow is what became of the mutants of one collection in a study.
type MutantRow struct {
	Type   string `json:"type"` // "mutants"
	Row    string `json:"row"`
	Config string `json:"config"`
	// Sum counts the outcomes in the configuration.
	Sum MutationSummary `json:"sum"`
	// Larger is the scope in which mutants that are left were tried again; "" if there was
	// none or the collection itself is not verified there.
	Larger string `json:"larger"`
	// Left are the mutants that were not killed.
	Left []LeftMutant `json:"left"`
}

// LeftMutant is a mutant that a configuration does not kill.
type LeftMutant struct {
	Mutant
	// Flags are those with which an explanation says that it is killed; "": there is none,
	// and the larger scope is the row's.
	Flags string `json:"flags,omitempty"`
	// Larger is what became of it in the larger scope; nil if it was not tried there.
	Larger *Mutant `json:"larger"`
	// Explanation is what the study knows of it; nil: nothing. It is no part of the JSON, for
	// it is found anew whenever a table is made.
	Explanation *MutantExplanation `json:"-"`
}

// MutantExplanation says why a mutant survives, or what kills it.
type MutantExplanation struct {
	Why   string
	Flags string // with which it is killed; "": with none
	Guess bool   // nobody has shown it
}

// KilledLater says that the larger scope has killed it.
func (m *LeftMutant) KilledLater() bool { return m.Larger != nil && m.Larger.Outcome == Killed }

// Open says that nothing has killed it, and that it is not explained or should have been killed.
func (m *LeftMutant) Open() bool {
	x := m.Explanation
	return !m.KilledLater() && (x == nil || x.Flags != "" || x.Guess)
}

// MutantTable is the rows of a study of mutants, in its order.
type MutantTable struct{ Rows []MutantRow }
