// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin"
	"pangolin/collections"
	"pangolin/verdict"
)

// Configs are the configurations of COLLECT's Table 1.
func Configs() []string { return []string{"A", "B", "C", "D", "E"} }

// collectRows lists the cells of COLLECT's Table 2 in its order, in all configurations; and collections that are not in the table, if they
// are asked for.
func collectRows(_ context.Context, o *Options) (rows []Row, err error) {
	expected, err := Expectations(collections.Expectations)
	if err != nil {
		return nil, err
	}
	inOrder(expected)
	if o.Short {
		o.Configs = []string{"A", "B"}
	}
	for i := range expected {
		e := &expected[i]
		for _, config := range Configs() {
			if (e.Row != "" || o.Others || len(o.Rows) > 0) && (config != "C" || e.hashes()) {
				rows = append(rows, Row{Names: []string{e.name()}, Column: config, Package: e.Package, Ask: func(ctx context.Context) (Line, error) { return e.run(ctx, config, o) }})
			}
		}
	}
	return rows, nil
}

// order lists the rows in the order of the paper's table.
const order = `CoarseList FineList OptimisticList LazyList LockFreeList LockFreeListOriginal
BoundedQueue UnboundedQueue LockFreeQueue SynchronousQueue SynchronousDualQueue SynchronousDualQueuePatched
CoarseHashSet StripedHashSet RefinableHashSet LockFreeHashSet LockFreeHashSetPatched StripedCuckooHashSet RefinableCuckooHashSet
SimpleLinear SimpleTree FineGrainedHeap FineGrainedHeapFair SkipQueueOriginal SkipQueueQC SkipQueueSC`

// inOrder puts expectations into the paper's order; rows that the paper does not have come last.
func inOrder(rows []Expectation) {
	places := strings.Fields(order)
	slices.SortStableFunc(rows, func(a, b Expectation) int { return place(places, a.Row) - place(places, b.Row) })
}

// place is the index of a row in the table; rows that are not in the paper come last.
func place(places []string, row string) int {
	if i := slices.Index(places, row); i >= 0 {
		return i
	}
	return len(places)
}

// run verifies one cell.
func (e *Expectation) run(ctx context.Context, config string, o *Options) (*Cell, error) {
	r := o.limited(e.Request(config))
	r.Search.AsFound = true // both tables give the time until the verdict, without making the witness smaller
	began := time.Now()
	v, err := e.verify(ctx, r, o.Preempt)
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	if o.Elsewhere != nil { // it has waited for other machines as well
		took = time.Duration(v.Seconds * float64(time.Second))
	}
	return e.cell(config, v, took), nil
}

// paperBound is the paper's bound on preemptions in configuration E.
const paperBound = 2

// verify makes the verdict of a cell. In E preemptions are bounded by bound, or not at all if it is 0. If the paper found a violation
// within its bound, that bound is tried first, since a violation is one with or without a bound. If a limit is reached without a bound,
// the paper's is tried last, and the reason says so.
func (e *Expectation) verify(ctx context.Context, r pangolin.Request, bound int) (*verdict.Verdict, error) {
	bounds := []int{-1}
	switch {
	case r.Scope.Config != "E":
	case bound > 0:
		bounds = []int{bound}
	case e.cells["E"].published == string(verdict.Violated):
		bounds = []int{paperBound, -1}
	default:
		bounds = []int{-1, paperBound}
	}
	ask := pangolin.Verify
	if r.Search.Cache == "" { // the type is found and read once
		p, err := pangolin.Prepare(ctx, r)
		if err != nil {
			return nil, err
		}
		ask = func(ctx context.Context, r pangolin.Request) ([]verdict.Verdict, error) {
			return p.Verify(ctx, r.Search)
		}
	}
	var v *verdict.Verdict
	reached := ""
	for _, b := range bounds {
		r.Search.Preempt = &b
		list, err := ask(ctx, r)
		if err != nil {
			return nil, err
		}
		v = &list[0]
		if v.Status == verdict.Violated || v.Status == verdict.Verified && (b < 0 || reached != "") {
			break
		}
		if v.Status == verdict.Unknown && b < 0 {
			reached = v.Reason
		}
	}
	if reached != "" && v.Status == verdict.Verified {
		v.Reason = fmt.Sprintf("verified within %d preemptions only; without that bound %s", paperBound, reached)
	}
	return v, nil
}

// cell combines a verdict with the published one.
func (e *Expectation) cell(config string, v *verdict.Verdict, took time.Duration) *Cell {
	at := e.cells[config]
	if v.Cached {
		took = time.Duration(v.Seconds * float64(time.Second))
	}
	c := &Cell{Type: "cell", Study: "collect", Row: e.name(), Config: config, Verdict: v.Status, Expected: at.published,
		Seconds: took.Seconds(), Cached: v.Cached, Published: at.publishedSeconds(), Clients: v.Clients, States: v.States, Preempt: v.Scope.Preempt, Schema: verdict.Schema}
	got := string(v.Status)
	if c.Class, c.Note = wrong(v); c.Class == Infinite {
		got = Infinite
	}
	c.Differs = at.published != "" && (got != at.published || v.Violation != nil && !e.names(config, c.Class))
	c.Explained = c.Differs && at.ours.explains(got, c.Class)
	if c.Explained {
		c.Note = strings.TrimPrefix(c.Note+". "+at.ours.why, ". ")
	}
	return c
}

// names says that a class of violations is expected in a configuration, or none is named for it.
func (e *Expectation) names(config, class string) bool {
	for part := range strings.SplitSeq(e.Class, ";") {
		of, classes, ok := strings.Cut(part, ":")
		if !ok {
			of, classes = config, part
		}
		if of == config {
			return slices.Contains(strings.Split(classes, " or "), class)
		}
	}
	return true
}
