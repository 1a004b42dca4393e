// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The page of what is weaker than linearizable: which meanings hold of which type.

const weakerPage = "../../doc/study-weaker.md"

// weakerTwins are types with an operation that promises less. The wrong twin breaks the promise.
type weakerTwins struct {
	twins
	op       string // that promises less; "": the property is of the whole type
	property verdict.Property
}

// small and large are scopes.
var (
	small  = pangolin.Scope{Config: "3x3"}
	narrow = pangolin.Scope{Config: "2x4"}
	large  = pangolin.Scope{Config: "3x4"}
)

func weakerRows() []weakerTwins {
	three := large
	three.Values = 3
	return []weakerTwins{
		{twins{"counters", "Striped", "Merged", large}, "Sum", "linear(Sum:parts)"},
		{twins{"sets", "Halves", "Ageing", narrow}, "Len", "linear(Len:parts)"},
		{twins{"sets", "Synced", "Replaced", narrow}, "Len", "linear(Len:parts)"},
		{twins{"lists", "Walked", "Cut", three}, "Keys", "linear(Keys:parts)"},
		{twins{"sets", "Counted", "Hasty", narrow}, "Len", "linear(Len:some)"},
		{twins{"counters", "Stepwise", "Rounded", large}, "Get", "linear(Get:between)"},
		{twins{"lines", "Ring", "Negative", large}, "Len", "linear(Len:between)"},
		{twins{"counters", "Published", "Seldom", large}, "Get", "linear(Get:stale(1))"},
		{twins{"lines", "Logged", "Forgetful", large}, "Len", "linear(Len:stale(1))"},
		{twins{"sets", "Resting", "Fresh", large}, "Len", "linear(Len:eventually)"},
		{twins{"accounts", "Moving", "Later", large}, "Total", "linear(Total:quiet)"},
		{twins{"lines", "Two", "Three", large}, "Take", "linear(Take:within(2))"},
		{twins{"lines", "Held", "HeldTwo", large}, "Pop", "linear(Pop:within(2))"},
		{twins{"lines", "Buffered", "BufferedTwo", large}, "Take", "linear(Take:within(2))"},
		{twins{"meetings", "Exchanger", "Ghosts", small}, "Exchange", "linear(Exchange:interval)"},
		{twins{"meetings", "Gathering", "Naive", small}, "Join", "linear(Join:interval)"},
		{twins{"meetings", "Barrier", "Recounted", large}, "Await", "linear(Await:interval)"},
		{twins{"counters", "Network", "Toggled", large}, "", verdict.Quiescent},
	}
}

// meaning is what the operation promises; "" if the property is of the whole type.
func (w *weakerTwins) meaning() string {
	if w.op == "" {
		return ""
	}
	return w.property.Promises()[0].Meaning.String()
}

const weakerHead = `# Weaker than linearizable, in a table

Small types of what people write and no order of calls explains, each with a twin that breaks its promise
([source](../internal/study/testdata/weaker)). What the meanings say, with an example each: [weaker.md](weaker.md).

Written by ` + "`go test ./internal/study -run TestWeakerTwins -update`" + `. Each run of the tests computes the verdicts of the
last table anew and a third of the others, with -level more all of them. Of each
the one scope is searched that the last table names, 3x4 (up to three threads, four calls in all) or a part of it; pangolin verify searches more.

    pangolin verify -config 3x4 ./internal/study/testdata/weaker/...    the verdicts that are asked for in the types' comments

## Which meanings hold

Of a read of each type; the right twin stands above the wrong one. A meaning that holds implies those that weaker.md says it implies, and the test holds each row to that. "yes" is of the
scope: three changes, or more, are needed to show that a read is further behind. In the last column is the strongest of parts, some, between, eventually and quiet that the hint after a violation in 3x3 names
by itself, as ` + "`-property all`" + ` does. It is weaker than what holds, or none, where the type's own code has to say what is right, or the search has more states than a hint may take.

`

const withinHead = `
## How far out of order

`

const weakerFigures = `
## What was asked, and what came of it

The property that the type's comment asks for. CPU-s are of the process, compiling the package included, for one worker, on a machine with other work; states and CPU-s are those of the run that wrote the
page, and are not compared.

| type | what it does | property | scope | verdict | what is seen | states | CPU-s |
|---|---|---|---|---|---|---:|---:|
`

