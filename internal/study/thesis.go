// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engine/refine"
	"pangolin/internal/lts"
	"pangolin/verdict"
)

// This file repeats Table 6.1 of the thesis "Modeling and verifying concurrent data structures": the transition system of the code
// compared with that of the same code with each operation in one step, under branching bisimulation and under weak trace equivalence.
// The table's client passes a different element in each call of a thread (appendix B: the first thread 2 and 4, the second 4 and 8).
// For more threads and calls, which the thesis does not describe, this file continues in the same way: 2, 4, 8 and again from 2,
// shifted by one from thread to thread.

// thesisTable is Table 6.1 with two misprinted transition counts corrected: 47467 to 47647, and 3893344 to 389344.
//
//go:embed thesis.csv
var thesisTable string

// caseStudy describes the Go code that corresponds to a case of the thesis.
type caseStudy struct {
	pkg, typ string
	ops      []string // none: all
	new      string
	protocol string
	differs  string // how our transition system differs from the thesis's
}

// caseStudies maps the names in the thesis's table to their code.
var caseStudies = map[string]caseStudy{
	"Treiber stack": {pkg: "stack", typ: "LockFreeStack",
		differs: "the thesis reads and compares in steps of their own (reading top, the item, the result of the compare-and-swap); here these are local, and the steps are the loads of top and the compare-and-swaps"},
	"Coarse-grained set": {pkg: "list", typ: "CoarseList", ops: []string{"Add", "Remove"},
		differs: "the thesis walks the list in steps of its own behind the lock; here all that a thread does while it holds the lock goes with taking it"},
	"Fine-grained set": {pkg: "list", typ: "FineList", ops: []string{"Add", "Remove"},
		differs: "the thesis reads each node in a step of its own; here what a thread reads under a node's lock goes with taking it, and releasing goes with the step before"},
	"Optimistic set": {pkg: "list", typ: "OptimisticList", ops: []string{"Add", "Remove"},
		differs: "the thesis validates in a step for each node that cannot be interrupted (other threads wait); here validation reads the list node by node, and others move meanwhile"},
	"Lazy set": {pkg: "list", typ: "LazyList", ops: []string{"Add", "Remove"},
		differs: "the thesis reads a node with its mark and successor at once and validates in one step; here mark and successor are atomic fields that are read one by one"},
	"Non-blocking queue (Shann et al.)": {pkg: "queue", typ: "ArrayQueue", new: "NewArrayQueue[int](3)", protocol: "bounded(3)",
		differs: "the thesis's operations loop where the queue is full or empty, also inside their single step, which then never ends; here the single step waits until it can be made. The queue has three places, as the thesis's text says (its appendix prints 5)"},
}

// thesisRow is a row before it is asked.
type thesisRow struct {
	caseStudy
	name           string
	threads, calls int
	expected       string
	published      *PublishedSizes
	elements       []int64 // arguments of successive calls; nil: each call takes any of two
	oracle         string  // "": self
}

// thesisRows lists the rows of the table, and others if they are asked for.
func thesisRows(ctx context.Context, o *Options) (list []Row, err error) {
	rows, err := publishedRows()
	if err != nil {
		return nil, err
	}
	if o.Others || len(o.Rows) > 0 {
		others, err := otherRows(ctx, o.Dir)
		if err != nil {
			return nil, err
		}
		rows = slices.Concat(rows, largerRows(), others)
	}
	for i := range rows {
		r := &rows[i]
		list = append(list, Row{Names: []string{r.name, r.typ}, Package: "pangolin/collections/" + r.pkg, Ask: func(ctx context.Context) (Line, error) { return r.keep(ctx, o) }})
	}
	return list, nil
}

