// SPDX-License-Identifier: BSD-3-Clause

// Package baseline compares the violations of a run with those of an earlier one, which a file lists.
//
// It takes verdicts and the text of the file, and tells of each violation whether it is new or known, and which ones of the file are gone.
// Violations that the source declares (//pangolin:expect violated) are no matter of a baseline. The package opens no files, and decides
// nothing about exit codes. What identifies a violation is up to package verdict.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"pangolin/verdict"
)

// version is the version of the form of the file.
const version = 1

// header is the first line of the file.
type header struct {
	Type    string `json:"type"` // "baseline"
	Version int    `json:"version"`
}

// List is a baseline: violations by their fingerprints.
type List struct {
	entries map[string]verdict.Identity
	// seen are the fingerprints of the violations of this run, and open those of them that the source does not declare; decided are its
	// collections and properties with their verdicts.
	seen    map[string]bool
	open    map[string]verdict.Identity
	decided map[subject]verdict.Status
}

// subject is a collection and a property.
type subject struct{ path, collection, property string }

func subjectOf(id *verdict.Identity) subject {
	return subject{id.Package, id.Collection, id.Property}
}

// New makes a baseline without violations.
func New() *List {
	return &List{entries: map[string]verdict.Identity{}, seen: map[string]bool{}, open: map[string]verdict.Identity{}, decided: map[subject]verdict.Status{}}
}

// Parse reads the text of a baseline: a header, and a line of JSON for each violation. Name is that of the file, for errors.
func Parse(name string, text []byte) (*List, error) {
	l := New()
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSpace(line)
		if number == 1 {
			var h header
			if err := strict(line, &h); err != nil || h.Type != "baseline" {
				return nil, fmt.Errorf(`%s:1: this is no baseline: want {"type":"baseline","version":%d} (pangolin baseline write makes the file)`, name, version)
			}
			if h.Version != version {
				return nil, fmt.Errorf("%s:1: the baseline has version %d and this program reads version %d: write it anew with pangolin baseline write", name, h.Version, version)
			}
			continue
		}
		if len(line) == 0 {
			continue
		}
		var id verdict.Identity
		err := strict(line, &id)
		if err == nil && (id.Collection == "" || id.Property == "" || id.Class == "" || id.Shape == "") {
			err = errors.New("collection, property, class and shape must not be empty")
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: this is no violation of a baseline: %w (remove the line, or restore it)", name, number, err)
		}
		if id.Operations == nil {
			id.Operations = []string{}
		}
		l.entries[id.Fingerprint()] = id
	}
	if number == 0 {
		return nil, fmt.Errorf("%s:1: the baseline is empty: pangolin baseline write makes the file", name)
	}
	return l, nil
}

// strict decodes one JSON object without unknown fields, and nothing behind it.
func strict(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is something behind the object")
	}
	return nil
}

// Mark notes a verdict of this run, and says in it whether its violation is new or known.
func (l *List) Mark(v *verdict.Verdict) {
	switch v.Status {
	case verdict.Verified, verdict.Proved, verdict.Violated:
		l.decided[subject{v.Package, v.Collection, v.Property}] = v.Status
	}
	id, ok := v.Identity()
	if !ok {
		return
	}
	v.Fingerprint = id.Fingerprint()
	l.seen[v.Fingerprint] = true
	if declared(v) {
		return
	}
	l.open[v.Fingerprint] = id
	v.Novelty = verdict.Novel
	if _, known := l.entries[v.Fingerprint]; known {
		v.Novelty = verdict.Known
	}
}

// declared reports that the author of the code expects the violation.
func declared(v *verdict.Verdict) bool { return v.Expected == verdict.Violated }

// Gone lists the violations of the baseline whose collections were decided in this run, and that were not found.
func (l *List) Gone() (out []verdict.Gone) {
	for _, print := range l.sorted() {
		id := l.entries[print]
		if now, decided := l.decided[subjectOf(&id)]; decided && !l.seen[print] {
			out = append(out, verdict.Gone{Type: "gone", Identity: id, Fingerprint: print, Now: now})
		}
	}
	return out
}

// Sum counts how the violations of this run are related to the entries. File is the name of the baseline.
func (l *List) Sum(file string) verdict.Baseline {
	s := verdict.Baseline{Type: "baseline", File: file, Gone: len(l.Gone())}
	for print := range l.open {
		if _, known := l.entries[print]; known {
			s.Known++
		} else {
			s.New++
		}
	}
	for _, id := range l.entries {
		if _, decided := l.decided[subjectOf(&id)]; !decided {
			s.Undecided++
		}
	}
	return s
}

// Renew makes the violations of this run the entries, but those that the source declares. Entries about which this run says nothing stay.
func (l *List) Renew() {
	for print, id := range l.entries {
		if _, decided := l.decided[subjectOf(&id)]; decided {
			delete(l.entries, print)
		}
	}
	for print, id := range l.open {
		l.entries[print] = id
	}
}

// Len is the number of entries.
func (l *List) Len() int { return len(l.entries) }

// Text is the file: sorted, so that equal baselines have equal bytes.
func (l *List) Text() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(header{"baseline", version}) // memory takes everything
	for _, print := range l.sorted() {
		_ = e.Encode(l.entries[print])
	}
	return b.Bytes()
}

// sorted lists the fingerprints in the order of packages, collections, properties and classes.
func (l *List) sorted() []string {
	var list []string
	for print := range l.entries {
		list = append(list, print)
	}
	slices.SortFunc(list, func(a, b string) int {
		x, y := l.entries[a], l.entries[b]
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Collection, y.Collection), cmp.Compare(x.Property, y.Property),
			cmp.Compare(x.Class, y.Class), cmp.Compare(a, b))
	})
	return list
}
