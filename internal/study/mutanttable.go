// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// MutantRow is what became of the mutants of one collection in a study.
type MutantRow struct {
	Type   string `json:"type"` // "mutants"
	Row    string `json:"row"`
	Config string `json:"config"`
	// Sum counts the outcomes in the configuration.
	Sum verdict.MutationSummary `json:"sum"`
	// Larger is the scope in which mutants that are left were tried again; "" if there was
	// none or the collection itself is not verified there.
	Larger string `json:"larger"`
	// Left are the mutants that were not killed.
	Left []LeftMutant `json:"left"`
}

// LeftMutant is a mutant that a configuration does not kill.
type LeftMutant struct {
	verdict.Mutant
	// Flags are those with which an explanation says that it is killed; "": there is none,
	// and the larger scope is the row's.
	Flags string `json:"flags,omitempty"`
	// Larger is what became of it in the larger scope; nil if it was not tried there.
	Larger *verdict.Mutant `json:"larger"`
	// Explanation is what the study knows of it; nil: nothing. It is no part of the JSON, for
	// it is found anew whenever a table is made.
	Explanation *MutantExplanation `json:"-"`
}

// MutantExplanation says why a mutant survives, or what kills it.
type MutantExplanation struct {
	Why   string
	Flags string // with which it is killed; "": with none
	Guess bool   // nobody has shown it
}

// KilledLater says that the larger scope has killed it.
func (m *LeftMutant) KilledLater() bool { return m.Larger != nil && m.Larger.Outcome == verdict.Killed }

// Open says that nothing has killed it, and that it is not explained or should have been killed.
func (m *LeftMutant) Open() bool {
	x := m.Explanation
	return !m.KilledLater() && (x == nil || x.Flags != "" || x.Guess)
}

// Told is the row in brief.
func (row *MutantRow) Told() string {
	return fmt.Sprintf("%s: %d mutants, %d killed in %.0f s", row.Row, row.Sum.Mutants, row.Sum.Killed, row.Sum.Seconds)
}

// Judgement is none: nobody has published what mutants come to.
func (row *MutantRow) Judgement() verdict.Status { return verdict.Verified }

// sortMutants puts rows into the paper's order.
func sortMutants(lines []Line) ([]Line, error) {
	places := strings.Fields(order)
	slices.SortStableFunc(lines, func(x, y Line) int {
		a, b := x.(*MutantRow).Row, y.(*MutantRow).Row
		return cmp.Or(cmp.Compare(place(places, a), place(places, b)), strings.Compare(a, b))
	})
	return lines, nil
}

// mutantHeader says how the table was taken.
//
//go:embed pages/mutants.md
var mutantHeader string

// mutantsPage has the sums, then each mutant that is left with what a larger scope says of it, or why it survives.
func mutantsPage(p *Page, lines []Line, _ float64) {
	var known explainer
	if known, p.err = newExplainer(); p.err != nil {
		return
	}
	lines, _ = sortMutants(lines)
	rows := of[MutantRow](lines)
	p.text(mutantHeader)
	var total tally
	for _, row := range rows {
		known.explain(row)
		t := tallyOf(row)
		t.print(p, title(row), row.Sum.Property)
		total.add(t)
	}
	total.print(p, "all", "")
	for _, row := range rows {
		if len(row.Left) > 0 {
			section(p, row)
		}
	}
}

// title names a row, with the configuration if it is not the usual one.
func title(row *MutantRow) string {
	if row.Config == "D" {
		return row.Row
	}
	return row.Row + " in " + row.Config
}

// tally is a line of the table.
type tally struct {
	mutants, planted, killed, survived, unknown, invalid int
	later, explained, open                               int
	seconds                                              float64
}

func tallyOf(row *MutantRow) tally {
	s := &row.Sum
	t := tally{mutants: s.Mutants, planted: max(s.Planted-s.Same, s.Mutants), killed: s.Killed, survived: s.Survived, unknown: s.Unknown, invalid: s.Invalid, seconds: s.Seconds}
	for i := range row.Left {
		switch m := &row.Left[i]; {
		case m.KilledLater():
			t.later++
		case m.Open():
			t.open++
		default:
			t.explained++
		}
	}
	return t
}

func (t *tally) add(u tally) {
	t.mutants, t.planted = t.mutants+u.mutants, t.planted+u.planted
	t.killed, t.survived = t.killed+u.killed, t.survived+u.survived
	t.unknown, t.invalid, t.later = t.unknown+u.unknown, t.invalid+u.invalid, t.later+u.later
	t.explained, t.open, t.seconds = t.explained+u.explained, t.open+u.open, t.seconds+u.seconds
}

func (t *tally) print(p *Page, name, property string) {
	mutants := fmt.Sprint(t.mutants)
	if t.mutants < t.planted {
		mutants += fmt.Sprintf(" of %d", t.planted)
	}
	p.row(name, property, mutants, t.killed, t.survived, t.unknown, t.invalid, t.later, t.explained, t.open, decimals(t.seconds, 0))
}

// section prints the mutants of a row that are left.
func section(p *Page, row *MutantRow) {
	p.line("\n### %s", title(row))
	for i := range row.Left {
		m := &row.Left[i]
		p.text(fmt.Sprintf("\n**%d %s**, %s:%d: %s\n\n```diff\n%s```\n", m.ID, m.Operator, m.File, m.Line, known(m, row.Larger), body(m.Diff)))
	}
}

// body is a diff without the names of the files.
func body(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	return strings.Join(lines[min(3, len(lines)):], "")
}

// known says what is known of a mutant that is left.
func known(m *LeftMutant, larger string) string {
	var x MutantExplanation
	if m.Explanation != nil {
		x = *m.Explanation
	}
	if m.KilledLater() {
		by := m.Larger.Reason
		if m.Larger.Client != "" {
			by = "`" + m.Larger.Client + "`"
		}
		return strings.TrimSpace(fmt.Sprintf("killed with %s: %s; %s. %s", cmp.Or(m.Flags, larger), m.Larger.Class, by, x.Why))
	}
	text := cmp.Or(x.Why, "Open.")
	if x.Flags != "" {
		text = strings.TrimSpace(fmt.Sprintf("Open: not killed with %s. %s", x.Flags, x.Why))
	}
	if m.Outcome == verdict.Undecided {
		text = m.Reason + "; " + text
	}
	return text
}
