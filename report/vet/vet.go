// SPDX-License-Identifier: BSD-3-Clause

// Package vet prints what is wrong as compilers and go vet print it, which every editor's problem matcher takes: file:line:column: message,
// one line each. A violation is such a line, a verdict that is unknown another one, and what was named and not judged a line that
// begins with #. What is verified, or as expected, is no line.
//
// A line is about the place that the sentence about the violation speaks of (story.Spots), or where the type is declared. The column is 1:
// verdicts know lines.
//
// The package takes plain data (package verdict) and a writer, and sees nothing else.
package vet

import (
	"fmt"
	"io"
	"strings"

	"pangolin/report/story"
	"pangolin/verdict"
)

// Options are what verdicts do not say.
type Options struct {
	// Located gives the file of a verdict as the editor finds it; "": it is not there. nil: as verdicts name them.
	Located func(file string) string
}

// Printer prints lines.
type Printer struct {
	out     io.Writer
	options Options
	err     error // the first one in writing
}

// New makes a printer.
func New(out io.Writer, o Options) *Printer { return &Printer{out: out, options: o} }

// Show prints a result; verdicts are of interest.
func (p *Printer) Show(r any) error {
	v, is := r.(verdict.Verdict)
	if !is {
		return nil
	}
	text := Message(&v)
	switch {
	case v.Status == verdict.NotJudged:
		p.line("# %s was not judged: %s", v.Collection, oneLine(v.Reason))
	case text != "":
		p.at(&v, text)
	}
	return p.err
}

// at prints a message at the first place of a verdict that the editor finds.
func (p *Printer) at(v *verdict.Verdict, text string) {
	for _, s := range Places(v) {
		file := s.File
		if p.options.Located != nil {
			file = p.options.Located(file)
		}
		if file != "" {
			p.line("%s:%d:1: %s", file, s.Line, text)
			return
		}
	}
	p.line("# %s", text)
}

func (p *Printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// Close returns the first error in writing.
func (p *Printer) Close() error { return p.err }

// Message says in one line what a verdict has to say to the author of the code: what is violated, or why it is unknown; "" if there is nothing.
func Message(v *verdict.Verdict) string {
	subject := v.Collection
	if v.Property != string(verdict.Linear) {
		subject += ", " + v.Property
	}
	switch {
	case v.AsExpected():
		return ""
	case v.Violation != nil && v.Violation.Execution != nil:
		return subject + ": " + v.Violation.Class + ": " + oneLine(story.Sentence(v.Violation.Execution))
	case v.Status == verdict.Unknown:
		return subject + ": unknown: " + oneLine(v.Reason)
	}
	return ""
}

// Places are the places that a verdict is about, the most important one first, and where the type is declared.
func Places(v *verdict.Verdict) (list []story.Spot) {
	if v.Violation != nil && v.Violation.Execution != nil {
		list = story.Spots(v.Violation.Execution)
	}
	if v.Declared != nil {
		list = append(list, story.Spot{Place: *v.Declared, Text: "the type is declared here"})
	}
	return list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
