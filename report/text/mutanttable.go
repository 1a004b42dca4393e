package text

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"pangolin/verdict"
)

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
cores that did other work as well; a mutant had up to 60, of the repaired hash sets up to 300.

On 22 and 23 November all rows were taken again (LockFreeQueueRecycle came to the same, and is the older row, of a machine less busy). Verdicts that changed: the hash sets grow at the thresholds that
COLLECT has, so that in D a table hardly ever grows, and what is planted in growing shows in more calls or in a smaller table. CoarseHashSet has 38
mutants killed for 44 and StripedHashSet 43 for 44, and all seven are killed then. Five mutants of LazySkipListRepaired (101,
106, 110, 115, 117) that took four calls are killed in D, by clients in which the value added before is not the least; two (186, 188) that survived, and one of
FineGrainedHeapPatched (53), came to the limit of 60 seconds, two mutants being tried at a time; two of that one (88, 92) that came to a limit are killed. In what shows it the class of four has changed (DerivedListDCAS 7 and 10: a livelock
is met before the wrong history; SynchronousDualQueuePatched 41 and 49: a panic).

`

// mutantTable prints rows as Markdown: the sums, then each mutant that is left with what
// a larger scope says of it, or why it survives.
func (p *Printer) mutantTable(rows []verdict.MutantRow) {
	w := p.out
	fmt.Fprint(w, mutantHeader)
	fmt.Fprint(w, "| collection | property | mutants | killed | survived | unknown | invalid | then killed | explained | open | seconds |\n|---|---|")
	fmt.Fprintln(w, strings.Repeat("---:|", 9))
	var total tally
	for i := range rows {
		t := tallyOf(&rows[i])
		t.print(w, title(&rows[i]), rows[i].Sum.Property)
		total.add(t)
	}
	total.print(w, "all", "")
	for i := range rows {
		if len(rows[i].Left) > 0 {
			section(w, &rows[i])
		}
	}
}

// title names a row, with the configuration if it is not the usual one.
func title(row *verdict.MutantRow) string {
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

func tallyOf(row *verdict.MutantRow) tally {
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

func (t *tally) print(w io.Writer, name, property string) {
	mutants := fmt.Sprint(t.mutants)
	if t.mutants < t.planted {
		mutants += fmt.Sprintf(" of %d", t.planted)
	}
	fmt.Fprintf(w, "| %s | %s | %s | %d | %d | %d | %d | %d | %d | %d | %.0f |\n", name, property, mutants, t.killed, t.survived,
		t.unknown, t.invalid, t.later, t.explained, t.open, t.seconds)
}

// section prints the mutants of a row that are left.
func section(w io.Writer, row *verdict.MutantRow) {
	fmt.Fprintf(w, "\n### %s\n", title(row))
	for i := range row.Left {
		m := &row.Left[i]
		fmt.Fprintf(w, "\n**%d %s**, %s:%d: %s\n\n", m.ID, m.Operator, m.File, m.Line, known(m, row.Larger))
		fmt.Fprint(w, "```diff\n", body(m.Diff), "```\n")
	}
}

// body is a diff without the names of the files.
func body(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	return strings.Join(lines[min(3, len(lines)):], "")
}

// known says what is known of a mutant that is left.
func known(m *verdict.LeftMutant, larger string) string {
	var x verdict.MutantExplanation
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
