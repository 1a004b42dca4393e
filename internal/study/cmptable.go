// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"pangolin/verdict"
)

// The page of the study cmp: the paper's figure beside our results, the lemmas that the proofs need, and the collections that are not in
// the paper.

// Judgement is violated if the verdict differs from the paper's; or, for a collection that is not in the paper, if it contradicts verify's.
func (r *CMPRow) Judgement() verdict.Status {
	switch {
	case r.Paper == nil && r.contradicts(), r.Paper != nil && r.Verdict != verdict.Unknown && r.Verdict != r.Paper.Verdict:
		return verdict.Violated
	case r.Paper == nil || r.Verdict == r.Paper.Verdict:
		return verdict.Verified
	}
	return verdict.Unknown
}

// contradicts reports whether the verdict and that of verify cannot both be right.
func (r *CMPRow) contradicts() bool {
	return r.Expected == verdict.Verified && r.Verdict == verdict.Violated || r.Expected == verdict.Violated && r.Verdict == verdict.Proved && r.Within != verdict.Verified
}

//go:embed pages/cmp.md
var cmpHead string

//go:embed pages/cmp-others.md
var cmpOthers string

// cmpPage writes the paper's rows beside ours, the lemmas, and the other rows.
func cmpPage(p *Page, lines []Line, _ float64) {
	rows := of[CMPRow](lines)
	beyond := slices.IndexFunc(rows, func(r *CMPRow) bool { return r.Paper == nil })
	if beyond < 0 {
		beyond = len(rows)
	}
	p.text(cmpHead)
	for _, r := range rows[:beyond] {
		r.beside(p)
	}
	p.line("\n```")
	for _, r := range rows[:beyond] {
		r.explain(p)
	}
	p.line("```")
	if beyond == len(rows) {
		return
	}
	p.text(cmpOthers)
	for _, r := range rows[beyond:] {
		r.other(p)
	}
}

// beside is the row of a list of the paper.
func (r *CMPRow) beside(p *Page) {
	paper, lemmas := r.Paper, " | | | "
	if l := r.Lemmas; l != nil {
		lemmas = fmt.Sprintf("%d | %d | %s | %.2f", l.Mined, l.True, r.needed(), l.Seconds)
	}
	byHand, ours := "-", "-" // of what is violated nothing is proved, with clauses or without
	if paper.ByHand > 0 {
		byHand, ours = fmt.Sprint(paper.ByHand), "0"
	}
	p.row(r.Name, r.Items, paper.Verdict, paper.Nodes, paper.Seconds, byHand,
		r.Verdict, decimals(r.Seconds, 2), r.Views, r.Effects, r.Cells, decimals(float64(r.Bytes)/1e6, 1), lemmas, ours)
}

// other is the row of another collection.
func (r *CMPRow) other(p *Page) {
	expected, why := string(r.Expected), strings.ReplaceAll(r.Reason, "|", "\\|")
	if expected == "" {
		expected = "-"
	}
	if strings.Contains(why, "the time was up") {
		why += fmt.Sprintf(" (%.0f s)", r.Limit)
	}
	if r.Within != "" {
		why = fmt.Sprintf("with %d different items in D verify says %s", r.Items, r.Within)
	}
	made := ""
	if r.New != "" {
		made = "`" + r.New + "`"
	}
	p.row(r.Name, r.Items, made, expected, r.Verdict, decimals(r.Seconds, 2), r.Views, r.Effects, r.Cells, decimals(float64(r.Bytes)/1e6, 1), why)
}

// needed is the number of lemmas that the proof needs: "3", "at most 5", "not enough", or "?" if the search for them did not end.
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
func (r *CMPRow) explain(p *Page) {
	if r.Verdict != verdict.Proved {
		p.line("%s, items: %d: %s: %s", r.Name, r.Items, r.Verdict, r.Reason)
	}
	if r.Lemmas == nil || !r.Lemmas.Sufficient {
		return
	}
	p.line("%s, items: %d: what the proof needs of other threads:", r.Name, r.Items)
	for _, l := range r.Lemmas.Needed {
		p.line("    at %s, %s:", l.At, l.Does)
		for _, f := range l.Facts {
			p.line("        %s", f)
		}
	}
}
