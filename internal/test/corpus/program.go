// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Program is one small program and what is claimed about it.
type Program struct {
	Name   string // the file's name without .go
	File   string // absolute path; empty for a generated program
	Source string
	Expect Expectation
}

// Expectation is the header of a corpus program: the comment lines of the form
// "// key: value" at its top, where a line indented beneath a key continues it.
//
//	// construct: unbuffered channel, close     what the program is about
//	// outcomes: exact                          or subset, see Exact
//	// outcome: "r=1\n"                         one line each, see ParseOutcome
//	// waits: chan receive, sync.Mutex.Lock     of the deadlock outcome above it
//	// open: capacity                           what the language leaves open, see Open
//	// why: the hand argument
type Expectation struct {
	Constructs []string
	// Exact claims that the outcomes are all there are and that each of them
	// can happen. Otherwise ("subset") they are some that must be enumerated, and
	// nothing is claimed about others.
	Exact    bool
	Outcomes []Outcome
	// Open names what the language leaves to the implementation in this program (doc/open.md): each outcome is
	// one of the language's, but one compiler need not show them all.
	Open string
	Why  string

	// MayRace allows data races that Outcomes does not list. No corpus
	// program has it set; generated ones have.
	MayRace bool
}

// Racy says whether a data race is among the expected outcomes, or may be.
func (e Expectation) Racy() bool {
	return e.MayRace || slices.ContainsFunc(e.Outcomes, func(o Outcome) bool { return o.Race })
}

// Programs reads the corpus of concurrent programs, sorted by name. The
// argument is the directory of this package, as seen by the caller.
func Programs(dir string) ([]Program, error) {
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "programs", "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no programs beneath %s", dir)
	}
	slices.Sort(files)
	var programs []Program
	for _, file := range files {
		p, err := readProgram(file)
		if err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	return programs, nil
}

// Save writes a generated program to a file of its own beneath dir and returns
// it with File set, so that it can be enumerated.
func (p Program) Save(dir string) (Program, error) {
	abs, err := filepath.Abs(filepath.Join(dir, p.Name, "main.go"))
	if err != nil {
		return p, err
	}
	p.File = abs
	return p, writeFile(dir, p.Name+"/main.go", p.Source)
}

func readProgram(file string) (Program, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return Program{}, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return Program{}, err
	}
	p := Program{Name: strings.TrimSuffix(filepath.Base(file), ".go"), File: abs, Source: string(source)}
	if p.Expect, err = parseExpectation(p.Source); err != nil {
		return Program{}, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// headerLine is one "key: value" of a header, continuation lines joined.
type headerLine struct{ key, value string }

// headerLines reads the comment at the top of a source text. Lines that start
// with marker and a space belong to the header; the first other line ends it.
func headerLines(source, marker string) []headerLine {
	var lines []headerLine
	for line := range strings.Lines(source) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), marker)
		if !ok {
			break
		}
		if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "  ") {
			if len(lines) > 0 {
				last := &lines[len(lines)-1]
				last.value = strings.TrimSpace(last.value + " " + strings.TrimSpace(text))
			}
			continue
		}
		key, value, ok := strings.Cut(strings.TrimSpace(text), ":")
		if !ok {
			break
		}
		lines = append(lines, headerLine{key, strings.TrimSpace(value)})
	}
	return lines
}

func parseExpectation(source string) (Expectation, error) {
	var e Expectation
	kind := ""
	for _, line := range headerLines(source, "//") {
		if err := e.parseLine(line, &kind); err != nil {
			return e, err
		}
	}
	return e, e.validate(kind)
}

func (e *Expectation) parseLine(line headerLine, kind *string) error {
	switch line.key {
	case "construct":
		e.Constructs = splitList(line.value)
	case "outcomes":
		*kind = line.value
		e.Exact = line.value == "exact"
	case "outcome":
		o, err := ParseOutcome(line.value)
		if err != nil {
			return err
		}
		e.Outcomes = append(e.Outcomes, o)
	case "waits":
		if len(e.Outcomes) == 0 {
			return fmt.Errorf("waits before any outcome")
		}
		waits := splitList(line.value)
		slices.Sort(waits)
		e.Outcomes[len(e.Outcomes)-1].Waits = waits
	case "open":
		e.Open = line.value
	case "why":
		e.Why = line.value
	default:
		return fmt.Errorf("unknown header key %q", line.key)
	}
	return nil
}

func (e Expectation) validate(kind string) error {
	switch {
	case kind != "exact" && kind != "subset":
		return fmt.Errorf("outcomes is %q, neither exact nor subset", kind)
	case len(e.Constructs) == 0:
		return fmt.Errorf("no construct")
	case len(e.Outcomes) == 0:
		return fmt.Errorf("no outcome")
	case e.Exact && len(e.Why) < 15:
		return fmt.Errorf("an exact set needs its argument")
	}
	return nil
}

func splitList(text string) []string {
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		items = append(items, strings.TrimSpace(item))
	}
	return items
}
