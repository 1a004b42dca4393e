package study

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"pangolin"
	"pangolin/verdict"
)

// The lists of the paper on any number of threads over few items (Sethi, Talupur, Schwartz-Narbonne,
// Malik, SPIN 2012, Fig. 6 and section 5.1), and what it did not do.

// CMPRow is one collection with so many items.
type CMPRow struct {
	Name  string `json:"name"`
	Items int    `json:"items"`
	Paper *Fig6  `json:"paper,omitempty"` // nil: it is not in the paper

	Collection string         `json:"collection"`
	Verdict    verdict.Status `json:"verdict"`
	Engine     string         `json:"engine"`
	Reason     string         `json:"reason"`
	Seconds    float64        `json:"seconds"`
	Views      int            `json:"views"`
	Effects    int            `json:"effects"`
	Cells      int            `json:"cells"` // in a view, at most: objects with their contents
	Bytes      int64          `json:"bytes"` // of the table, about
	// Lemmas are looked for with one item, and with two where that does not take minutes; see verdict.Lemmas. That anybody has to give some
	// does not happen.
	Lemmas *verdict.Lemmas `json:"lemmas,omitempty"`

	pkg, typ string
	lemmas   bool // are looked for
}

// Fig6 is a row of the paper's figure: list nodes, seconds, and the clauses that a person gave
// for the algorithm.
type Fig6 struct {
	Verdict verdict.Status `json:"verdict"`
	Nodes   int            `json:"nodes"`
	Seconds float64        `json:"seconds"`
	ByHand  int            `json:"by_hand"`
}

// fig6 are the paper's rows.
func fig6() []CMPRow {
	row := func(name, typ string, items int, p Fig6) CMPRow {
		return CMPRow{Name: name, pkg: "list", typ: typ, Items: items, Paper: &p, lemmas: items == 1 || typ == "FineList" || typ == "LockFreeList"}
	}
	return []CMPRow{
		row("Fine-grained", "FineList", 1, Fig6{verdict.Proved, 3, 0.11, 9}),
		row("Fine-grained", "FineList", 2, Fig6{verdict.Proved, 4, 3.73, 9}),
		row("Optimistic", "OptimisticList", 1, Fig6{verdict.Proved, 3, 0.83, 13}),
		row("Optimistic", "OptimisticList", 2, Fig6{verdict.Proved, 4, 114.39, 13}),
		row("Lazy", "LazyList", 1, Fig6{verdict.Proved, 5, 18, 9}),
		row("Lazy", "LazyList", 2, Fig6{verdict.Proved, 8, 29554, 9}),
		row("Lock Free", "LockFreeList", 1, Fig6{verdict.Proved, 7, 1.62, 23}),
		row("Lock Free", "LockFreeList", 2, Fig6{verdict.Proved, 10, 401.14, 23}),
		row("Lock Free (buggy)", "LockFreeListOriginal", 1, Fig6{verdict.Violated, 7, 0.63, 23}),
	}
}

// beyond are rows of lists with more items than the paper's.
func beyond() []CMPRow {
	return []CMPRow{
		{Name: "Fine-grained", pkg: "list", typ: "FineList", Items: 3},
		{Name: "Fine-grained", pkg: "list", typ: "FineList", Items: 4},
		{Name: "Lock Free", pkg: "list", typ: "LockFreeList", Items: 3},
		{Name: "Optimistic", pkg: "list", typ: "OptimisticList", Items: 3},
		{Name: "Lazy", pkg: "list", typ: "LazyList", Items: 3},
		{Name: "queue.UnboundedQueue", pkg: "queue", typ: "UnboundedQueue", Items: 3},
		{Name: "queue.UnboundedQueue", pkg: "queue", typ: "UnboundedQueue", Items: 4},
		{Name: "stack.LockFreeStack", pkg: "stack", typ: "LockFreeStack", Items: 3},
		{Name: "stack.LockFreeStack", pkg: "stack", typ: "LockFreeStack", Items: 4},
		{Name: "hashset.CoarseHashSet", pkg: "hashset", typ: "CoarseHashSet", Items: 3},
		{Name: "hashset.StripedHashSet", pkg: "hashset", typ: "StripedHashSet", Items: 3},
	}
}

