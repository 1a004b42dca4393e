// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin"
	"pangolin/verdict"
)

// This file repeats Fig. 6 of P. A. Abdulla, B. Jonsson and C. Q. Trinh, Automated verification of linearization policies (SAS
// 2016). The paper gives one proof for each algorithm; here each is verified in configuration
// D with and without its policy, its linearization points are found automatically, and a proof for any number of threads is tried.

// policyColumns are the questions about each algorithm: verify, points -check, points, prove.
var policyColumns = []string{"bounded", "policy", "points", "unbounded"}

// policyRow is an algorithm of Fig. 6.
type policyRow struct {
	name, pkg, typ string
	seconds        float64 // the paper's, for its proof with a policy (Fig. 6 (a); of the HW queue (b))
	without        float64 // the paper's, for its proof without linearization points (Fig. 6 (b)); 0: none
	new            string
	protocol       string
	values         int
	engine         string // of the column unbounded: the engine that proves it; "": unbounded
}

// policyRows lists the algorithms in the order of the figure.
var policyRows = []policyRow{
	{name: "Treiber stack", pkg: "stack", typ: "LockFreeStack", seconds: 0.18, without: 140.03},
	{name: "HSY stack", pkg: "stack", typ: "EliminationBackoffStack", seconds: 83.89, new: "NewEliminationBackoffStack[int](1, 1)"},
	{name: "MS two-lock queue", pkg: "queue", typ: "UnboundedQueue", seconds: 0.32, without: 1.80},
	{name: "MS lock-free queue", pkg: "queue", typ: "LockFreeQueue", seconds: 21.07, without: 287},
	{name: "DGLM queue", pkg: "queue", typ: "DGLMQueue", seconds: 16.99, without: 500},
	{name: "Elimination queue", pkg: "queue", typ: "EliminationQueue", seconds: 105.56, new: "NewEliminationQueue[int](1, 1)", engine: "zones"},
	{name: "HW queue", pkg: "queue", typ: "HerlihyWingQueue", seconds: 6.99, without: 6.99, new: "NewHerlihyWingQueue[int](8)", protocol: "bounded(8)", engine: "places"},
	{name: "Pessimistic set", pkg: "list", typ: "FineList", seconds: 1.51},
	{name: "Optimistic set", pkg: "list", typ: "OptimisticList", seconds: 60.43},
	{name: "Lazy set", pkg: "list", typ: "LazyList", seconds: 289},
	{name: "O'Hearn set", pkg: "list", typ: "HindsightList", seconds: 12.01},
	{name: "Vechev-CAS set", pkg: "list", typ: "DerivedList", seconds: 24.01},
	{name: "Vechev-DCAS set", pkg: "list", typ: "DerivedListDCAS", seconds: 16.02},
	{name: "Harris lock-free set", pkg: "list", typ: "HarrisList", seconds: 1512},
	{name: "Michael lock-free set", pkg: "list", typ: "MichaelList", seconds: 110},
	{name: "HM lock-free set", pkg: "list", typ: "LockFreeList", seconds: 462.01},
	{name: "Unordered set", pkg: "list", typ: "UnorderedList", seconds: 2301, engine: "ages"},
	{name: "CCAS", pkg: "conditional", typ: "CCAS", seconds: 0.04, new: "NewCCAS[int](0)", values: 2},
	{name: "RDCSS", pkg: "conditional", typ: "RDCSS", seconds: 0.26, new: "NewRDCSS[int](0, 0)", values: 2},
}

// policyRowsOf asks every question of every algorithm.
func policyRowsOf(_ context.Context, o *Options) (rows []Row, err error) {
	for i := range policyRows {
		r := &policyRows[i]
		for _, column := range policyColumns {
			rows = append(rows, Row{Names: []string{r.name, r.typ}, Column: column, Package: "pangolin/collections/" + r.pkg,
				Ask: func(ctx context.Context) (Line, error) { return r.ask(ctx, column, o) }})
		}
	}
	return rows, nil
}

