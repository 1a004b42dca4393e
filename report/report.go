// SPDX-License-Identifier: BSD-3-Clause

// Package report turns results into bytes. A renderer takes the facts of package verdict
// and nothing else; each has a directory below this one and a line in Formats.
//
// The package opens no files, reads no environment, and knows no engine.
package report

import (
	"fmt"
	"io"
	"strings"

	"pangolin/report/html"
	"pangolin/report/json"
	"pangolin/report/junit"
	"pangolin/report/record"
	"pangolin/report/sarif"
	"pangolin/report/text"
	"pangolin/report/vet"
	"pangolin/verdict"
)

// Renderer prints results as they come.
type Renderer interface {
	// Show prints a result: a verdict.Verdict, Collection, Clients, Found, Mutant and so on,
	// or a *verdict.Witness. What a format has no form for is an error.
	Show(result any) error
	// Close prints what comes at the end.
	Close() error
}

// Stepper is a renderer that can print an execution step by step: after each step it calls
// wait, and ends if that returns false.
type Stepper interface {
	Step(w *verdict.Witness, wait func() bool)
}

// Options say how results are printed for people, and what formats need to know beside results.
type Options struct {
	text.Options
	SARIF sarif.Options
	Vet   vet.Options
}

// Format is a form in which results are printed.
type Format struct {
	Name, Doc string
	File      bool // it goes to a file, which a flag of its name names
	New       func(io.Writer, Options) Renderer
}

// Formats are all formats; a new one is a directory and a line.
var Formats = []Format{
	{"text", "lines for people", false, func(w io.Writer, o Options) Renderer { return text.New(w, o.Options) }},
	{"json", "one JSON object a line", false, func(w io.Writer, _ Options) Renderer { return json.New(w) }},
	{"vet", "a line for each problem, as go vet prints it: file:line:column: message", false, func(w io.Writer, o Options) Renderer { return vet.New(w, o.Vet) }},
	{"html", "a page that shows each violation step by step", true, func(w io.Writer, _ Options) Renderer { return html.New(w) }},
	{"sarif", "a SARIF 2.1.0 log with code flows", true, func(w io.Writer, o Options) Renderer { return sarif.New(w, o.SARIF) }},
	{"junit", "a JUnit XML report", true, func(w io.Writer, _ Options) Renderer { return junit.New(w) }},
	{"record", "all that pangolin merge needs to put shards together and to print every format", true, func(w io.Writer, _ Options) Renderer { return record.New(w) }},
}

// New makes a renderer of a format.
func New(format string, out io.Writer, o Options) (Renderer, error) {
	var names []string
	for _, f := range Formats {
		if f.Name == format {
			return f.New(out, o), nil
		}
		names = append(names, f.Name)
	}
	return nil, fmt.Errorf("there is no format %q; there are %s", format, strings.Join(names, ", "))
}

// Ending prints, as the Go runtime does, how the one schedule of a program has ended that was
// executed: nothing, if it has ended by itself.
func Ending(out io.Writer, o *verdict.Outcome) { text.New(out, text.Options{}).Ending(o) }

// Announce prints what will be verified, in brief, for people who wait.
func Announce(out io.Writer, o Options, c verdict.Collection) { text.New(out, o.Options).Found(c) }
