package pangolin

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/verdict"
)

// verdict is the verdict that a result means, without the violation.
func (t *target) verdict(p consist.Property, res *bounded.Result) verdict.Verdict {
	v := verdict.Verdict{
		Type: "verdict", Schema: verdict.Schema,
		Subject: verdict.Subject{Collection: t.name(), Kind: string(t.found.Kind), Protocol: t.found.Protocol.String(),
			Property: string(p), Oracle: t.found.Oracle},
		Engine: "bounded", Status: verdict.Verified, LeftOut: t.leftOut(), Scope: t.bounds.plain(), Assumptions: t.assumptions(res),
		Effort: verdict.Effort{Clients: json.Number(res.Clients), States: res.States, Transitions: res.Transitions,
			Seconds: res.Seconds, PeakBytes: res.PeakBytes},
	}
	switch {
	case res.Violation != nil:
		v.Status, v.Reason = verdict.Violated, res.Violation.Message
	case res.Incomplete != "":
		v.Status, v.Reason = verdict.Unknown, res.Incomplete
	}
	return v
}

// leftOut are the methods that are no operations.
func (t *target) leftOut() []verdict.LeftOut {
	list := []verdict.LeftOut{}
	for _, s := range t.found.Skipped {
		list = append(list, verdict.LeftOut{Operation: s.Name, Why: s.Why})
	}
	return list
}

// assumptions lists what a verdict rests on besides the scope.
func (t *target) assumptions(res *bounded.Result) []string {
	s := &t.bounds.scope
	list := []string{}
	add := func(holds bool, text string) {
		if holds {
			list = append(list, text)
		}
	}
	add(t.bounds.preempt >= 0, fmt.Sprintf("preemption bound %d: executions with more preemptions are not explored (unsound)", t.bounds.preempt))
	add(s.AddsDominant, "clients that may remove more than is added are not explored (adds dominant)")
	add(s.DistinctPriorities, "no two items have the same priority (distinct priorities)")
	add(s.GenericValues, "the code does not look at the items (generic values)")
	add(t.request.Search.NoRaces, "there are no data races: they were not looked for")
	add(t.bounds.fair, "the scheduler is weakly fair: other endless executions do not count")
	add(t.found.Oracle == collection.SelfOracle, "the code is correct when one thread uses it (oracle self)")
	add(res.Store.String() != "exact states", fmt.Sprintf("states are told apart by %s: fewer than %.0e confusions expected", res.Store, roundUp(res.Collisions)))
	return list
}

// roundUp gives a power of ten that is not smaller, and at least 1e-9.
func roundUp(x float64) float64 {
	bound := 1e-9
	for bound < x {
		bound *= 10
	}
	return bound
}

// violation describes a violation, with its witness.
func (t *target) violation(v *verdict.Verdict, l *loaded, b *bounded.Violation) *verdict.Violation {
	w := &verdict.Witness{
		Type: "witness", Version: verdict.Version, Source: t.sourceOf(l), Subject: v.Subject, Scope: v.Scope,
		Schedule: scheduleOf(&b.Recording),
	}
	l.source.describe(w, b)
	return &verdict.Violation{Class: w.Class, Client: w.Client, Summary: w.Message, Execution: w}
}

// describe fills in what a reader sees of an execution.
func (s *sources) describe(w *verdict.Witness, b *bounded.Violation) {
	w.Class, w.Message, w.Client, w.Threads = string(b.Class), b.Message, b.Client, b.Threads
	w.Steps, w.Details, w.Loop = s.steps(b.Steps), slices.Concat(b.Waiting, b.Accesses), b.Loop+1
	w.Timeline, w.Explanation = timeline(b.History), lines(b.Explanation)
	if w.Details == nil {
		w.Details = []string{}
	}
}

// timeline draws a history, without the threads at the end that do nothing.
func timeline(h history.History) []string {
	h.Threads = 0
	for _, e := range h.Events {
		h.Threads = max(h.Threads, e.Thread+1)
	}
	return lines(h.Timeline())
}

func lines(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return []string{}
	}
	return strings.Split(text, "\n")
}

// steps are the steps for people.
func (s *sources) steps(list []bounded.Step) []verdict.Step {
	out := make([]verdict.Step, len(list))
	for i, b := range list {
		out[i] = verdict.Step{Thread: b.Thread + 1, Operation: b.Operation, Function: b.Event.Function, File: b.Event.File,
			Line: b.Event.Line, Access: b.Event.What, Call: b.Invoke, Return: b.Respond}
		if b.Event.File != "" {
			out[i].Source = s.line(b.Event.File, b.Event.Line)
		}
		if b.Invoke == "" && b.Event.What == "" && b.Respond == "" {
			out[i].Return = "()"
		}
	}
	return out
}

// sourceOf says how to load the collection again.
func (t *target) sourceOf(l *loaded) verdict.Source {
	c := l.source.harness.found
	s := verdict.Source{Module: t.listed.Module, Package: t.listed.Path, Patterns: t.patterns, Type: c.Type, New: c.New,
		Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle}
	if c.Instance != "" && strings.Contains(t.overrides.Type, "[") {
		s.Type = t.overrides.Type
	}
	for _, o := range c.Operations {
		s.Ops = append(s.Ops, o.Name)
	}
	return s
}

// write writes the witness if there is a directory for it, and names the file in the
// violation. A witness that cannot be written costs nobody the verdict: it is printed,
// and a note says why there is no file.
func (t *target) write(v *verdict.Violation) {
	if t.request.Out == "" {
		return
	}
	name := strings.ReplaceAll(t.listed.Path, "/", ".") + "." + t.found.Type + "-" + v.Execution.Subject.Property + ".json"
	file, err := writeWitness(t.request.Out, name, v.Execution)
	if err != nil {
		t.request.Events.note("%s: the witness is printed only, it cannot be written: %v (-out names another directory, -out '' none)", t.name(), err)
		return
	}
	v.Witness = file
}

// writeWitness writes a witness into a directory. It is written beside and renamed, so
// that no one ever finds half a witness.
func writeWitness(dir, name string, w *verdict.Witness) (file string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(w, "", " ")
	if err != nil {
		return "", err
	}
	part, err := os.CreateTemp(dir, name+".*.part")
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, name)
	_, err = part.Write(append(text, '\n'))
	err = errors.Join(err, part.Chmod(0o644), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		os.Remove(part.Name())
		return "", err
	}
	return file, nil
}
