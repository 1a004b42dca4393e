// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/bits"
	"path"
	"slices"
	"strings"

	"pangolin"
	"pangolin/verdict"
)

// core is a scope that is part of all candidates. Mutants that it kills do not distinguish them.
const core = "2x3"

// Candidates lists the scopes among which the usual ones were chosen: threads x calls in all, and x pre-adds if not 1. D is 3x3.
func Candidates() []string {
	return []string{"D", "1x5", "1x5x3", "2x4", "2x4x2", "2x5x0", "2x5", "2x6", "3x4x0", "3x4", "4x4"}
}

// ScopesRow tells which scopes kill which mutants of one collection.
type ScopesRow struct {
	Type    string      `json:"type"` // "scopes"
	Row     string      `json:"row"`
	Kind    string      `json:"kind"`
	Core    string      `json:"core"` // a scope that is part of all others
	Mutants int         `json:"mutants"`
	Left    []int       `json:"left"`             // IDs of the mutants that Core does not kill
	Cached  int         `json:"cached,omitempty"` // number of mutants whose fate in Core was kept (-cache)
	Scopes  []ScopeRuns `json:"scopes"`
}

// ScopeRuns contains, for one scope, the outcomes of the mutants in Left, and the cost of verifying the collection itself.
type ScopeRuns struct {
	Config  string         `json:"config"`
	Verdict verdict.Status `json:"verdict"` // on the collection itself; unknown if it takes too long
	States  uint64         `json:"states"`
	Seconds float64        `json:"seconds"`
	Killed  []int          `json:"killed"`  // IDs
	Unknown []int          `json:"unknown"` // IDs of those for which a limit was reached
}

// scopesRows tries the mutants of the case studies that are expected to be correct, or of packages with one collection each, in each of the
// configurations (none: Candidates). The timeout applies to each mutant; the collection itself may take ten times as long.
func scopesRows(_ context.Context, o *Options) (rows []Row, err error) {
	if len(o.Configs) == 0 {
		o.Configs = Candidates()
	}
	if len(o.Packages) == 0 {
		return o.correct(func(ctx context.Context, e *Expectation) (Line, error) {
			return scopesOf(ctx, e.name(), e.Request("D"), o)
		})
	}
	for _, pkg := range o.Packages {
		name := path.Base(pkg)
		rows = append(rows, Row{Names: []string{name, pkg}, Ask: func(ctx context.Context) (Line, error) {
			return scopesOf(ctx, name, pangolin.Request{Packages: []string{pkg}}, o)
		}})
	}
	return rows, nil
}

// scopesOf tries the mutants of one collection.
func scopesOf(ctx context.Context, name string, r pangolin.Request, o *Options) (*ScopesRow, error) {
	r = o.limited(r)
	within := func(config string) pangolin.Request {
		r.Scope.Config = config
		return r
	}
	row := &ScopesRow{Type: "scopes", Row: name, Core: core, Left: []int{}, Scopes: []ScopeRuns{}}
	sum, err := pangolin.Mutate(ctx, within(core), pangolin.Mutation{Max: o.MaxMutants,
		Baseline: func(v verdict.Verdict) { row.Kind = v.Kind },
		Mutant: func(m verdict.Mutant) {
			if m.Outcome == verdict.Survived || m.Outcome == verdict.Undecided {
				row.Left = append(row.Left, m.ID)
			}
		}})
	if err != nil {
		return nil, err
	}
	row.Mutants, row.Cached = sum.Mutants-sum.Invalid, sum.Cached
	if len(row.Left) == 0 {
		return row, nil
	}
	for _, config := range o.Configs {
		s, err := row.try(ctx, within(config), config)
		if err != nil {
			return nil, err
		}
		row.Scopes = append(row.Scopes, *s)
	}
	return row, nil
}

// Told is the row as one line of progress.
func (row *ScopesRow) Told() string {
	return fmt.Sprintf("%s: %d mutants, %d are killed by %s%s", row.Row, row.Mutants, row.Mutants-len(row.Left), row.Core, hit(row.Cached > 0))
}

// Judgement is always verified: no figures have been published.
func (row *ScopesRow) Judgement() verdict.Status { return verdict.Verified }

// try tries the remaining mutants in a scope.
func (row *ScopesRow) try(ctx context.Context, r pangolin.Request, config string) (*ScopeRuns, error) {
	s := &ScopeRuns{Config: config, Killed: []int{}, Unknown: []int{}}
	_, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Only: row.Left,
		Baseline: func(v verdict.Verdict) { s.Verdict, s.States, s.Seconds = v.Status, v.States, v.Seconds },
		Mutant: func(m verdict.Mutant) {
			switch m.Outcome {
			case verdict.Killed:
				s.Killed = append(s.Killed, m.ID)
			case verdict.Undecided:
				s.Unknown = append(s.Unknown, m.ID)
			}
		}})
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		err = nil
	}
	return s, err
}

// union is a set of scopes of a table: bit i is scope i.
type union uint