// readMeanings are the meanings of reads, and implied which meaning each implies.
var (
	readMeanings   = []string{"", "parts", "some", "between", "stale(1)", "stale(2)", "eventually", "quiet"}
	withinMeanings = []string{"", "within(2)", "within(3)"}
	implied        = [][2]string{{"", "parts"}, {"parts", "some"}, {"some", "between"}, {"between", "quiet"}, {"", "stale(1)"}, {"stale(1)", "stale(2)"}, {"", "eventually"}, {"eventually", "quiet"}, {"", "within(2)"}, {"within(2)", "within(3)"}}
)

// TestWeakerTwins computes the page.
func TestWeakerTwins(t *testing.T) {
	level.SkipShort(t, "verifies 36 types with several properties each")
	a := newAsker(t, "testdata/weaker", weakerPage)
	var b strings.Builder
	rows := weakerRows()
	b.WriteString(weakerHead)
	reads := slices.DeleteFunc(slices.Clone(rows), func(w weakerTwins) bool { return !slices.Contains(readMeanings, w.meaning()) || w.op == "" })
	a.matrix(&b, reads, readMeanings)
	b.WriteString(withinHead)
	a.matrix(&b, slices.DeleteFunc(slices.Clone(rows), func(w weakerTwins) bool { return !slices.Contains(withinMeanings, w.meaning()) || w.op == "" }), withinMeanings)
	b.WriteString(weakerFigures)
	for i := range rows {
		w := &rows[i]
		for k, typ := range w.types() {
			v := a.one(typ, pangolin.Request{Scope: w.scope})
			if want := []verdict.Status{verdict.Verified, verdict.Violated}[k]; v.Status != want || verdict.Property(v.Property) != w.property {
				t.Errorf("%s %s: %s, want %s to be %s", typ, v.Property, v.Status, w.property, want)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |", typ, a.says(typ), w.property, w.scope.Config, v.Status, seen(&v))
			b.WriteString(a.figures(v.States))
		}
	}
	compared(t, weakerPage, b.String())
}

// matrix writes a table of types and meanings.
func (a *asker) matrix(b *strings.Builder, rows []weakerTwins, meanings []string) {
	within := slices.Contains(meanings, "within(2)")
	fmt.Fprintf(b, "| type | operation | linear%s |", strings.Join(meanings, " | "))
	if !within {
		b.WriteString(" hint |")
	}
	fmt.Fprintf(b, "\n|---|---|%s\n", strings.Repeat("---|", len(meanings)+map[bool]int{false: 1}[within]))
	for i := range rows {
		for k, typ := range rows[i].types() {
			if line := a.known("| " + typ + " | " + rows[i].op + " | "); line != "" && level.Out(2*i+k, 3) {
				b.WriteString(line)
				continue
			}
			a.row(b, &rows[i], typ, meanings)
		}
	}
}

// row writes what holds of one type.
func (a *asker) row(b *strings.Builder, w *weakerTwins, typ string, meanings []string) {
	fmt.Fprintf(b, "| %s | %s |", typ, w.op)
	holds := map[string]bool{}
	for _, m := range meanings {
		r := pangolin.Request{Scope: w.scope}
		r.Overlaps = "none"
		if m != "" {
			r.Overlaps = w.op + ":" + m
		}
		v := a.one(typ, r)
		holds[m] = v.Status == verdict.Verified
		fmt.Fprintf(b, " %s |", map[bool]string{true: "yes", false: "no"}[holds[m]])
	}
	for _, p := range implied {
		if weaker, asked := holds[p[1]]; asked && holds[p[0]] && !weaker {
			a.t.Errorf("%s: %q holds, and %q, which it implies, does not", typ, p[0], p[1])
		}
	}
	if slices.Contains(meanings, "quiet") {
		fmt.Fprintf(b, " %s |", a.found(w, typ, holds))
	}
	b.WriteString("\n")
}

// found is the meaning that the hint after a violation names.
func (a *asker) found(w *weakerTwins, typ string, holds map[string]bool) string {
	r := pangolin.Request{Scope: w.scope}
	r.Scope.Config, r.Overlaps = small.Config, "none"
	v := a.one(typ, r)
	for _, hint := range v.Hints {
		if _, of, is := strings.Cut(hint, "Overlaps '"+w.op+":"); is {
			name, _, _ := strings.Cut(of, "'")
			if !holds[name] {
				a.t.Errorf("%s: %s", typ, hint)
			}
			return name
		}
	}
	return "-"
}
