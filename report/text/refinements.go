package text

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// refinements prints a study of transition systems as Markdown: sizes as states / transitions, ours
// and below each other the published ones; notes and a total follow.
func (p *Printer) refinements(t *verdict.Refinements) {
	published := slices.ContainsFunc(t.Rows, func(r verdict.Refinement) bool { return r.Published != nil })
	head := []string{"case", "n x m", "verdict", "BB", "WTE", "concrete", "abstract", "quotient", "generate s", "BB s", "WTE s", "refine s"}
	if published {
		head = append(head, "thesis: concrete", "abstract", "BB s", "WTE s")
	}
	p.line("| %s |", strings.Join(head, " | "))
	p.line("|---|---|---|---|---|%s", strings.Repeat("---:|", len(head)-5))
	for i := range t.Rows {
		p.line("| %s |", strings.Join(refinementCells(&t.Rows[i], published), " | "))
	}
	p.line("")
	for i := range t.Rows {
		p.refinementNote(t.Rows, i)
	}
	p.line("\n%d rows in %.0f s.", len(t.Rows), t.Seconds)
}

// refinementCells are the cells of a row.
func refinementCells(r *verdict.Refinement, published bool) []string {
	status := string(r.Verdict)
	if r.Expected != "" && r.Judgement() == verdict.Violated {
		status = "**" + status + " / " + r.Expected + "**"
	}
	cells := []string{r.Row, fmt.Sprintf("%d x %d", r.Threads, r.Calls), status, yesOrNo(r.Branching), yesOrNo(r.WeakTraces)}
	if r.WeakTraces == nil {
		cells = append(cells, "-", "-", "-", "-", "-", "-")
	} else {
		cells = append(cells, sizeText(r.Concrete), sizeText(r.Abstract), sizeText(r.Quotient),
			fmt.Sprintf("%.2f", r.Took.Concrete+r.Took.Abstract), fmt.Sprintf("%.3f", r.Took.Branching), fmt.Sprintf("%.3f", r.Took.WeakTraces))
	}
	cells = append(cells, fmt.Sprintf("%.3f", r.Seconds))
	switch {
	case published && r.Published != nil:
		t := r.Published
		cells = append(cells, sizeText(t.Concrete), sizeText(t.Abstract), fmt.Sprintf("%.2f", t.Branching), fmt.Sprintf("%.2f", t.WeakTraces))
	case published:
		cells = append(cells, "-", "-", "-", "-")
	}
	return cells
}

func sizeText(s verdict.Size) string { return fmt.Sprintf("%d / %d", s.States, s.Transitions) }

func yesOrNo(p *bool) string {
	switch {
	case p == nil:
		return "-"
	case *p:
		return "yes"
	}
	return "no"
}

// refinementNote prints what is worth knowing about row i, unless the row before has said it.
func (p *Printer) refinementNote(rows []verdict.Refinement, i int) {
	r := &rows[i]
	if r.Note != "" && (i == 0 || rows[i-1].Row != r.Row || rows[i-1].Note != r.Note) {
		p.line("- %s: %s", r.Row, r.Note)
	}
	switch trace := strings.Join(r.Trace, ", "); {
	case r.AbstractOnly:
		p.line("- %s %d x %d: a trace of the single steps that the code does not have, which need not do all that is allowed: %s", r.Row, r.Threads, r.Calls, trace)
	case len(r.Trace) > 0:
		p.line("- %s %d x %d: a trace of the code that the single steps do not have: %s", r.Row, r.Threads, r.Calls, trace)
	}
	if r.Branching != nil && !*r.Branching && *r.WeakTraces {
		p.line("- %s %d x %d: not bisimilar, but with the same weak traces: linearizable, and what a call can still return is settled by other steps than one of its own", r.Row, r.Threads, r.Calls)
	}
}

// progressTable prints the progress of collections as Markdown: operations by what they are.
func (p *Printer) progressTable(t *verdict.ProgressTable) {
	classes := []verdict.Property{verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree, verdict.Blocking}
	p.line("| collection | wait-free | lock-free | obstruction-free | blocking | calls | states |")
	p.line("|---|---|---|---|---|---:|---:|")
	for i := range t.Rows {
		r := &t.Rows[i]
		cells := []string{r.Collection}
		for _, class := range classes {
			var list []string
			for _, o := range r.Progress {
				if o.Class == class {
					list = append(list, o.Operation)
				}
			}
			cells = append(cells, strings.Join(list, ", "))
		}
		if r.Scope.Bounds != nil {
			cells = append(cells, fmt.Sprint(r.Scope.Steps[1]))
		} else {
			cells = append(cells, "")
		}
		states := fmt.Sprint(r.States)
		if r.Status == verdict.Unknown {
			states = "?: " + r.Reason
		}
		p.line("| %s |", strings.Join(append(cells, states), " | "))
	}
}
