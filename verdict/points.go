// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Points says where the operations of a collection take effect, as far as the executions of a
// scope tell.
type Points struct {
	Type string `json:"type"` // "points"
	Subject
	Scope    Scope     `json:"scope"`
	Outcomes []PointOf `json:"outcomes"`
	// Verdict is that of the collection if it is not verified: then there are no points.
	Verdict *Verdict `json:"verdict,omitempty"`
	// Written are directives that were written into the source; Left are outcomes that would need some and
	// have no points that are fixed.
	Written  []Directive `json:"written,omitempty"`
	Left     []string    `json:"left,omitempty"`
	Searches int         `json:"searches"`
	States   uint64      `json:"states"`  // of all searches
	Seconds  float64     `json:"seconds"` // of searching, without loading
	Schema   int         `json:"schema"`  // the constant Schema; whoever prints the line sets it
}

// Directive is a line of a policy.
type Directive struct {
	Place
	Text string `json:"text"`
}

// PointOf is about one outcome of an operation.
type PointOf struct {
	Operation string `json:"operation"`
	Outcome   string `json:"outcome"` // its results as far as they tell outcomes apart: "true", "_, false"
	Changes   bool   `json:"changes"` // it may change the collection
	// Fixed says that in every execution the call takes effect when its own thread passes one of
	// Points. Otherwise there are executions in which it does so when another thread does.
	Fixed bool `json:"fixed"`
	// Points are statements that suffice together; without one of them they do not.
	Points []Point `json:"points"`
	// Alternatives are other statements that suffice alone.
	Alternatives []Point `json:"alternatives,omitempty"`
	// Reasons are, if none is fixed, an execution that has no point in the call's own code, and
	// one that has none in another's.
	Reasons []*Witness `json:"-"`
}

// Point is a statement, or a part of one, at which an operation can take effect.
type Point struct {
	Place
	Column int    `json:"column"`
	Source string `json:"source,omitempty"` // text of the line
	// When says what its access must come to: "swapped", "zero"; "" if that does not matter.
	When string `json:"when,omitempty"`
	// By is the operation of the other thread that executes it; "" if the call itself does.
	By string `json:"by,omitempty"`
}

// Title says which outcome it is, and whether it has points that are fixed.
func (o *PointOf) Title() string {
	text := o.Operation
	if o.Outcome != "" {
		text += " = " + o.Outcome
	}
	switch {
	case o.Fixed && len(o.Points) > 1:
		return text + ": fixed, when it passes one of these"
	case o.Fixed:
		return text + ": fixed"
	case len(o.Points) == 0:
		return text + ": no step is its point; it may take effect as it is called"
	}
	return text + ": none is fixed; it takes effect at one of these"
}
