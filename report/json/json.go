// SPDX-License-Identifier: BSD-3-Clause

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
type Lines struct {
	encoder *json.Encoder
	err     error // the first of printing
}

// New makes a printer.
func New(out io.Writer) *Lines {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return &Lines{encoder: e}
}

// Show prints a result: one of package verdict's types, or plain data with JSON tags.
func (l *Lines) Show(result any) error {
	err := l.show(result)
	if l.err == nil {
		l.err = err
	}
	return err
}

func (l *Lines) show(result any) error {
	switch r := result.(type) {
	case verdict.Found, verdict.Unmutated, verdict.Position, verdict.End:
		return nil // each line says what it is about
	case verdict.Verdict:
		if r.Outcomes != nil {
			return l.outcomes(&r)
		}
		return l.put("verdict", &r.Type, &r.Schema, &r)
	case verdict.Collection:
		return l.put("collection", &r.Type, &r.Schema, &r)
	case verdict.Tested:
		return l.put("test", &r.Type, &r.Schema, &r)
	case verdict.Clients:
		return l.put("clients", &r.Type, &r.Schema, &r)
	case verdict.Histories:
		return l.put("histories", &r.Type, &r.Schema, &r)
	case verdict.Gone:
		return l.put("gone", &r.Type, &r.Schema, &r)
	case verdict.Baseline:
		return l.put("baseline", &r.Type, &r.Schema, &r)
	case verdict.Shard:
		return l.put("shard", &r.Type, &r.Schema, &r)
	case verdict.Mutant:
		return l.put("mutant", &r.Type, &r.Schema, &r)
	case *verdict.MutationSummary:
		s := *r
		s.Type, s.Schema = "summary", verdict.Schema
		return l.encoder.Encode(s)
	case verdict.Points:
		return l.put("points", &r.Type, &r.Schema, &r)
	case verdict.Composition:
		return l.put("composition", &r.Type, &r.Schema, &r)
	case verdict.System:
		return l.put("system", &r.Type, &r.Schema, &r)
	case verdict.Comparison:
		return l.put("comparison", &r.Type, &r.Schema, &r)
	case verdict.Checked:
		return l.put("check", &r.Type, &r.Schema, &r)
	case verdict.Reproduction:
		return l.put("reproduction", &r.Type, &r.Schema, &r)
	case *verdict.Witness:
		return l.encoder.Encode(r) // it has a version of its own
	}
	return l.encoder.Encode(result) // it says itself of which type it is
}

// put writes a result with the type and the version of its line.
func (l *Lines) put(typ string, of *string, schema *int, result any) error {
	*of, *schema = typ, verdict.Schema
	return l.encoder.Encode(result)
}

// Close ends the output. There is nothing to add, but it says whether a line is missing.
func (l *Lines) Close() error { return l.err }
