package study

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/verdict"
)

// explanations says of mutants that survive why they do, or with which flags they are
// killed after all. The columns are those of explanation; "*" stands for any.
//
//go:embed survivors.csv
var explanations string

// explanation is a line of survivors.csv. The first that fits a mutant holds.
type explanation struct {
	row      string // the collection's, as in the table
	file     string // how its path ends
	function string // the declaration that changes: Name or Type.Name
	operator string
	old, now string // the first line that changes, and the first in its place, without indentation
	// flags of "pangolin mutate" with which the mutant is killed; "" if no scope kills
	// it. The study tries them, and so does a test: what they do not kill is open.
	flags string
	why   string // it survives, or what happens; what begins with "Open" is a guess
}

// fits says whether the explanation is about a mutant.
func (x *explanation) fits(row string, m *verdict.Mutant) bool {
	is := func(want, got string) bool { return want == "*" || want == got }
	old, now := changed(m.Diff)
	return is(x.row, row) && strings.HasSuffix(m.File, "/"+x.file) && is(x.function, m.Func) && is(x.operator, m.Operator) &&
		is(x.old, old) && is(x.now, now)
}

// explainer knows why mutants survive.
type explainer []explanation

func newExplainer() (explainer, error) {
	r := csv.NewReader(strings.NewReader(explanations))
	r.FieldsPerRecord = 8
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("survivors.csv: %w", err)
	}
	var e explainer
	for _, f := range records[1:] {
		e = append(e, explanation{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]})
	}
	return e, nil
}

// find gives the explanation of a mutant; nil if there is none.
func (e explainer) find(row string, m *verdict.Mutant) *explanation {
	for i := range e {
		if e[i].fits(row, m) {
			return &e[i]
		}
	}
	return nil
}

// why is the explanation's text, "" if there is none.
func (e explainer) why(row string, m *verdict.Mutant) string {
	if x := e.find(row, m); x != nil {
		return x.why
	}
	return ""
}

// flags are the explanation's, "" if there is none.
func (e explainer) flags(row string, m *verdict.Mutant) string {
	if x := e.find(row, m); x != nil {
		return x.flags
	}
	return ""
}

// open says that a mutant that nothing killed is not explained, or should have been killed.
func (e explainer) open(row string, m *verdict.Mutant) bool {
	x := e.find(row, m)
	return x == nil || x.flags != "" || strings.HasPrefix(x.why, "Open")
}

// changed gives the first line that a diff removes and the first that it adds, without
// indentation.
func changed(diff string) (old, now string) {
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"), line == "":
		case line[0] == '-' && old == "":
			old = strings.TrimSpace(line[1:])
		case line[0] == '+' && now == "":
			now = strings.TrimSpace(line[1:])
		}
	}
	return old, now
}

// mutantHeader says how the table was taken.
const mutantHeader = `# Mutants of the collections

Does a verdict have teeth? Faults are planted, one at a time, in the source that the
operations of each collection reach, and the collection is verified again. A mutant is
*killed* by a violation, *survives* if it is verified in the whole scope, is *unknown* if a
limit was reached, *invalid* if it does not compile. Mutants that compile to the code of
the original or of another mutant are not counted. "pangolin help mutate" lists the
operators.

The scope is configuration D: one to three threads, one to three calls in all (four of a
synchronous queue), up to one value added before. Mutants that are not killed there are
tried again, with one call more by three threads if that is quick, else by two, or with
flags that their explanation names: *then killed*. (Of a collection with very many states
only those that nothing explains are tried with one call more.) What is left is equivalent to the
original, or said why no scope kills it (*explained*), or *open*. Collections that are not
correct have no row. "n of m" is a selection, spread evenly over the source.

What the survivors show, besides redundant tests and locks in the published algorithms:

  - In the queues a compare-and-swap that becomes a store, and a stamp that is not raised,
    show with five to seven calls, which is more than configurations D and E have.
  - An operation that goes on for ever and grows something as it goes (a slice, a stamp)
    never comes back to a state. It is killed, as *infinite*, when one thread alone comes
    to twenty times as many states as with the original, and five thousand more.

This file is generated: "pangolin study mutants -json" prints mutants.jsonl, and "pangolin
study mutants -from doc/mutants.jsonl" this text, with the explanations that stand in
internal/study/survivors.csv. The flags there are tried by the study, and by a test of
that package. Seconds are those of configuration D, with loading, on a machine with two
cores that did other work as well; a mutant had up to 60.

`

