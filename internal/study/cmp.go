// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"fmt"
	"path"
	"slices"

	"pangolin"
	"pangolin/collections"
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
	New        string         `json:"new,omitempty"`      // the constructor expression, and roles; "": chosen by prove
	Expected   verdict.Status `json:"expected,omitempty"` // the verdict of verify on linearizability; "": the collection does not promise it
	// Within is the verdict of verify on clients with no more different items than Items, in D: of those that are proved though verify finds
	// something wrong with more.
	Within  verdict.Status `json:"within,omitempty"`
	Verdict verdict.Status `json:"verdict"`
	Engine  string         `json:"engine"`
	Reason  string         `json:"reason"`
	Seconds float64        `json:"seconds"`
	Cached  bool           `json:"cached,omitempty"` // the verdict was kept (-cache), with the seconds of the search that led to it
	Limit   float64        `json:"limit"`            // on the seconds
	Views   int            `json:"views"`
	Effects int            `json:"effects"`
	Cells   int            `json:"cells"` // the greatest number of objects in a view
	Bytes   int64          `json:"bytes"` // memory of the table, approximately
	// Lemmas are the facts about other threads that the proof needs. They are looked for in the paper's rows.
	Lemmas *verdict.Lemmas `json:"lemmas,omitempty"`

	variant string           // that of the expectation the row is made of, such as "original"; "" if it has none
	asked   pangolin.Request // type, constructor and roles; method prove adds the rest
}

// pkg is the package beneath collections: "list".
func (r *CMPRow) pkg() string { return path.Base(r.asked.Packages[0]) }

// Fig6 is a row of the paper's figure: list nodes, seconds, and the clauses that the authors wrote by hand for the algorithm.
type Fig6 struct {
	Verdict verdict.Status `json:"verdict"`
	Nodes   int            `json:"nodes"`
	Seconds float64        `json:"seconds"`
	ByHand  int            `json:"by_hand,omitempty"` // 0: the figure has none, as there is no proof
}

// cmpRow is a row about one of our collections with the usual request.
func cmpRow(name, pkg, typ string, items int) CMPRow {
	return CMPRow{Name: name, Items: items, asked: pangolin.Request{Packages: []string{"pangolin/collections/" + pkg}, Type: typ}}
}

// fig6 are the paper's rows.
func fig6() []CMPRow {
	published := func(name, typ string, items int, p Fig6) CMPRow {
		r := cmpRow(name, "list", typ, items)
		r.Paper, r.asked.Search.Lemmas.Find = &p, true
		return r
	}
	return []CMPRow{
		published("Fine-grained", "FineList", 1, Fig6{verdict.Proved, 3, 0.11, 9}),
		published("Fine-grained", "FineList", 2, Fig6{verdict.Proved, 4, 3.73, 9}),
		published("Optimistic", "OptimisticList", 1, Fig6{verdict.Proved, 3, 0.83, 13}),
		published("Optimistic", "OptimisticList", 2, Fig6{verdict.Proved, 4, 114.39, 13}),
		published("Lazy", "LazyList", 1, Fig6{verdict.Proved, 5, 18, 9}),
		published("Lazy", "LazyList", 2, Fig6{verdict.Proved, 8, 29554, 9}),
		published("Lock Free", "LockFreeList", 1, Fig6{verdict.Proved, 7, 1.62, 23}),
		published("Lock Free", "LockFreeList", 2, Fig6{verdict.Proved, 10, 401.14, 23}),
		published("Lock Free (buggy)", "LockFreeListOriginal", 1, Fig6{verdict.Violated, 7, 0.63, 0}),
	}
}