// publishedRows lists the rows of Table 6.1.
func publishedRows() ([]thesisRow, error) {
	records, err := csv.NewReader(strings.NewReader(thesisTable)).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []thesisRow
	for _, rec := range records[1:] {
		study, ok := caseStudies[rec[0]]
		if !ok {
			return nil, fmt.Errorf("thesis.csv: there is no case study for %q in caseStudies", rec[0])
		}
		var n [6]int
		for i, field := range []int{1, 2, 4, 5, 6, 7} {
			if n[i], err = strconv.Atoi(rec[field]); err != nil {
				return nil, err
			}
		}
		var s [2]float64
		for i := range s {
			if s[i], err = strconv.ParseFloat(rec[8+i], 64); err != nil {
				return nil, err
			}
		}
		expected := verdict.Verified
		if rec[3] == "no" {
			expected = verdict.Violated
		}
		rows = append(rows, thesisRow{caseStudy: study, name: rec[0], threads: n[0], calls: n[1], expected: string(expected),
			elements: thesisElements, published: &PublishedSizes{Concrete: Size{States: n[2], Transitions: n[3]},
				Abstract: Size{States: n[4], Transitions: n[5]}, Branching: s[0], WeakTraces: s[1]}})
	}
	return rows, nil
}

// thesisElements are the arguments of the thesis's client.
var thesisElements = []int64{2, 4, 8}

// largerRows lists the cases that were too large for the thesis.
func largerRows() []thesisRow {
	var rows []thesisRow
	add := func(name string, c caseStudy, sizes ...[2]int) {
		for _, s := range sizes {
			c.differs = ""
			rows = append(rows, thesisRow{caseStudy: c, name: name, threads: s[0], calls: s[1], elements: thesisElements})
		}
	}
	for _, name := range []string{"Coarse-grained set", "Fine-grained set", "Optimistic set", "Lazy set"} {
		sizes := [][2]int{{3, 2}, {2, 4}}
		if name == "Coarse-grained set" { // the table has 3 x 2
			sizes = sizes[1:]
		}
		add(name, caseStudies[name], sizes...)
	}
	add("Lock-free list", caseStudy{pkg: "list", typ: "LockFreeList", ops: []string{"Add", "Remove"}}, [2]int{3, 2}, [2]int{2, 4})
	add("Two-lock queue", caseStudy{pkg: "queue", typ: "UnboundedQueue"}, [2]int{3, 2})
	add("Michael-Scott queue", caseStudy{pkg: "queue", typ: "LockFreeQueue"}, [2]int{3, 2})
	add("Elimination stack", caseStudy{pkg: "stack", typ: "EliminationBackoffStack"}, [2]int{2, 2}, [2]int{3, 2})
	return rows
}

// otherRows lists all other collections, with two threads of two calls that each take any of two elements. Locks are compared with
// their oracle, because a single thread's use of a lock says nothing.
func otherRows(ctx context.Context, dir string) (rows []thesisRow, err error) {
	list, err := ourCollections(ctx, dir)
	for _, c := range list {
		r := thesisRow{name: c.Name, threads: 2, calls: 2}
		r.pkg, r.typ = packageAndType(c.Name)
		if c.Kind == "lock" {
			r.oracle = "auto"
		}
		rows = append(rows, r)
	}
	return rows, err
}

// client makes the row's client: thread and call number determine the element.
func (r *thesisRow) client(j *engine.Job) refine.Client {
	c := refine.ClientOf(j)
	for t := range r.threads {
		if r.elements == nil {
			break
		}
		var list []int64
		for n := range r.calls {
			list = append(list, r.elements[(t+n)%len(r.elements)])
		}
		c.Elements = append(c.Elements, list)
	}
	return c
}

// request makes the request for the row's collection under its client.
func (r *thesisRow) request(o *Options) pangolin.Request {
	threads, values := strconv.Itoa(r.threads), 2
	if r.elements != nil {
		values = int(slices.Max(r.elements)) + 1
	}
	q := o.request(r.pkg, r.typ)
	q.Ops, q.New, q.Protocol, q.Oracle, q.Engine, q.Search.Workers = r.ops, r.new, r.protocol, pangolin.Oracle(cmp.Or(r.oracle, "self")), "refine", 0
	q.Scope = pangolin.Scope{Threads: pangolin.Range(threads + ".." + threads), PerThread: r.calls, PreAdds: "0..0", Values: values}
	return q
}

