// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Refinement is a row of the study thesis: the transition system of a collection under one client, compared with that of the same code
// with every operation in one step, beside the published figures.
type Refinement struct {
	Type       string `json:"type"` // "cell"
	Study      string `json:"study"`
	Row        string `json:"row"`
	Collection string `json:"collection"`
	Threads    int    `json:"threads"`
	Calls      int    `json:"calls"`    // of each thread
	Elements   string `json:"elements"` // the arguments of each thread's calls: "2 4 | 4 8"; "": any of two
	// Verdict is that of the engine refine, which compares with single steps without generating both systems.
	Verdict verdict.Status `json:"verdict"`
	// Expected is the published verdict; "" if there is none.
	Expected string `json:"expected"`
	// Branching and WeakTraces report whether the two systems are branching bisimilar, and have the same weak traces; nil: not compared.
	Branching  *bool `json:"branching"`
	WeakTraces *bool `json:"weak_traces"`
	Sizes
	Cost
	Published *PublishedSizes `json:"published"` // nil: there are none
	// Trace is a weak trace of only one of the systems; with AbstractOnly, of the abstract one, which does not violate refinement.
	Trace        []string `json:"trace,omitempty"`
	AbstractOnly bool     `json:"abstract_only,omitempty"`
	Witness      string   `json:"witness,omitempty"` // the file
	// Note explains how the sizes differ from the thesis's, or why there is no verdict.
	Note   string `json:"note"`
	Schema int    `json:"schema"` // the constant verdict.Schema
}

// Cost is the time that a row took.
type Cost struct {
	Took Timing `json:"took"`
	// Seconds is the time of the verdict, without loading.
	Seconds float64 `json:"seconds"`
	Cached  bool    `json:"cached,omitempty"` // the line was kept (-cache), and its times are of the run that led to it
}

// Sizes are the sizes of the systems; Quotient is the concrete one modulo branching bisimulation.
type Sizes struct {
	Concrete Size `json:"concrete"`
	Abstract Size `json:"abstract"`
	Quotient Size `json:"quotient"`
}

// Size is the size of a transition system.
type Size struct {
	States      int `json:"states"`
	Transitions int `json:"transitions"`
}

// Timing gives the seconds that the parts of a comparison took.
type Timing struct {
	Concrete   float64 `json:"concrete"` // generating it
	Abstract   float64 `json:"abstract"`
	Branching  float64 `json:"branching"` // comparing
	WeakTraces float64 `json:"weak_traces"`
}

// PublishedSizes are the figures in the thesis's table.
type PublishedSizes struct {
	Concrete   Size    `json:"concrete"`
	Abstract   Size    `json:"abstract"`
	Branching  float64 `json:"branching_seconds"`
	WeakTraces float64 `json:"weak_trace_seconds"`
}

// Judgement is unknown if our verdict is, and violated if the verdict or one of the equivalences differs from the published one.
func (r *Refinement) Judgement() verdict.Status {
	if r.Verdict == verdict.Unknown {
		return verdict.Unknown
	}
	if r.Expected == "" {
		return verdict.Verified
	}
	holds := r.Expected == string(verdict.Verified)
	if string(r.Verdict) != r.Expected || !is(r.Branching, holds) || !is(r.WeakTraces, holds) {
		return verdict.Violated
	}
	return verdict.Verified
}

func is(p *bool, value bool) bool { return p != nil && *p == value }

// Told is the row as one line of progress.
func (r *Refinement) Told() string {
	return fmt.Sprintf("%s %d x %d: %s in %.2f s%s", r.Row, r.Threads, r.Calls, r.Verdict, r.Seconds, hit(r.Cached))
}

// refinementsPage writes a table with sizes as states / transitions, ours beside the published ones, notes and the total time.
func refinementsPage(p *Page, lines []Line, seconds float64) {
	rows := of[Refinement](lines)
	published := slices.ContainsFunc(rows, func(r *Refinement) bool { return r.Published != nil })
	head := []string{"case", "n x m", "verdict", "BB", "WTE", "concrete", "abstract", "quotient", "generate s", "BB s", "WTE s", "refine s"}
	if published {
		head = append(head, "thesis: concrete", "abstract", "BB s", "WTE s")
	}
	p.header(head, "|---|---|---|---|---|"+strings.Repeat("---:|", len(head)-5))
	for _, r := range rows {
		p.row(r.cells(published)...)
	}
	p.line("")
	for i := range rows {
		p.refinementNote(rows, i)
	}
	p.line("\n%d rows in %.0f s.", len(rows), seconds)
}

// cells are those of its row.
func (r *Refinement) cells(published bool) []any {
	status := string(r.Verdict)
	if r.Expected != "" && r.Judgement() == verdict.Violated {
		status = "**" + status + " / " + r.Expected + "**"
	}
	cells := []any{r.Row, fmt.Sprintf("%d x %d", r.Threads, r.Calls), status, yesOrNo(r.Branching), yesOrNo(r.WeakTraces)}
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

func sizeText(s Size) string { return fmt.Sprintf("%d / %d", s.States, s.Transitions) }

func yesOrNo(p *bool) string {
	switch {
	case p == nil:
		return "-"
	case *p:
		return "yes"
	}
	return "no"
}

// refinementNote writes the notes about row i, unless the row before has the same.
func (p *Page) refinementNote(rows []*Refinement, i int) {
	r := rows[i]
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
