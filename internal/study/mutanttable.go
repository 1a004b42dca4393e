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

// MutantRow contains the outcomes of the mutants of one collection.
type MutantRow struct {
	Type   string `json:"type"` // "mutants"
	Row    string `json:"row"`
	Config string `json:"config"`
	// Sum counts the outcomes in the configuration.
	Sum verdict.MutationSummary `json:"sum"`
	// Larger is the scope in which surviving mutants were tried again; "" if there was none, or the collection itself is not verified
	// there.
	Larger string `json:"larger"`
	// Left are the mutants that were not killed.
	Left []LeftMutant `json:"left"`
}

// LeftMutant is a mutant that a configuration does not kill.
type LeftMutant struct {
	verdict.Mutant
	// Flags are flags of "pangolin mutate" with which, according to its explanation, the mutant is killed; "": it was tried in the row's
	// larger scope.
	Flags string `json:"flags,omitempty"`
	// Larger is its outcome there; nil if it was not tried again.
	Larger *verdict.Mutant `json:"larger"`
	// Explanation is looked up whenever a table is made, so it is not part of the JSON; nil: there is none.
	Explanation *MutantExplanation `json:"-"`
}

// MutantExplanation says why a mutant survives, or what kills it.
type MutantExplanation struct {
	Why   string
	Flags string // flags with which it is killed; "": none kill it
	Guess bool   // Why is not proved
}

// KilledLater reports whether the second attempt killed it.
func (m *LeftMutant) KilledLater() bool { return m.Larger != nil && m.Larger.Outcome == verdict.Killed }

// Open reports whether nothing has killed it, and it has no explanation, or one that is a guess or proved wrong.
func (m *LeftMutant) Open() bool {
	x := m.Explanation
	return !m.KilledLater() && (x == nil || x.Flags != "" || x.Guess)
}

// Told is the row as one line of progress.
func (row *MutantRow) Told() string {
	return fmt.Sprintf("%s: %d mutants, %d killed in %.0f s%s", row.Row, row.Sum.Mutants, row.Sum.Killed, row.Sum.Seconds, hit(row.Sum.Cached > 0))
}

// Judgement is always verified: no figures have been published.
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

// mutantHeader is the page's introduction.
//
//go:embed pages/mutants.md
var mutantHeader string

// mutantsPage writes the table of outcomes, and then each surviving mutant with the result of a second attempt, or an explanation.
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

// title is the name of a row, with its configuration unless that is D.
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

// section writes the surviving mutants of a row.
func section(p *Page, row *MutantRow) {
	p.line("\n### %s", title(row))
	for i := range row.Left {
		m := &row.Left[i]
		p.text(fmt.Sprintf("\n**%d %s**, %s:%d: %s\n\n```diff\n%s```\n", m.ID, m.Operator, m.File, m.Line, known(m, row.Larger), body(m.Diff)))
	}
}

// body is a diff without its first three lines.
func body(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	return strings.Join(lines[min(3, len(lines)):], "")
}

// known describes what is known of a surviving mutant.
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
