package study

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin"
)

// explanations says of mutants that survive why they do: file, operator, the first line
// that changes, the first line in its place, why. "*" stands for any. What begins with
// "Open" is a guess, not an explanation.
//
//go:embed survivors.csv
var explanations string

// explainer knows why mutants survive.
type explainer [][]string

func newExplainer() (explainer, error) {
	r := csv.NewReader(strings.NewReader(explanations))
	r.FieldsPerRecord = 5
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("survivors.csv: %w", err)
	}
	return records[1:], nil
}

// why gives the explanation of a mutant; "" if there is none.
func (e explainer) why(m *pangolin.Mutant) string {
	old, now := changed(m.Diff)
	for _, r := range e {
		if strings.HasSuffix(m.File, r[0]) && (r[1] == "*" || m.Operator == r[1]) && (r[2] == "*" || r[2] == old) && (r[3] == "*" || r[3] == now) {
			return r[4]
		}
	}
	return ""
}

func (e explainer) open(m *pangolin.Mutant) bool {
	why := e.why(m)
	return why == "" || strings.HasPrefix(why, "Open")
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
tried again with one call more, by three threads if that is quick, else by two: *then
killed*. What is left is equivalent to the original, or said why it is not killed
(*explained*), or *open*. Collections that are not verified in D themselves have no row;
where the search takes long a selection was tried, spread evenly over the source, or
configuration B (two threads with two calls in all).

What the survivors show, besides redundant tests and locks in the published algorithms:

  - The protocol synchronous has no teeth against calls that wait although their partner
    waits as well: the definition of a correct stuck execution asks for each waiting call
    alone whether it may wait (COLLECT, section 2, after Line-Up). Such mutants are not
    equivalent and are killed in no scope.
  - In the queue of Michael and Scott a compare-and-swap on the tail that becomes a store
    shows with five or six calls, which is more than configurations D and E have.
  - An operation that goes on for ever and grows something as it goes (a slice, a stamp)
    never comes back to a state; it ends at a limit and is unknown, not killed.

This file is generated: "pangolin study mutants -json" prints mutants.jsonl, and "pangolin
study mutants -from doc/mutants.jsonl" this text, with the explanations that stand in
internal/study/survivors.csv. A mutant had some seconds (4 to 10, then twice as many) on a
machine with two cores that did other work as well; seconds are those of configuration D,
with loading.

`

// MutantTable prints rows as Markdown: the sums, then each mutant that is left with what
// a larger scope says of it, or why it survives. Rows are in the order of the study.
func MutantTable(w io.Writer, rows []MutantRow) error {
	e, err := newExplainer()
	if err != nil {
		return err
	}
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
	return nil
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
		case e.open(&row.Left[i].Mutant):
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
	return m.Larger != nil && m.Larger.Outcome == pangolin.Killed
}

// section prints the mutants of a row that are left.
func (e explainer) section(w io.Writer, row *MutantRow) {
	fmt.Fprintf(w, "\n### %s\n", row.title())
	for i := range row.Left {
		m := &row.Left[i]
		fmt.Fprintf(w, "\n**%d %s**, %s:%d: %s\n\n", m.ID, m.Operator, m.File, m.Line, e.verdict(m, row.Larger))
		fmt.Fprint(w, "```diff\n", body(m.Diff), "```\n")
	}
}

// body is a diff without the names of the files.
func body(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	return strings.Join(lines[min(3, len(lines)):], "")
}

// verdict says what is known of a mutant that is left.
func (e explainer) verdict(m *LeftMutant, larger string) string {
	if m.killedLater() {
		return fmt.Sprintf("killed with %s: %s; `%s`.", larger, m.Larger.Class, m.Larger.Client)
	}
	text := "Open."
	if why := e.why(&m.Mutant); why != "" {
		text = why
	}
	if m.Outcome == pangolin.Undecided {
		text = m.Reason + "; " + text
	}
	return text
}