// CMP repeats the rows of Fig. 6, with lemmas for one item, and gives them as they come; beyond
// them, if asked, lists with more items and every other collection with two.
func CMP(ctx context.Context, opt ThesisOptions, each func(CMPRow)) error {
	rows := fig6()
	if opt.Beyond {
		rows = append(rows, beyond()...)
		found, err := pangolin.Prepare(ctx, pangolin.Request{Dir: opt.Dir, Packages: []string{"pangolin/collections/..."}})
		if err != nil {
			return err
		}
		for _, c := range found.Collections() {
			pkg, typ := packageAndType(c.Name)
			if pkg != "list" {
				rows = append(rows, CMPRow{Name: c.Name, pkg: pkg, typ: typ, Items: 2})
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		if len(opt.Rows) > 0 && !r.among(opt.Rows) {
			continue
		}
		if err := r.prove(ctx, opt); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		each(*r)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// among says that a row is named: by its name or its type, or by its type and items, FineList:1.
func (r *CMPRow) among(names []string) bool {
	for _, n := range names {
		if n == r.Name || n == r.typ || n == fmt.Sprintf("%s:%d", r.typ, r.Items) {
			return true
		}
	}
	return false
}

// prove asks the engine.
func (r *CMPRow) prove(ctx context.Context, opt ThesisOptions) error {
	list, err := pangolin.Verify(ctx, pangolin.Request{Dir: opt.Dir, Packages: []string{"pangolin/collections/" + r.pkg}, Type: r.typ, Engine: "cmp",
		Scope:  pangolin.Scope{Items: r.Items},
		Search: pangolin.Search{Timeout: cmp.Or(opt.Timeout, time.Minute), MaxStates: opt.MaxStates, MaxMemory: opt.MaxMemory, Lemmas: r.lemmas}})
	if err != nil {
		return err
	}
	v := &list[0]
	r.Collection, r.Verdict, r.Engine, r.Reason, r.Seconds = v.Collection, v.Status, v.Engine, v.Reason, v.Seconds
	r.Bytes = v.PeakBytes
	if v.Proof != nil {
		r.Views, r.Effects, r.Cells, r.Lemmas = v.Proof.Views, v.Proof.Effects, v.Proof.Cells, v.Proof.Lemmas
	}
	return nil
}

// Judgement is violated if the verdict is not the paper's.
func (r *CMPRow) Judgement() verdict.Status {
	switch {
	case r.Paper == nil || r.Verdict == r.Paper.Verdict:
		return verdict.Verified
	case r.Verdict == verdict.Unknown:
		return verdict.Unknown
	}
	return verdict.Violated
}

// CMPTable prints rows, ours beside the paper's, and below them the lemmas.
func CMPTable(w io.Writer, rows []CMPRow) error {
	t := &table{w: w}
	t.line("| collection | items | paper: verdict | nodes | seconds | by hand | ours | seconds | views | effects | cells | MB | mined | true | needed | seconds | by hand |")
	t.line("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for i := range rows {
		r := &rows[i]
		paper := " | | | "
		if p := r.Paper; p != nil {
			paper = fmt.Sprintf("%s | %d | %g | %d", p.Verdict, p.Nodes, p.Seconds, p.ByHand)
		}
		lemmas := " | | | "
		if l := r.Lemmas; l != nil {
			lemmas = fmt.Sprintf("%d | %d | %s | %.2f", l.Mined, l.True, r.needed(), l.Seconds)
		}
		t.line("| %s | %d | %s | %s | %.2f | %d | %d | %d | %.1f | %s | 0 |", r.Name, r.Items, paper, r.Verdict, r.Seconds, r.Views, r.Effects, r.Cells, float64(r.Bytes)/1e6, lemmas)
	}
	t.line("")
	for i := range rows {
		rows[i].explain(t)
	}
	return t.err
}

// needed is the number of facts that are needed.
func (r *CMPRow) needed() string {
	switch l := r.Lemmas; {
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
		t.line("%s, %d items: %s: %s", r.Name, r.Items, r.Verdict, r.Reason)
	}
	if r.Lemmas == nil || !r.Lemmas.Sufficient {
		return
	}
	t.line("%s, %d items: what the proof needs of other threads:", r.Name, r.Items)
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
