package verdict

// Refinement is a row of the study of transition systems: a collection under one client, its code
// beside the same code with every operation in one step, and the published figures.
type Refinement struct {
	Type       string `json:"type"` // "cell"
	Study      string `json:"study"`
	Row        string `json:"row"`
	Collection string `json:"collection"`
	Threads    int    `json:"threads"`
	Calls      int    `json:"calls"`    // of each thread
	Elements   string `json:"elements"` // what the calls of each thread are about, in order
	// Verdict is that of the engine refine on the fly, against the same code in single steps.
	Verdict Status `json:"verdict"`
	// Expected is the published verdict; "" if there is none.
	Expected string `json:"expected"`
	// Branching and WeakTraces say whether the two systems are branching bisimilar, and have the same
	// weak traces; nil: they were not compared.
	Branching  *bool  `json:"branching"`
	WeakTraces *bool  `json:"weak_traces"`
	Concrete   Size   `json:"concrete"`
	Abstract   Size   `json:"abstract"`
	Quotient   Size   `json:"quotient"` // of the concrete one, under branching bisimulation
	Took       Timing `json:"took"`
	// Seconds are those of the verdict, without loading.
	Seconds   float64         `json:"seconds"`
	Published *PublishedSizes `json:"published"` // nil: there are none
	// Trace is a weak trace that one of the systems has and the other has not, AbstractOnly that the
	// abstract one has it. The verdict is verified then: code need not do all that is allowed.
	Trace        []string `json:"trace,omitempty"`
	AbstractOnly bool     `json:"abstract_only,omitempty"`
	Witness      string   `json:"witness,omitempty"` // the file
	// Note says what is worth knowing: how the sizes differ, why there is no verdict.
	Note   string `json:"note"`
	Schema int    `json:"schema"` // the constant Schema; whoever prints the line sets it
}

// Size is how large a system is.
type Size struct {
	States      int `json:"states"`
	Transitions int `json:"transitions"`
}

// Timing is how long the parts of a comparison took, in seconds.
type Timing struct {
	Concrete   float64 `json:"concrete"` // generating it
	Abstract   float64 `json:"abstract"`
	Branching  float64 `json:"branching"` // comparing
	WeakTraces float64 `json:"weak_traces"`
}

// PublishedSizes are a row's published figures.
type PublishedSizes struct {
	Concrete   Size    `json:"concrete"`
	Abstract   Size    `json:"abstract"`
	Branching  float64 `json:"branching_seconds"`
	WeakTraces float64 `json:"weak_trace_seconds"`
}

// Judgement is unknown if our verdict is, violated if it or one of the equivalences is not as
// published.
func (r *Refinement) Judgement() Status {
	if r.Verdict == Unknown {
		return Unknown
	}
	if r.Expected == "" {
		return Verified
	}
	holds := r.Expected == string(Verified)
	if string(r.Verdict) != r.Expected || !is(r.Branching, holds) || !is(r.WeakTraces, holds) {
		return Violated
	}
	return Verified
}

func is(p *bool, value bool) bool { return p != nil && *p == value }

// Refinements is the rows of a study of transition systems.
type Refinements struct {
	Rows    []Refinement
	Seconds float64 // for all together, loading included
}

// ProgressTable is what is known about the progress of collections.
type ProgressTable struct{ Rows []Verdict }
