// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// The page doc/long.md, which is also the record that is read.

// outcome is what came of a part when it was last run.
type outcome struct {
	commit, date string // of the state that was checked, and of the day: "2026-11-26"
	minutes      float64
	result       string // passed, or "failed: exit status 1"
}

const passed = "passed"

const head = `# What takes hours

Parts that .ci/run leaves out, and when each was last run: written by

    bash .ci/long            the parts whose files have changed since
    bash .ci/long NAME...    these parts
    bash .ci/long -status    which are due
    bash .ci/long -tenth     a tenth of them, each day another one, of those that have passed, for a quarter of an hour in all (-minutes N): .ci/run does, and records nothing

Minutes are of a machine with two cores, which may have done other things.

| part | commit | date | minutes | outcome | what |
|---|---|---|---:|---|---|
`

// written is the page.
func written(all []part, ran map[string]outcome) string {
	var b strings.Builder
	b.WriteString(head)
	var never []string
	for _, p := range all {
		if o, was := ran[p.name]; was {
			fmt.Fprintf(&b, "| %s | %s | %s | %.1f | %s | %s |\n", p.name, o.commit, o.date, o.minutes, o.result, p.what)
		} else {
			never = append(never, "* "+p.name+": "+p.what+"\n")
		}
	}
	if len(never) > 0 {
		b.WriteString("\nNot run yet:\n\n" + strings.Join(never, ""))
	}
	return b.String()
}

// parse reads the outcomes from a page.
func parse(text string) (map[string]outcome, error) {
	ran := map[string]outcome{}
	_, rows, _ := strings.Cut(text, "|---|---|---|---:|---|---|\n")
	for line := range strings.Lines(rows) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 {
			return nil, fmt.Errorf("%q does not have six columns", strings.TrimSpace(line))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		minutes, err := strconv.ParseFloat(cells[3], 64)
		if err != nil {
			return nil, err
		}
		ran[cells[0]] = outcome{cells[1], cells[2], minutes, cells[4]}
	}
	return ran, nil
}
