package study

import (
	"fmt"
	"io"
	"strings"

	"pangolin/verdict"
)

// The page of the study of any number of threads: the paper's figure beside ours, what was found that the proofs need, and
// what the paper did not do.

// Judgement is violated if the verdict is not the paper's, or of what is not the paper's if it is against what verify
// says: proved though something goes wrong, or violated though nothing does.
func (r *CMPRow) Judgement() verdict.Status {
	switch {
	case r.Paper == nil && r.contradicts(), r.Paper != nil && r.Verdict != verdict.Unknown && r.Verdict != r.Paper.Verdict:
		return verdict.Violated
	case r.Paper == nil || r.Verdict == r.Paper.Verdict:
		return verdict.Verified
	}
	return verdict.Unknown
}

// contradicts says that the verdict and what verify says cannot both be right.
func (r *CMPRow) contradicts() bool {
	return r.Expected == verdict.Verified && r.Verdict == verdict.Violated || r.Expected == verdict.Violated && r.Verdict == verdict.Proved
}

const cmpHead = `# Any number of threads over few items: the paper's lists, and ours

Fig. 6 of *Parameterized Model Checking of Fine Grained Concurrency* (Sethi, Talupur,
Schwartz-Narbonne, Malik, SPIN 2012), theirs beside ours: a 4-core 2.4 GHz processor there, one core here, that others
were using, so that these seconds are two to three times those of the CPU (doc/cmp.md has some). Seconds are elapsed: of the paper's search, of our proof, and in the last column but one of the search for the fewest lemmas, of which the
paper needed 9 to 23 clauses from a person ("by hand"). The proof does not need them. Of the optimistic and the lazy list with two
items none are looked for: a proof takes seconds, and the search makes some hundred proofs.

`

const cmpOthers = `
## What the paper did not do

More items, and every other collection of the repository with two, made as in configuration E of the study collect and asked for linearizability.
*expected* is whether verify finds something wrong in any of its configurations; "-": it is not linearizability that the collection promises.
Where the reason is that the time was up, the limit stands behind it.

`

// CMPTable prints rows, the paper's with ours beside and the lemmas below, then the others.
func CMPTable(w io.Writer, rows []CMPRow) error {
	t := &table{w: w}
	t.line("%s", strings.TrimSuffix(cmpHead, "\n"))
	t.line("| collection | items | paper: verdict | nodes | seconds | by hand | ours | seconds | views | effects | cells | MB | mined | true | needed | seconds | by hand |")
	t.line("|---|--:|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	others := false
	for i := range rows {
		if others = others || rows[i].Paper == nil; rows[i].Paper != nil {
			rows[i].beside(t)
		}
	}
	t.line("")
	t.line("```")
	for i := range rows {
		if rows[i].Paper != nil {
			rows[i].explain(t)
		}
	}
	t.line("```")
	if !others {
		return t.err
	}
	t.line("%s", strings.TrimSuffix(cmpOthers, "\n"))
	t.line("| collection | items | made by, with | expected | verdict | seconds | views | effects | cells | MB | why |")
	t.line("|---|--:|---|---|---|--:|--:|--:|--:|--:|---|")
	for i := range rows {
		if rows[i].Paper == nil {
			rows[i].other(t)
		}
	}
	return t.err
}

// beside is the row of a list of the paper.
func (r *CMPRow) beside(t *table) {
	p, lemmas := r.Paper, " | | | "
	if l := r.Lemmas; l != nil {
		lemmas = fmt.Sprintf("%d | %d | %s | %.2f", l.Mined, l.True, r.needed(), l.Seconds)
	}
	t.line("| %s | %d | %s | %d | %g | %d | %s | %.2f | %d | %d | %d | %.1f | %s | 0 |", r.Name, r.Items, p.Verdict, p.Nodes, p.Seconds, p.ByHand,
		r.Verdict, r.Seconds, r.Views, r.Effects, r.Cells, float64(r.Bytes)/1e6, lemmas)
}

// other is the row of another collection.
func (r *CMPRow) other(t *table) {
	expected, why := string(r.Expected), strings.ReplaceAll(r.Reason, "|", "\\|")
	if expected == "" {
		expected = "-"
	}
	if strings.Contains(why, "the time was up") {
		why += fmt.Sprintf(" (%.0f s)", r.Limit)
	}
	made := ""
	if r.New != "" {
		made = "`" + r.New + "`"
	}
	t.line("| %s | %d | %s | %s | %s | %.2f | %d | %d | %d | %.1f | %s |", r.Name, r.Items, made, expected, r.Verdict, r.Seconds, r.Views, r.Effects, r.Cells,
		float64(r.Bytes)/1e6, why)
}

// needed is the number of facts that are needed.
func (r *CMPRow) needed() string {
	switch l := r.Lemmas; {
	case l.Unfinished:
		return "?"
	case !l.Sufficient:
		return "not enough"
	case !l.Minimal:
		return fmt.Sprintf("at most %d", l.Count())
	default:
		return fmt.Sprint(l.Count())
	}
}

// explain prints the lemmas of a row, or why there is no proof.
func (r *CMPRow) explain(t *table) {
	if r.Verdict != verdict.Proved {
		t.line("%s, items: %d: %s: %s", r.Name, r.Items, r.Verdict, r.Reason)
	}
	if r.Lemmas == nil || !r.Lemmas.Sufficient {
		return
	}
	t.line("%s, items: %d: what the proof needs of other threads:", r.Name, r.Items)
	for _, l := range r.Lemmas.Needed {
		t.line("    at %s, %s:", l.At, l.Does)
		for _, f := range l.Facts {
			t.line("        %s", f)
		}
	}
}

// table prints lines until one cannot be.
type table struct {
	w   io.Writer
	err error
}

func (t *table) line(format string, a ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", a...)
	}
}