// MutantTable prints rows as Markdown: the sums, then each mutant that is left with what
// a larger scope says of it, or why it survives. Rows are in the order of the study.
func MutantTable(w io.Writer, rows []MutantRow) error {
	e, err := newExplainer()
	if err != nil {
		return err
	}
	e.table(w, rows)
	return nil
}

func (e explainer) table(w io.Writer, rows []MutantRow) {
	places := strings.Fields(order)
	slices.SortStableFunc(rows, func(a, b MutantRow) int {
		return cmp.Or(cmp.Compare(place(places, a.Row), place(places, b.Row)), strings.Compare(a.Row, b.Row))
	})
	fmt.Fprint(w, mutantHeader)
	fmt.Fprint(w, "| collection | property | mutants | killed | survived | unknown | invalid | then killed | explained | open | seconds |\n|---|---|")
	fmt.Fprintln(w, strings.Repeat("---:|", 9))
	var total tally
	for i := range rows {
		t := e.tally(&rows[i])
		t.print(w, rows[i].title(), rows[i].Sum.Property)
		total.add(t)
	}
	total.print(w, "all", "")
	for i := range rows {
		if len(rows[i].Left) > 0 {
			e.section(w, &rows[i])
		}
	}
}

// title names a row, with the configuration if it is not the usual one.
func (row *MutantRow) title() string {
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

func (e explainer) tally(row *MutantRow) tally {
	s := &row.Sum
	t := tally{mutants: s.Mutants, planted: max(s.Planted-s.Same, s.Mutants), killed: s.Killed, survived: s.Survived, unknown: s.Unknown, invalid: s.Invalid, seconds: s.Seconds}
	for i := range row.Left {
		switch {
		case row.Left[i].killedLater():
			t.later++
		case e.open(row.Row, &row.Left[i].Mutant):
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

func (t *tally) print(w io.Writer, name, property string) {
	mutants := fmt.Sprint(t.mutants)
	if t.mutants < t.planted {
		mutants += fmt.Sprintf(" of %d", t.planted)
	}
	fmt.Fprintf(w, "| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %.0f |\n", name, property, mutants, t.killed, t.survived,
		t.unknown, t.invalid, t.later, t.explained, t.open, t.seconds)
}

func (m *LeftMutant) killedLater() bool {
	return m.Larger != nil && m.Larger.Outcome == verdict.Killed
}

// section prints the mutants of a row that are left.
func (e explainer) section(w io.Writer, row *MutantRow) {
	fmt.Fprintf(w, "\n### %s\n", row.title())
	for i := range row.Left {
		m := &row.Left[i]
		fmt.Fprintf(w, "\n**%d %s**, %s:%d: %s\n\n", m.ID, m.Operator, m.File, m.Line, e.verdict(m, row))
		fmt.Fprint(w, "```diff\n", body(m.Diff), "```\n")
	}
}

// body is a diff without the names of the files.
func body(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	return strings.Join(lines[min(3, len(lines)):], "")
}

// verdict says what is known of a mutant that is left.
func (e explainer) verdict(m *LeftMutant, row *MutantRow) string {
	why := e.why(row.Row, &m.Mutant)
	if m.killedLater() {
		by := m.Larger.Reason
		if m.Larger.Client != "" {
			by = "`" + m.Larger.Client + "`"
		}
		return strings.TrimSpace(fmt.Sprintf("killed with %s: %s; %s. %s", cmp.Or(m.Flags, row.Larger), m.Larger.Class, by, why))
	}
	text := cmp.Or(why, "Open.")
	if flags := e.flags(row.Row, &m.Mutant); flags != "" {
		text = strings.TrimSpace(fmt.Sprintf("Open: not killed with %s. %s", flags, why))
	}
	if m.Outcome == verdict.Undecided {
		text = m.Reason + "; " + text
	}
	return text
}
