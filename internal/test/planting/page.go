// SPDX-License-Identifier: BSD-3-Clause

package planting

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Section is a part of a page, with a table of faults and what finds each. Tests of several packages may write parts of one page.
type Section struct{ Page, Title string }

var failed = regexp.MustCompile(`^--- FAIL: (Test\w+).*`)

// row is a fault's line.
func row(f Fault, by string) string {
	by = strings.ReplaceAll(failed.ReplaceAllString(by, "$1"), ": ,", ",")
	return fmt.Sprintf("| %s | %s | %s |\n", f.Name, f.Wrong, strings.ReplaceAll(by, "|", `\|`))
}

// split is the page: what is in front of the section's rows, the rows, and what is behind them.
func (s Section) split(t testing.TB) (before, rows, after string) {
	t.Helper()
	text, err := os.ReadFile(s.Page)
	if err != nil {
		t.Fatal(err)
	}
	head := "\n## " + s.Title + "\n"
	_, part, found := strings.Cut(string(text), head)
	top, rest, table := strings.Cut(part, "|---|---|---|\n")
	if !found || !table {
		t.Fatalf("%s has no table of %q", s.Page, s.Title)
	}
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows += line
	}
	begin := string(text)[:strings.Index(string(text), head)]
	return begin + head + top + "|---|---|---|\n", rows, rest[len(rows):]
}

// Write writes the rows of the section anew.
func (s Section) Write(t testing.TB, faults []Fault, by map[string]string) {
	t.Helper()
	before, _, after := s.split(t)
	for _, f := range faults {
		before += row(f, by[f.Name])
	}
	if err := os.WriteFile(s.Page, []byte(before+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Check fails unless the section has the faults, in order, each with what is wrong and what finds it.
func (s Section) Check(t testing.TB, faults []Fault) {
	t.Helper()
	_, rows, _ := s.split(t)
	lines := strings.SplitAfter(strings.TrimSuffix(rows, "\n"), "\n")
	if len(lines) != len(faults) {
		t.Errorf("%s: %d rows for %d faults of %q: -level more -update writes them", s.Page, len(lines), len(faults), s.Title)
		return
	}
	for i, f := range faults {
		if begin := fmt.Sprintf("| %s | %s | ", f.Name, f.Wrong); f.Wrong == "" || !strings.HasPrefix(lines[i], begin) || len(strings.TrimSpace(lines[i])) < len(begin)+2 {
			t.Errorf("%s: %q is no row of the fault %s, which says what is wrong and what finds it", s.Page, lines[i], f.Name)
		}
	}
}