// run asks the engine and compares the systems.
func (r *thesisRow) run(ctx context.Context, o *Options) (*Refinement, error) {
	p, err := pangolin.Prepare(ctx, r.request(o))
	if err != nil {
		return nil, err
	}
	jobs, err := p.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	j := jobs[0]
	c := r.client(j)
	out := &Refinement{Type: "cell", Study: "thesis", Row: r.name, Collection: j.Subject.About.Collection, Threads: r.threads, Calls: r.calls,
		Elements: elementsText(c.Elements), Expected: r.expected, Published: r.published, Note: r.differs, Schema: verdict.Schema}
	v, err := r.decide(ctx, j, out, o)
	if v.Cause == verdict.Unsupported && r.oracle == "" { // operations cannot be single steps: compare with the oracle
		r.oracle = "auto"
		again, err := r.run(ctx, o)
		if err == nil {
			again.Note = strings.TrimPrefix(again.Note+"; compared with its oracle, for its calls have to meet", "; ")
		}
		return again, err
	}
	if err != nil || out.Verdict == verdict.Unknown {
		return out, err
	}
	return out, r.compare(ctx, j, out, o)
}

func elementsText(lists [][]int64) string {
	var parts []string
	for _, list := range lists {
		parts = append(parts, strings.Trim(fmt.Sprint(list), "[]"))
	}
	return strings.Join(parts, " | ")
}

// decide asks the engine refine, which explores only as much of the systems as it needs.
func (r *thesisRow) decide(ctx context.Context, j *engine.Job, out *Refinement, o *Options) (verdict.Verdict, error) {
	e := refine.Under(r.client)
	began := time.Now()
	v, err := e.Decide(ctx, j, engine.Events{})
	out.Seconds = time.Since(began).Seconds()
	if err != nil {
		return v, err
	}
	out.Verdict = v.Status
	if v.Status == verdict.Unknown {
		out.Note = v.Reason
	}
	if v.Violation == nil || o.Out == "" {
		return v, nil
	}
	text, err := v.Violation.Execution.Text()
	if err != nil {
		return v, err
	}
	out.Witness = filepath.Join(o.Out, fmt.Sprintf("%s-%dx%d.json", r.typ, r.threads, r.calls))
	return v, os.WriteFile(out.Witness, append(text, '\n'), 0o644)
}

// compare generates both systems and compares them.
func (r *thesisRow) compare(ctx context.Context, j *engine.Job, out *Refinement, o *Options) error {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	make := func(side refine.Side, took *float64) (*lts.System, error) {
		began := time.Now()
		s, err := side(ctx, j.Subject, r.client(j), refine.Limits{States: o.MaxStates, Bytes: o.MaxMemory})
		*took = time.Since(began).Seconds()
		return s, err
	}
	code, err := make(refine.Concrete, &out.Took.Concrete)
	if err != nil {
		return r.limited(err, out)
	}
	abstract := refine.Atomic
	if r.oracle != "" {
		abstract = refine.Specified
	}
	body, err := make(abstract, &out.Took.Abstract)
	if err != nil {
		return r.limited(err, out)
	}
	out.Concrete, out.Abstract = sizeOf(code), sizeOf(body)
	began := time.Now()
	holds := lts.Equivalent(code, body, lts.Branching)
	out.Branching, out.Took.Branching = &holds, time.Since(began).Seconds()
	began = time.Now()
	traces := lts.Compare(code, body, lts.WeakTrace)
	out.WeakTraces, out.Took.WeakTraces = &traces.Equivalent, time.Since(began).Seconds()
	out.Trace, out.AbstractOnly = traces.Trace, !traces.Equivalent && !traces.First
	out.Quotient = sizeOf(code.Quotient(lts.Branching))
	return nil
}

// limited turns the error of a reached limit into a note.
func (r *thesisRow) limited(err error, out *Refinement) error {
	var limit *refine.LimitError
	if !errors.As(err, &limit) {
		return err
	}
	out.Note = strings.TrimPrefix(out.Note+"; the whole systems are not compared: "+limit.Error(), "; ")
	return nil
}

func sizeOf(s *lts.System) Size { return Size{s.States(), s.Transitions()} }
