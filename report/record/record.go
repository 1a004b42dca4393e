// SPDX-License-Identifier: BSD-3-Clause

// Package record writes all that is known of results to a file, a line of JSON for each, and puts such files together: those of the shards
// of a request become the results that one run would have had.
//
//	{"type":"shard","shard":1,"of":3,...}                  what the run is about
//	{"type":"found","position":4,"collection":{...}}       a collection
//	{"type":"result","position":4,"verdict":{...}}         a verdict, with its witness (verdict.Encode)
//	{"type":"end"}                                         nothing is missing
//
// It takes plain data (package verdict), and sees nothing else. What a baseline says of a violation is left out: who puts files together
// names the baseline.
package record

import (
	"encoding/json"
	"io"

	"pangolin/verdict"
)

// File writes a record.
type File struct {
	encoder  *json.Encoder
	position verdict.Position
	err      error // the first of writing
}

// New makes a record that is written to out.
func New(out io.Writer) *File {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return &File{encoder: e}
}

// line is a line of the file.
type line struct {
	Type       string              `json:"type"`
	Position   verdict.Position    `json:"position"`
	Collection *verdict.Collection `json:"collection,omitempty"`
	Verdict    json.RawMessage     `json:"verdict,omitempty"`
}

// Show takes a result; those of a verification are of interest.
func (f *File) Show(result any) error {
	switch r := result.(type) {
	case verdict.Shard:
		r.Type, r.Schema = "shard", verdict.Schema
		f.put(&r)
	case verdict.Position:
		f.position = r
	case verdict.Found:
		f.put(&line{Type: "found", Position: f.position, Collection: &r.Collection})
	case verdict.Collection:
		f.put(&line{Type: "found", Position: f.position, Collection: &r})
	case verdict.Verdict:
		r.Novelty, r.Fingerprint = "", ""
		text, err := verdict.Encode(&r)
		if err != nil {
			return f.failed(err)
		}
		f.put(&line{Type: "result", Position: f.position, Verdict: text})
	case verdict.End:
		r.Type = "end"
		f.put(&r)
	}
	return f.err
}

func (f *File) put(what any) { _ = f.failed(f.encoder.Encode(what)) }

// failed remembers the first error.
func (f *File) failed(err error) error {
	if f.err == nil {
		f.err = err
	}
	return f.err
}

// Close ends the record, and says whether a line is missing.
func (f *File) Close() error { return f.err }
