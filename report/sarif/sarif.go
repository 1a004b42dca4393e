// SPDX-License-Identifier: BSD-3-Clause

// Package sarif prints what is wrong as a log of the Static Analysis Results Interchange
// Format, version 2.1.0 (OASIS), which editors and code hosts show beside the source: a
// result for each violation, with a code flow that has a flow for each thread, and one of
// kind "open" for each verdict that is unknown. What was named and not judged, and what a verdict is not about, are notifications of
// the invocation.
//
// It takes plain data (package verdict) and a writer, and sees nothing else. The log is
// written when it is closed. Files are named as verdicts name them: as seen from the module.
package sarif

import (
	"encoding/json"
	"io"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Log collects results.
type Log struct {
	out     io.Writer
	results []result
	rules   []string
	notes   []notification
	failed  bool // something was not judged
}

// notification is what the tool has to say of its own execution.
type notification struct {
	Level   string `json:"level"`
	Message text   `json:"message"`
}

// New makes a log that is written to out.
func New(out io.Writer) *Log { return &Log{out: out, results: []result{}} }

type text struct {
	Text string `json:"text"`
}

type result struct {
	RuleID    string     `json:"ruleId"`
	RuleIndex int        `json:"ruleIndex"`
	Kind      string     `json:"kind"`
	Level     string     `json:"level"`
	Message   text       `json:"message"`
	Locations []location `json:"locations,omitempty"`
	CodeFlows []codeFlow `json:"codeFlows,omitempty"`
}

type location struct {
	Physical *physical `json:"physicalLocation,omitempty"`
	Message  *text     `json:"message,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   region   `json:"region"`
}

type artifact struct {
	URI string `json:"uri"`
}

type region struct {
	StartLine int `json:"startLine"`
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

// docs says what the rules are about: the classes of violations.
var docs = map[string]string{
	"history": "No order of the operations explains their results.", "deadlock": "Operations wait for ever that the oracle lets return.",
	"livelock": "Operations run for ever, and nothing can make them return.", "nontermination": "Operations can run for ever.",
	"panic": "A panic that the oracle does not know, or a fatal error.", "race": "A data race.", "infinite": "An operation calls itself without end.",
	"unknown": "Whether the code is correct could not be decided.",
}

// Show takes a result; only verdicts are of interest.
func (l *Log) Show(r any) error {
	v, ok := r.(verdict.Verdict)
	if !ok {
		return nil
	}
	subject := v.Collection + ", " + v.Property + ": "
	switch {
	case v.Violation != nil && v.Violation.Execution != nil:
		w := v.Violation.Execution
		x := l.result(w.Class, subject+story.Sentence(w))
		x.Kind, x.Level = "fail", "error"
		if at := at(w.Where(), ""); at.Physical != nil {
			x.Locations = []location{at}
		}
		x.CodeFlows = []codeFlow{flow(w)}
		l.results = append(l.results, x)
	case v.Status == verdict.Unknown:
		l.results = append(l.results, l.result("unknown", subject+v.Reason))
	case v.Status == verdict.NotJudged:
		l.failed = true
		l.notes = append(l.notes, notification{"error", text{v.Collection + " was not judged: " + v.Reason}})
	case v.Status == verdict.NotShared:
		l.notes = append(l.notes, notification{"note", text{v.Collection + " was not verified, as it is not shared: " + v.Reason}})
	}
	for _, t := range story.Beside(&v) {
		l.notes = append(l.notes, notification{"note", text{subject + t}})
	}
	return nil
}

// result is one of a rule, which is listed if it is not yet.
func (l *Log) result(rule, message string) result {
	index := len(l.rules)
	for i, r := range l.rules {
		if r == rule {
			index = i
		}
	}
	if index == len(l.rules) {
		l.rules = append(l.rules, rule)
	}
	return result{RuleID: rule, RuleIndex: index, Kind: "open", Level: "none", Message: text{message}}
}

// at is a place with a message; without one, if there is no such place in the user's files.
func at(p verdict.Place, message string) location {
	l := location{}
	if p.Line > 0 {
		l.Physical = &physical{artifact{p.File}, region{p.Line}}
	}
	if message != "" {
		l.Message = &text{message}
	}
	return l
}

// flow is an execution: a flow for each thread, in the order of steps.
func flow(w *verdict.Witness) codeFlow {
	f := codeFlow{Message: text{w.Client}}
	if w.Client == "" {
		f.Message.Text = w.Message
	}
	s := story.Of(w, false)
	for t := 1; t <= s.Threads; t++ {
		thread := threadFlow{ID: s.Name(t)}
		for i := range s.Lines {
			line := &s.Lines[i]
			if line.Thread != t {
				continue
			}
			step := flowStep{Location: at(w.Steps[line.Step-1].Place, story.Text(line)), ExecutionOrder: line.Step, Importance: "important"}
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
	type rule struct {
		ID    string `json:"id"`
		Short text   `json:"shortDescription"`
	}
	rules := []rule{}
	for _, id := range l.rules {
		rules = append(rules, rule{id, text{docs[id]}})
	}
	run := map[string]any{
		"tool":     map[string]any{"driver": map[string]any{"name": "Pangolin", "language": "en-US", "rules": rules}},
		"language": "en-US", "newlineSequences": []string{"\n"},
		"results": l.results,
	}
	if len(l.notes) > 0 {
		run["invocations"] = []any{map[string]any{"executionSuccessful": !l.failed, "toolExecutionNotifications": l.notes}}
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