// policiesPage is the table of cells, and one of the proofs for any number of threads beside both of the paper's.
func policiesPage(p *Page, lines []Line, seconds float64) {
	cellsPage(policyColumns)(p, lines, seconds)
	var proofs []*Cell
	for _, c := range of[Cell](lines) {
		if c.Config == "unbounded" {
			proofs = append(proofs, c)
		}
	}
	if len(proofs) == 0 {
		return
	}
	p.line("\nProofs for any number of threads, in seconds: here, without policy and without linearization points; in the paper with a policy (Fig. 6 (a)), and without points (Fig. 6 (b)).\n")
	p.header([]string{"algorithm", "here", "views", "seconds", "(a)", "(b)"}, "|---|---|---:|---:|---:|---:|")
	published := func(s float64) string {
		if s == 0 {
			return "-"
		}
		return strconv.FormatFloat(s, 'f', -1, 64)
	}
	for _, c := range proofs {
		at := slices.IndexFunc(policyRows, func(r policyRow) bool { return r.name == c.Row })
		if at < 0 {
			continue
		}
		r := policyRows[at]
		with := r.seconds
		if with == r.without { // there is no policy for it
			with = 0
		}
		here, views := "proved", fmt.Sprint(c.States)
		if c.Verdict != verdict.Proved {
			here, views = "not proved", "-"
		}
		p.row(c.Row, here, views, fmt.Sprintf("%.2f", c.Seconds), published(with), published(r.without))
	}
}

// sortPolicies puts cells of one or more runs into the order of the table. Of several results for one cell the last one counts.
func sortPolicies(lines []Line) (out []Line, err error) {
	last := map[[2]string]*Cell{}
	for _, c := range of[Cell](lines) {
		known := slices.ContainsFunc(policyRows, func(r policyRow) bool { return r.name == c.Row })
		if !known || c.Study != "policies" || !slices.Contains(policyColumns, c.Config) {
			return nil, fmt.Errorf("%q, %q of the study %q is not a cell of the study policies", c.Row, c.Config, c.Study)
		}
		last[[2]string{c.Row, c.Config}] = c
	}
	for _, r := range policyRows {
		for _, column := range policyColumns {
			if c := last[[2]string{r.name, column}]; c != nil {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// ask makes one cell.
func (r *policyRow) ask(ctx context.Context, column string, o *Options) (*Cell, error) {
	began := time.Now()
	q := o.request(r.pkg, r.typ)
	q.New, q.Protocol, q.Scope.Config, q.Scope.Values = r.new, r.protocol, "D", r.values
	q.Engine = map[string]string{"policy": "points", "unbounded": "unbounded"}[column]
	c := &Cell{Type: "cell", Study: "policies", Row: r.name, Config: column, Expected: string(verdict.Verified), Clients: "0", Schema: verdict.Schema}
	if column == "unbounded" {
		q.Search.Reduce = "" // a proof has none
		q.Engine = cmp.Or(r.engine, q.Engine)
		c.Expected, c.Published = string(verdict.Proved), &r.seconds
	}
	var err error
	if column == "points" {
		err = r.keep(ctx, o, q, c)
	} else if list, failed := pangolin.Verify(ctx, q); failed != nil {
		err = failed
	} else {
		v := &list[0]
		c.Verdict, c.Clients, c.States, c.Cached, c.Seconds = v.Status, v.Clients, v.States, v.Cached, v.Seconds
		c.Class, c.Note = wrong(v)
		c.Note = firstLine(c.Note)
	}
	if !c.Cached {
		c.Seconds = time.Since(began).Seconds()
	}
	c.Differs = c.Verdict == verdict.Violated
	return c, err
}

// find fills a cell with the points that are found; a note lists them.
func (r *policyRow) find(ctx context.Context, q pangolin.Request, c *Cell) error {
	if q.Search.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, q.Search.Timeout)
		defer stop()
	}
	err := pangolin.FindPoints(ctx, q, pangolin.PointsOptions{}, func(p verdict.Points) {
		c.States, c.Verdict, c.Note = p.States, verdict.Verified, inferred(p.Outcomes)
		if p.Verdict != nil {
			c.Verdict, c.Note = p.Verdict.Status, p.Verdict.Reason
		}
	})
	if errors.Is(err, pangolin.ErrPointsUnfinished) || err != nil && ctx.Err() != nil {
		c.Verdict, c.Note = verdict.Unknown, "not found within the limits"
		return nil
	}
	return err
}

// inferred describes in a line where each operation takes effect.
func inferred(list []verdict.PointOf) string {
	var parts []string
	for _, o := range list {
		text := o.Operation
		if o.Outcome != "" {
			text += " = " + o.Outcome
		}
		var at []string
		for _, p := range o.Points {
			one := fmt.Sprintf("`%s`", strings.TrimSpace(p.Source))
			if p.When != "" {
				one += " (" + p.When + ")"
			}
			if p.By != "" {
				one += " by " + p.By
			}
			at = append(at, one)
		}
		switch {
		case len(at) == 0:
			text += ": no step"
		case o.Fixed:
			text += ": " + strings.Join(at, ", ")
		default:
			text += ": none fixed; " + strings.Join(at, ", ")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
