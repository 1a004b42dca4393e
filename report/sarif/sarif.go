// SPDX-License-Identifier: BSD-3-Clause

// Package sarif prints what is wrong as a log of the Static Analysis Results Interchange
// Format, version 2.1.0 (OASIS), which editors and code hosts show beside the source: a
// result for each violation, with a code flow that has a flow for each thread, and one of
// kind "open" for each verdict that is unknown. What was named and not judged, and what a verdict is not about, are notifications of
// the invocation. A violation that the source declares or the baseline lists has a suppression; with a baseline each result says whether it
// is new, and those that are gone are notifications: a result has to have a place.
//
// A result stands at the place that the sentence about the violation speaks of (story.Spots); if the repository has none of them, where the type is
// declared.
//
// The package takes plain data (package verdict) and a writer, and sees nothing else. The log is
// written when it is closed.
package sarif

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Options are what verdicts do not say.
type Options struct {
	// Version is the version of Pangolin; "": it has none.
	Version string
	// Located gives the file of a verdict as seen from the root of the repository; "": it is none of the repository. nil: as verdicts
	// name them.
	Located func(file string) string
}

// Log collects results.
type Log struct {
	out      io.Writer
	options  Options
	results  []*result
	rules    []string
	notes    []notification
	failed   bool // something was not judged
	compared bool // with a baseline
}

// New makes a log that is written to out.
func New(out io.Writer, o Options) *Log { return &Log{out: out, options: o, results: []*result{}} }

// notification is what the tool has to say of its own execution.
type notification struct {
	Level   string `json:"level"`
	Message text   `json:"message"`
}

type text struct {
	Text string `json:"text"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      text              `json:"message"`
	Locations    []location        `json:"locations,omitempty"`
	Related      []location        `json:"relatedLocations,omitempty"`
	CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	State        string            `json:"baselineState,omitempty"`
	Suppressions []suppression     `json:"suppressions,omitempty"`
}

type location struct {
	ID       int       `json:"id,omitempty"`
	Physical *physical `json:"physicalLocation,omitempty"`
	Message  *text     `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   region   `json:"region"`
}

type artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type region struct {
	StartLine int `json:"startLine"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type codeFlow struct {
	Message     text         `json:"message"`
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	ID        string     `json:"id"`
	Locations []flowStep `json:"locations"`
}

type flowStep struct {
	Location       location `json:"location"`
	ExecutionOrder int      `json:"executionOrder"`
	Importance     string   `json:"importance"`
}

const (
	// root is the base of all files: the root of the repository.
	root = "SRCROOT"
	// fingerprint is the name, with the version, of what identifies a result (verdict.Identity).
	fingerprint = "pangolinViolation/v1"
	// mostRelated is how many places a result has beside its own, and mostSteps how many steps all flows of a result have together: code hosts
	// take no more.
	mostRelated = 10
	mostSteps   = 5000
)

// Show takes a result; verdicts are of interest, and what has become of a baseline.
func (l *Log) Show(r any) error {
	switch r := r.(type) {
	case verdict.Verdict:
		l.verdict(&r)
	case verdict.Gone:
		l.notes = append(l.notes, notification{"note", text{"gone, though the baseline lists it: " + story.Gone(&r)}}) // a result needs a place
	case verdict.Shard:
		l.notes = append(l.notes, notification{"note", text{fmt.Sprintf("This is shard %d of %d, which has %d of %d collections.", r.Index, r.Of, r.Own, r.All)}})
	case verdict.Baseline:
		l.compared = true
	}
	return nil
}

func (l *Log) verdict(v *verdict.Verdict) {
	subject := v.Collection + ", " + v.Property + ": "
	switch {
	case v.Violation != nil && v.Violation.Execution != nil:
		w := v.Violation.Execution
		x := l.result(w.Class, subject+story.Sentence(w))
		x.Kind, x.Level = "fail", "error"
		l.spots(x, w, v.Declared)
		if f := l.flow(w); len(f.ThreadFlows) > 0 {
			x.CodeFlows = []codeFlow{f}
		}
		x.suppress(v)
		id, _ := v.Identity()
		x.Fingerprints = map[string]string{fingerprint: id.Fingerprint()}
	case v.Status == verdict.Unknown:
		x := l.result("unknown", subject+v.Reason)
		l.spots(x, nil, v.Declared)
		x.suppress(v)
		id := verdict.Identity{Package: v.Package, Collection: v.Collection, Property: v.Property, Class: "unknown"}
		x.Fingerprints = map[string]string{fingerprint: id.Fingerprint()}
	case v.Status == verdict.NotJudged:
		l.failed = true
		l.notes = append(l.notes, notification{"error", text{v.Collection + " was not judged: " + v.Reason}})
	case v.Status == verdict.NotShared:
		l.notes = append(l.notes, notification{"note", text{v.Collection + " was not verified, as it is not shared: " + v.Reason}})
	case v.Status == verdict.Unchanged:
		l.notes = append(l.notes, notification{"note", text{v.Collection + " was not verified, as it is unchanged: " + v.Reason}})
	}
	for _, t := range story.Beside(v) {
		l.notes = append(l.notes, notification{"note", text{subject + t}})
	}
}

// suppress says whether the result is new, and why it is no failure.
func (x *result) suppress(v *verdict.Verdict) {
	x.State = "new"
	kind := "inSource"
	if v.Novelty == verdict.Known {
		x.State, kind = "unchanged", "external"
	}
	if v.AsExpected() {
		x.Suppressions = []suppression{{kind, "accepted", story.Expectation(v)}}
	}
}

// spots says where a result stands, and what other places have to do with it.
func (l *Log) spots(x *result, w *verdict.Witness, declared *verdict.Place) {
	var list []story.Spot
	if w != nil {
		list = story.Spots(w)
	}
	if declared != nil {
		list = append(list, story.Spot{Place: *declared, Text: "the type is declared here"})
	}
	for _, s := range list {
		at := l.at(s.Place, s.Text)
		switch {
		case at.Physical == nil || len(x.Related) == mostRelated:
		case x.Locations == nil:
			at.Message = nil
			x.Locations = []location{at}
		default:
			at.ID = len(x.Related) + 1
			x.Related = append(x.Related, at)
		}
	}
}

// result adds one of a rule, which is listed if it is not yet.
func (l *Log) result(rule, message string) *result {
	index := slices.Index(l.rules, rule)
	if index < 0 {
		index = len(l.rules)
		l.rules = append(l.rules, rule)
	}
	x := &result{RuleID: rule, RuleIndex: index, Kind: "open", Level: "none", Message: text{message}}
	l.results = append(l.results, x)
	return x
}

// at is a place with a message; without a place, if the repository has none.
func (l *Log) at(p verdict.Place, message string) location {
	at, file := location{}, p.File
	if l.options.Located != nil {
		file = l.options.Located(file)
	}
	if p.Line > 0 && file != "" {
		at.Physical = &physical{artifact{file, root}, region{p.Line}}
	}
	if message != "" {
		at.Message = &text{message}
	}
	return at
}

// flow is an execution: a flow for each thread, in the order of steps.
func (l *Log) flow(w *verdict.Witness) codeFlow {
	f := codeFlow{Message: text{w.Client}}
	if w.Client == "" {
		f.Message.Text = w.Message
	}
	s := story.Of(w, false)
	lines := s.Lines
	if n := len(lines) - mostSteps; n > 0 {
		lines = lines[:mostSteps]
		f.Message.Text += "; the last steps are left out"
	}
	for t := 1; t <= s.Threads; t++ {
		thread := threadFlow{ID: s.Name(t)}
		for i := range lines {
			line := &lines[i]
			if line.Thread != t {
				continue
			}
			step := flowStep{Location: l.at(w.Steps[line.Step-1].Place, story.Text(line)), ExecutionOrder: line.Step, Importance: "important"}
			if line.Damage || line.Call {
				step.Importance = "essential"
			}
			thread.Locations = append(thread.Locations, step)
		}
		if len(thread.Locations) > 0 {
			f.ThreadFlows = append(f.ThreadFlows, thread)
		}
	}
	return f
}

// Close writes the log.
func (l *Log) Close() error {
	rules := []rule{}
	for _, id := range l.rules {
		rules = append(rules, ruleOf(id))
	}
	for _, x := range l.results {
		if !l.compared {
			x.State = ""
		} else if x.State == "" {
			x.State = "new"
		}
	}
	driver := map[string]any{"name": "Pangolin", "informationUri": "pkg:golang/pangolin", "language": "en-US", "rules": rules}
	if l.options.Version != "" {
		driver["version"], driver["semanticVersion"] = l.options.Version, l.options.Version
	}
	invocation := map[string]any{"executionSuccessful": !l.failed}
	if len(l.notes) > 0 {
		invocation["toolExecutionNotifications"] = l.notes
	}
	run := map[string]any{
		"tool":     map[string]any{"driver": driver},
		"language": "en-US", "newlineSequences": []string{"\n"}, "columnKind": "unicodeCodePoints",
		"automationDetails":  map[string]any{"id": "pangolin/"},
		"originalUriBaseIds": map[string]any{root: map[string]any{"description": text{"The root of the repository."}}},
		"invocations":        []any{invocation},
		"results":            l.results,
	}
	log := map[string]any{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []any{run},
	}
	e := json.NewEncoder(l.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(log)
}
