// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
)

// The page doc/mutation.md, which is also the record that is read.

const page = "doc/mutation.md"

// outcome is what came of a mutant.
type outcome struct {
	Name  string // of the mutant
	Room  string
	Found string // "internal/consist: TestX"; "": by nothing

}

//go:embed argued.csv
var arguments string

// argument says why a mutant that nothing finds does no harm.
type argument struct{ class, why string }

// classes are the kinds of arguments.
var classes = map[string]string{
	"equivalent":  "no input makes a difference",
	"performance": "the same answers, at other cost",
	"message":     "other words for the same verdict",
	"open":        "a test is missing",
}

func argued() (map[string]argument, error) {
	rows, err := csv.NewReader(strings.NewReader(arguments)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("argued.csv: %w", err)
	}
	of := map[string]argument{}
	for _, r := range rows {
		if classes[r[1]] == "" || r[2] == "" {
			return nil, fmt.Errorf("argued.csv: %s: there is no class %q, or no reason", r[0], r[1])
		}
		of[r[0]] = argument{r[1], r[2]}
	}
	return of, nil
}

const head = `# Mutants of the tool itself

Does a test notice if code that decides about verdicts is wrong? Small faults are planted in it, one at a time: a condition is true, a bound takes in
equal values, a statement is left out. Written by

    go run ./internal/test/mutation                     plants the faults, and writes this page; when interrupted, it goes on where it was
    go run ./internal/test/mutation -survivors          tries those again that nothing found; with -with -test.short=false by the tests at their usual level

The faults are drawn by a fixed seed, in each room as many as its share of the code. All are in one build of the tests, switched off; one at a
time is on. It is tried by the test that this page names, then by the tests of its own package with -short, then by those of packages that use it, as far as they reach it; what crashes or does not end is
found. -each is the CPU that is spent on one: with little of it only the tests of its own package and the quickest others are run, so that what is not
found may be found by tests further away. What they do not find any more is tried by the test that this page names, at its usual level. Existing tools for Go compile and link each mutant by itself and run just the tests of its own package; here the whole suite
is compiled once.

`

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// written is the page.
func written(all []outcome, counts map[string]int) (string, error) {
	reasons, err := argued()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("| room | places | planted | found by its own tests | by others | not found | of these a test is missing |\n|---|---:|---:|---:|---:|---:|---:|\n")
	var total [6]int
	row := func(name string, of func(o *outcome) bool, places int) {
		var n [6]int
		n[0] = places
		for i := range all {
			o := &all[i]
			if !of(o) {
				continue
			}
			n[1]++
			dir, _, _ := strings.Cut(o.Found, ": ")
			switch {
			case o.Found == "":
				n[4]++
				if r := reasons[o.Name]; r.class == "" || r.class == "open" {
					n[5]++
				}
			case strings.HasPrefix(o.Name, dir+"/"):
				n[2]++
			default:
				n[3]++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, n[0], n[1], n[2], n[3], n[4], n[5])
		total = n
	}
	places := 0
	for _, r := range rooms() {
		row(r.name, func(o *outcome) bool { return o.Room == r.name }, counts[r.name])
		places += counts[r.name]
	}
	row("all", func(*outcome) bool { return true }, places)
	fmt.Fprintf(&b, "\nNot found, and a test is missing: %.1f %% of what was planted.\n", 100*float64(total[5])/float64(max(1, total[1])))
	all = slices.Clone(all)
	slices.SortFunc(all, func(x, y outcome) int { return strings.Compare(x.Name, y.Name) })
	b.WriteString("\n## Not found\n\n| mutant | why |\n|---|---|\n")
	for _, o := range all {
		if o.Found == "" {
			r, is := reasons[o.Name]
			if !is {
				r = argument{"open", classes["open"]}
			}
			fmt.Fprintf(&b, "| %s | %s: %s |\n", cell(o.Name), r.class, cell(r.why))
		}
	}
	b.WriteString("\n## Found\n\n| mutant | by |\n|---|---|\n")
	for _, o := range all {
		if o.Found != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(o.Name), cell(o.Found))
		}
	}
	return b.String(), nil
}

// parse reads a page: its mutants, what found them, and how many places each room has.
func parse(text string) (all []outcome, counts map[string]int) {
	counts = map[string]int{}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if s, is := strings.CutPrefix(line, "## "); is {
			section = s
		}
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(strings.Trim(line, "| "), "\\|", "\x00"), " | ")
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "\x00", "|")
		}
		switch {
		case cells[0] == "mutant":
		case section == "" && slices.ContainsFunc(rooms(), func(r room) bool { return r.name == cells[0] }):
			n := 0
			fmt.Sscan(cells[1], &n)
			counts[cells[0]] = n
		case section == "Found":
			all = append(all, outcome{cells[0], roomOf(cells[0]), cells[1]})
		case section == "Not found":
			all = append(all, outcome{cells[0], roomOf(cells[0]), ""})
		}
	}
	return all, counts
}
