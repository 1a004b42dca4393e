// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Refinement is a row of the study of transition systems: a collection under one client, its code
// beside the same code with every operation in one step, and the published figures.
type Refinement struct {
	Type       string `json:"type"` // "cell"
	Study      string `json:"study"`
	Row        string `json:"row"`
	Collection string `json:"collection"`
	Threads    int    `json:"threads"`
	Calls      int    `json:"calls"`    // of each thread
	Elements   string `json:"elements"` // what the calls of each thread are about, in order
	// Verdict is that of the engine refine on the fly, against the same code in single steps.
	Verdict verdict.Status `json:"verdict"`
	// Expected is the published verdict; "" if there is none.
	Expected string `json:"expected"`
	// Branching and WeakTraces say whether the two systems are branching bisimilar, and have the same
	// weak traces; nil: they were not compared.
	Branching  *bool `json:"branching"`
	WeakTraces *bool `json:"weak_traces"`
	Sizes
	Took Timing `json:"took"`
	// Seconds are those of the verdict, without loading.
	Seconds   float64         `json:"seconds"`
	Published *PublishedSizes `json:"published"` // nil: there are none
	// Trace is a weak trace that one of the systems has and the other has not, AbstractOnly that the
	// abstract one has it. The verdict is verified then: code need not do all that is allowed.
	Trace        []string `json:"trace,omitempty"`
	AbstractOnly bool     `json:"abstract_only,omitempty"`
	Witness      string   `json:"witness,omitempty"` // the file
	// Note says what is worth knowing: how the sizes differ, why there is no verdict.
	Note   string `json:"note"`
	Schema int    `json:"schema"` // the constant verdict.Schema
}

// Sizes are those of the systems; Quotient is that of the concrete one, under branching bisimulation.
type Sizes struct {
	Concrete Size `json:"concrete"`
	Abstract Size `json:"abstract"`
	Quotient Size `json:"quotient"`
}

// Size is how large a system is.
type Size struct {
	States      int `json:"states"`
	Transitions int `json:"transitions"`
}

// Timing is how long the parts of a comparison took, in seconds.
type Timing struct {
	Concrete   float64 `json:"concrete"` // generating it
	Abstract   float64 `json:"abstract"`
	Branching  float64 `json:"branching"` // comparing
	WeakTraces float64 `json:"weak_traces"`
}

// PublishedSizes are a row's published figures.
type PublishedSizes struct {
	Concrete   Size    `json:"concrete"`
	Abstract   Size    `json:"abstract"`
	Branching  float64 `json:"branching_seconds"`
	WeakTraces float64 `json:"weak_trace_seconds"`
}

// Judgement is unknown if our verdict is, violated if it or one of the equivalences is not as
// published.
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

// Told is the row in brief.
func (r *Refinement) Told() string {
	return fmt.Sprintf("%s %d x %d: %s in %.2f s", r.Row, r.Threads, r.Calls, r.Verdict, r.Seconds)
}

// refinementsPage has sizes as states / transitions, ours beside the published ones; notes and a total follow.
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

// refinementNote prints what is worth knowing about row i, unless the row before has said it.
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
