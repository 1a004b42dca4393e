// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Points lists where the operations of a collection take effect in the executions of a scope.
type Points struct {
	Type string `json:"type"` // "points"
	Subject
	Scope    Scope     `json:"scope"`
	Outcomes []PointOf `json:"outcomes"`
	// Verdict is set if the collection is not verified: then there are no points.
	Verdict *Verdict `json:"verdict,omitempty"`
	// Written lists the directives that were written into the source; Left lists outcomes that need a directive and have no fixed points.
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

// PointOf describes one outcome of an operation.
type PointOf struct {
	Operation string `json:"operation"`
	Outcome   string `json:"outcome"` // its results without values: "true", "_, false"
	Changes   bool   `json:"changes"` // it may change the collection
	// Fixed: in every execution the call takes effect when its own thread passes one of Points. Otherwise it does so in some executions
	// when another thread does.
	Fixed bool `json:"fixed"`
	// Points lists statements that suffice together, none of which can be left out.
	Points []Point `json:"points"`
	// Alternatives lists other statements that suffice alone.
	Alternatives []Point `json:"alternatives,omitempty"`
	// Reasons contains, if Fixed is false, an execution without a point in the call's own code, and one without a point in another's.
	Reasons []*Witness `json:"-"`
}

// Point is a statement, or a part of one, at which an operation can take effect.
type Point struct {
	Place
	Column int    `json:"column"`
	Source string `json:"source,omitempty"` // text of the line
	// When is the result that the access must have: "swapped", "zero"; "" if it does not matter.
	When string `json:"when,omitempty"`
	// By names the operations of the other thread that executes it; "" if the call itself does.
	By string `json:"by,omitempty"`
}

// ByPoints tells by which points a scope was judged: each history was explained by letting the calls that change the collection take
// effect there.
type ByPoints struct {
	Scopes   []string   `json:"scopes"`   // the names of the scopes that were judged so
	Found    string     `json:"found"`    // the name of the scope in which they were found
	Outcomes []EffectAt `json:"outcomes"` // those that have points
}

// EffectAt is an outcome of an operation with the statements at which calls take effect with it.
type EffectAt struct {
	Operation string  `json:"operation"`
	Outcome   string  `json:"outcome"` // its results without values: "true", "_, false"
	Points    []Point `json:"points"`
}

// Text names scopes and points: "3t 8s 0p by points that were found in 2t 3s 0p: Push at stack.go:67, …".
func (b *ByPoints) Text() string {
	var list []string
	for i := range b.Outcomes {
		o := &b.Outcomes[i]
		var at []string
		for _, p := range o.Points {
			at = append(at, strings.TrimSpace(fmt.Sprintf("%s:%d %s", filepath.Base(p.File), p.Line, p.When)))
		}
		list = append(list, strings.TrimSuffix(o.Operation+" = "+o.Outcome, " = ")+" at "+strings.Join(at, " or "))
	}
	return strings.Join(b.Scopes, " and ") + " by points that were found in " + b.Found + ": " + strings.Join(list, "; ")
}

// And adds the scopes of another one, of which the points are not named.
func (b *ByPoints) And(o *ByPoints) *ByPoints {
	switch {
	case b == nil:
		return o
	case o == nil:
		return b
	}
	both := *b
	both.Scopes = slices.Concat(o.Scopes, b.Scopes)
	return &both
}

// Title names the outcome and says whether it has fixed points.
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