func (u union) name(configs []string) string {
	var parts []string
	for i, c := range configs {
		if u>>i&1 != 0 {
			parts = append(parts, c)
		}
	}
	return strings.Join(parts, "+")
}

// score sums up a union over some rows.
type score struct {
	killed  int
	states  uint64
	seconds float64
	slowest float64  // seconds for one row
	undone  []string // rows that were not verified because of a limit
}

// rate computes the score of a union over rows.
func (u union) rate(rows []ScopesRow) score {
	var s score
	for i := range rows {
		killed := map[int]bool{}
		seconds, done := 0.0, true
		for k := range rows[i].Scopes {
			one := &rows[i].Scopes[k]
			if u>>k&1 == 0 {
				continue
			}
			for _, id := range one.Killed {
				killed[id] = true
			}
			s.states += one.States
			seconds += one.Seconds
			done = done && one.Verdict == verdict.Verified
		}
		s.killed += len(killed)
		s.seconds += seconds
		s.slowest = max(s.slowest, seconds)
		if !done {
			s.undone = append(s.undone, rows[i].Row)
		}
	}
	return s
}

// mostScopes is the greatest number of scopes in a union of the table.
const mostScopes = 3

// best returns the unions of which no other one kills as many mutants in less time, cheapest first.
func best(rows []ScopesRow, configs []string) (list []union, scores map[union]score) {
	scores = map[union]score{}
	var all []union
	for u := union(1); u < 1<<len(configs); u++ {
		if bits.OnesCount(uint(u)) <= mostScopes {
			all, scores[u] = append(all, u), u.rate(rows)
		}
	}
	slices.SortStableFunc(all, func(a, b union) int {
		return cmp.Or(cmp.Compare(scores[a].seconds, scores[b].seconds), cmp.Compare(scores[b].killed, scores[a].killed))
	})
	most := 0
	for _, u := range all {
		if s := scores[u]; s.killed > most {
			most, list = s.killed, append(list, u)
		}
	}
	return list, scores
}

// scopesHeader is the page's introduction.
//
//go:embed pages/scopes.md
var scopesHeader string

// scopesPage writes for each kind what each scope kills and costs, and the best unions. Rows that were tried in different scopes are kept
// apart.
func scopesPage(p *Page, lines []Line, _ float64) {
	p.text(scopesHeader)
	var rows []ScopesRow
	for _, r := range of[ScopesRow](lines) {
		rows = append(rows, *r)
	}
	for _, of := range groups(rows, func(r *ScopesRow) string { return strings.Join(r.configs(), ", ") }) {
		configs := of[0].configs()
		if len(configs) == 0 {
			scopesNothing(p, of)
			continue
		}
		kinds := groups(of, func(r *ScopesRow) string { return r.Kind })
		for _, kind := range kinds {
			scopesSection(p, kind[0].Kind, kind, configs)
		}
		if len(kinds) > 1 {
			scopesSection(p, "together", of, configs)
		}
	}
}

// configs lists the scopes in which the row's mutants were tried.
func (row *ScopesRow) configs() (list []string) {
	for i := range row.Scopes {
		list = append(list, row.Scopes[i].Config)
	}
	return list
}

// groups collects rows with the same key; groups are in the order of their first rows.
func groups(rows []ScopesRow, key func(*ScopesRow) string) [][]ScopesRow {
	var out [][]ScopesRow
	at := map[string]int{}
	for i := range rows {
		k := key(&rows[i])
		if _, ok := at[k]; !ok {
			at[k] = len(out)
			out = append(out, nil)
		}
		out[at[k]] = append(out[at[k]], rows[i])
	}
	return out
}

// scopesNothing lists the rows of which the core kills all mutants.
func scopesNothing(p *Page, rows []ScopesRow) {
	p.line("\n%s kills every mutant of %s.", core, namesOf(rows))
}

func namesOf(rows []ScopesRow) string {
	var names []string
	for i := range rows {
		names = append(names, rows[i].Row)
	}
	return strings.Join(names, ", ")
}

func scopesSection(p *Page, title string, rows []ScopesRow, configs []string) {
	left, all := 0, 0
	for i := range rows {
		left, all = left+len(rows[i].Left), all+rows[i].Mutants
	}
	const head = "| scope | killed | states | seconds | of the slowest | not finished |\n|---|---:|---:|---:|---:|---|\n"
	p.text(fmt.Sprintf("\n## %s\n\n%s: %d of %d mutants are not killed by %s.\n\n", title, namesOf(rows), left, all, core) + head)
	list, scores := best(rows, configs)
	line := func(u union) {
		s := scores[u]
		p.row(u.name(configs), s.killed, s.states, decimals(s.seconds, 1), decimals(s.slowest, 1), strings.Join(s.undone, " "))
	}
	for i := range configs {
		line(1 << i)
	}
	p.text("\nUnions of which none kills as many in less time:\n\n" + head)
	for _, u := range list {
		line(u)
	}
}
