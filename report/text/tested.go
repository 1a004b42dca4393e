// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// tests are the tests that were printed: how many with which result, of which package the last one is, and what was assumed, once each.
type tests struct {
	last    string
	count   map[verdict.TestResult]int
	assumed []string
}

// mostLines is the number of lines of what a test has printed, or of who waits, that are shown without -v.
const mostLines = 8

// mostAssumed is the number of assumptions that are shown without -v.
const mostAssumed = 4

// tested prints a line of the table of tests, with what was found below it.
func (p *Printer) tested(t *verdict.Tested) {
	if p.tests.last != t.Package {
		if p.tests.last != "" {
			p.line("")
		}
		p.line("%s", t.Package)
		p.tests.last = t.Package
	}
	if p.tests.count == nil {
		p.tests.count = map[verdict.TestResult]int{}
	}
	p.tests.count[t.Result]++
	result := string(t.Result)
	if t.Result == verdict.TestFound {
		var kinds []string
		for _, f := range t.Found {
			if len(kinds) == 0 || kinds[len(kinds)-1] != f.As {
				kinds = append(kinds, f.As)
			}
		}
		result += ": " + strings.Join(kinds, ", ")
	}
	figures := fmt.Sprintf("%d states, %.2f s", t.States, t.Seconds)
	switch {
	case t.Sampled != nil:
		figures = fmt.Sprintf("%s, %.2f s", plural(t.Sampled.Schedules, "schedule"), t.Seconds)
	case t.Cached:
		figures = fmt.Sprintf("%d states, cached", t.States)
	case t.Again:
		figures = "by a kept witness"
	case t.Verdict == nil:
		figures = ""
	}
	p.line("  %s  %s  %s", pad(t.Name, 32), pad(result, 14), figures)
	if t.Why != "" {
		p.wrap("      ", "      ", t.Why)
	}
	for i := range t.Found {
		p.finding(t, i)
	}
	for _, a := range t.Assumptions {
		if !slices.Contains(p.tests.assumed, a) {
			p.tests.assumed = append(p.tests.assumed, a)
		}
	}
}

// finding prints what was found by its number, with the whole execution if all is shown.
func (p *Printer) finding(t *verdict.Tested, i int) {
	f := &t.Found[i]
	lines := strings.Split(f.Text, "\n")
	left := 0
	if !p.options.All && len(lines) > mostLines {
		lines, left = lines[:mostLines], len(lines)-mostLines
	}
	p.line("    %s", f.As)
	for _, l := range lines {
		p.line("      | %s", l)
	}
	if left > 0 {
		p.line("      and %d more lines (-v)", left)
	}
	if f.Alike > 0 {
		p.line("      and %s alike", plural(f.Alike, "other outcome"))
	}
	if o := t.Shows(f); p.options.All && o != nil {
		p.line("")
		p.story(o.Execution, true, func() bool { return true })
		p.line("")
		p.details(o.Execution)
	}
	if f.Witness != "" {
		p.line("      witness  %s", f.Witness)
	}
}

// testTotals prints how many tests have which result, and what was assumed for some of them.
func (p *Printer) testTotals() {
	if p.tests.count == nil {
		return
	}
	all, parts := 0, []string{}
	for _, r := range []verdict.TestResult{verdict.TestWhole, verdict.TestToLimit, verdict.TestNotExecutable, verdict.TestNotBegun, verdict.TestFound} {
		if n := p.tests.count[r]; n > 0 {
			all += n
			parts = append(parts, fmt.Sprintf("%d %s", n, r))
		}
	}
	noun := "tests"
	if all == 1 {
		noun = "test"
	}
	p.line("\n%d %s: %s", all, noun, strings.Join(parts, ", "))
	assumed := folded(p.tests.assumed)
	for i, a := range assumed {
		if left := len(assumed) - i; i == mostAssumed && left > 1 && !p.options.All {
			p.line("and %d more assumptions (-v)", left)
			break
		}
		p.wrap("assuming: ", "          ", a)
	}
}
