// Package json prints results for programs: one JSON object a line, each with its type and
// the version of the schema. Scripts rely on them.
//
// It takes plain data (package verdict) and a writer, and sees nothing else.
package json

import (
	"encoding/json"
	"io"

	"pangolin/verdict"
)

// Lines prints objects, one a line.
type Lines struct{ encoder *json.Encoder }

// New makes a printer.
func New(out io.Writer) *Lines {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return &Lines{e}
}

// Show prints a result: one of package verdict's types, or plain data with JSON tags.
func (l *Lines) Show(result any) error {
	switch r := result.(type) {
	case verdict.Found, verdict.Baseline, verdict.Table, verdict.MutantTable:
		return nil // each line says what it is about
	case verdict.Verdict:
		if r.Outcomes != nil {
			return l.outcomes(&r)
		}
		r.Type, r.Schema = "verdict", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Collection:
		r.Type, r.Schema = "collection", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Clients:
		r.Type, r.Schema = "clients", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Histories:
		r.Type, r.Schema = "histories", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Cell:
		r.Type, r.Schema = "cell", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Refinement:
		r.Type, r.Schema = "cell", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Refinements, verdict.ProgressTable: // its rows have been shown
		return nil
	case verdict.Mutant:
		r.Type, r.Schema = "mutant", verdict.Schema
		return l.encoder.Encode(r)
	case *verdict.MutationSummary:
		s := *r
		s.Type, s.Schema = "summary", verdict.Schema
		return l.encoder.Encode(s)
	case verdict.Points:
		r.Type, r.Schema = "points", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Composition:
		r.Type, r.Schema = "composition", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.System:
		r.Type, r.Schema = "system", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Comparison:
		r.Type, r.Schema = "comparison", verdict.Schema
		return l.encoder.Encode(r)
	case verdict.Checked:
		r.Type, r.Schema = "check", verdict.Schema
		return l.encoder.Encode(r)
	case *verdict.Witness:
		return l.encoder.Encode(r) // it has a version of its own
	}
	return l.encoder.Encode(result) // it says itself of which type it is
}

// Close ends the output; there is nothing to add.
func (l *Lines) Close() error { return nil }