// beyond lists rows with more items than the paper's.
func beyond() []CMPRow {
	return []CMPRow{
		cmpRow("Fine-grained", "list", "FineList", 3),
		cmpRow("Fine-grained", "list", "FineList", 4),
		cmpRow("Lock Free", "list", "LockFreeList", 3),
		cmpRow("Optimistic", "list", "OptimisticList", 3),
		cmpRow("Lazy", "list", "LazyList", 3),
		cmpRow("queue.UnboundedQueue", "queue", "UnboundedQueue", 3),
		cmpRow("queue.UnboundedQueue", "queue", "UnboundedQueue", 4),
		cmpRow("stack.LockFreeStack", "stack", "LockFreeStack", 3),
		cmpRow("stack.LockFreeStack", "stack", "LockFreeStack", 4),
		cmpRow("hashset.CoarseHashSet", "hashset", "CoarseHashSet", 3),
		cmpRow("hashset.StripedHashSet", "hashset", "StripedHashSet", 3),
	}
}

// others lists rows with two items for all other collections of the repository, made and called as in configuration E of the study collect.
func others() ([]CMPRow, error) {
	all, err := Expectations(collections.Expectations)
	if err != nil {
		return nil, err
	}
	var rows []CMPRow
	for i := range all {
		e := &all[i]
		if slices.ContainsFunc(fig6(), func(r CMPRow) bool { return r.asked.Type == e.Collection }) ||
			slices.ContainsFunc(rows, func(r CMPRow) bool { return r.asked.Type == e.Collection && r.variant == e.Variant }) { // with another property
			continue
		}
		r := CMPRow{variant: e.Variant, Items: 2, asked: e.Request("E")}
		r.Name = r.pkg() + "." + e.Collection
		if e.Variant != "" {
			r.Name += ":" + e.Variant
		}
		switch {
		case e.Property != string(verdict.Linear): // it promises a weaker property
		case e.Class != "":
			r.Expected = verdict.Violated
		default:
			r.Expected = verdict.Verified
		}
		r.asked.Property = pangolin.Properties(string(verdict.Linear))
		r.asked.Scope.Config = ""
		r.New = r.asked.New
		if r.asked.Roles != "" {
			r.New += ", roles " + r.asked.Roles
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// cmpRows lists the rows of Fig. 6, and with Others collections with more items and every other one with two. A row is selected by its
// name, its type, its type and number of items (FineList:1), or its package.
func cmpRows(_ context.Context, o *Options) (list []Row, err error) {
	rows := fig6()
	if o.Others {
		others, err := others()
		if err != nil {
			return nil, err
		}
		rows = slices.Concat(rows, beyond(), others)
	}
	for i := range rows {
		r := &rows[i]
		list = append(list, Row{Names: []string{r.Name, r.asked.Type, r.pkg(), fmt.Sprintf("%s:%d", r.asked.Type, r.Items)}, Package: "pangolin/collections/" + r.pkg(),
			Ask: func(ctx context.Context) (Line, error) { return r, r.prove(ctx, o) }})
	}
	return list, nil
}

// Told is the row in brief.
func (r *CMPRow) Told() string {
	return fmt.Sprintf("%s, %d items: %s in %.2f s%s", r.Name, r.Items, r.Verdict, r.Seconds, hit(r.Cached))
}

// prove asks the engine cmp and fills in the row.
func (r *CMPRow) prove(ctx context.Context, o *Options) error {
	q := o.limited(r.asked)
	q.Engine, q.Scope.Items, q.Search.Workers = "cmp", r.Items, 0
	list, err := pangolin.Verify(ctx, q)
	if err != nil {
		return err
	}
	v := &list[0]
	r.Limit = q.Search.Timeout.Seconds()
	r.Collection, r.Verdict, r.Engine, r.Reason, r.Seconds = v.Collection, v.Status, v.Engine, v.Reason, v.Seconds
	r.Bytes, r.Cached = v.PeakBytes, v.Cached
	if v.Proof != nil {
		r.Views, r.Effects, r.Cells, r.Lemmas = v.Proof.Views, v.Proof.Effects, v.Proof.Cells, v.Proof.Lemmas
	}
	if r.Verdict != verdict.Proved || r.Expected != verdict.Violated {
		return nil
	}
	q = o.limited(r.asked)
	q.Scope.Config, q.Scope.Values = "D", r.Items
	if list, err = pangolin.Verify(ctx, q); err != nil {
		return err
	}
	r.Within = list[0].Status
	return nil
}
