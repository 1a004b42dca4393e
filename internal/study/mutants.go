// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"pangolin"
	"pangolin/collections"
	"pangolin/verdict"
)

// States of a collection from which its surviving mutants are tried with fewer threads, or only if they have no explanation.
const (
	manyStates    = 20_000
	tooManyStates = 200_000
)

// larger is the scope in which the surviving mutants of a configuration are tried again: one more call, and two threads instead of
// three if the search would take long.
func larger(config string, steps int, states uint64) pangolin.Scope {
	s := pangolin.Scope{Config: "D", Threads: "1..3", Steps: pangolin.Range(fmt.Sprintf("1..%d", steps+1))}
	if states >= manyStates || config != "D" {
		s.Threads = "1..2"
	}
	return s
}

// mutantRows tries mutants of every case study that is expected to be correct. Those that survive are tried again: with the flags that an
// explanation gives, or else in a larger scope. The timeout applies to each mutant.
func mutantRows(_ context.Context, o *Options) ([]Row, error) {
	if len(o.Configs) > 1 {
		return nil, errors.New("mutants are verified in one configuration")
	}
	known, err := newExplainer()
	if err != nil {
		return nil, err
	}
	return o.correct(func(ctx context.Context, e *Expectation) (Line, error) { return e.mutants(ctx, o, known) })
}

// correct lists rows for the case studies that are expected to be correct, and for others that the user names.
func (o *Options) correct(ask func(context.Context, *Expectation) (Line, error)) (rows []Row, err error) {
	expected, err := Expectations(collections.Expectations)
	if err != nil {
		return nil, err
	}
	inOrder(expected)
	for i := range expected {
		if e := &expected[i]; e.correct() || slices.Contains(o.Rows, e.name()) {
			rows = append(rows, Row{Names: []string{e.name()}, Package: e.Package, Ask: func(ctx context.Context) (Line, error) { return ask(ctx, e) }})
		}
	}
	return rows, nil
}

// correct reports whether no configuration is expected to be violated.
func (e *Expectation) correct() bool { return e.Class == "" }

// mutants tries the mutants of one row.
func (e *Expectation) mutants(ctx context.Context, o *Options, known explainer) (*MutantRow, error) {
	config := "D"
	if len(o.Configs) == 1 {
		config = o.Configs[0]
	}
	row := &MutantRow{Type: "mutants", Row: e.name(), Config: config, Left: []LeftMutant{}}
	var states uint64
	baseline := func(v verdict.Verdict) { states = v.States }
	sum, err := pangolin.Mutate(ctx, o.limited(e.Request(config)), pangolin.Mutation{Max: o.MaxMutants, Baseline: baseline, Mutant: func(m verdict.Mutant) {
		if m.Outcome == verdict.Survived || m.Outcome == verdict.Undecided {
			row.Left = append(row.Left, LeftMutant{Mutant: m, Flags: known.flags(row.Row, &m)})
		}
	}})
	if err != nil {
		return nil, err
	}
	row.Sum = *sum
	settled := func(m *LeftMutant) bool {
		return states >= tooManyStates && m.Flags == "" && known.why(row.Row, &m.Mutant) != ""
	}
	for _, flags := range attempts(row, settled) {
		r := o.limited(e.Request(config))
		r.Search.Timeout *= moreTime
		if flags == "" {
			r.Scope = larger(config, sum.Scope.Steps[1], states)
		} else if err := setFlags(&r, flags); err != nil {
			return nil, err
		}
		if err := (&retry{row, flags, settled}).run(ctx, r); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// moreTime is the factor on the timeout of a mutant that is tried again in a larger scope.
const moreTime = 2

// attempts lists the different flags of the surviving mutants that are not settled.
func attempts(row *MutantRow, settled func(*LeftMutant) bool) []string {
	var out []string
	for i := range row.Left {
		if m := &row.Left[i]; !settled(m) && !slices.Contains(out, m.Flags) {
			out = append(out, m.Flags)
		}
	}
	return out
}

// retry tries the surviving mutants of a row that have the given flags and are not settled.
type retry struct {
	row     *MutantRow
	flags   string
	settled func(*LeftMutant) bool
}

// run tries them in the request's scope, if the collection itself is verified there.
func (t *retry) run(ctx context.Context, r pangolin.Request) error {
	row, left := t.row, map[int]*LeftMutant{}
	for i := range row.Left {
		if m := &row.Left[i]; m.Flags == t.flags && !t.settled(m) {
			left[m.ID] = m
		}
	}
	_, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Only: slices.Sorted(maps.Keys(left)), Mutant: func(m verdict.Mutant) {
		left[m.ID].Larger = &m
	}})
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		return nil
	}
	if t.flags == "" {
		row.Larger = fmt.Sprintf("-threads %s -steps %s", r.Scope.Threads, r.Scope.Steps)
	}
	return err
}

// setFlags sets the request's scope to configuration D, and then applies flags as the command line would.
func setFlags(r *pangolin.Request, text string) error {
	r.Scope = pangolin.Scope{Config: "D"}
	return parseFlags(r, text)
}

func parseFlags(r *pangolin.Request, text string) error {
	words, err := split(text)
	if err != nil {
		return err
	}
	fs := flag.NewFlagSet("flags", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	r.Register(fs)
	if err := fs.Parse(words); err != nil {
		return fmt.Errorf("flags %q: %w", text, err)
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("flags %q: %q is not a flag", text, fs.Arg(0))
	}
	return nil
}

// split separates words at spaces; single quotes group a word, as in a shell.
func split(text string) ([]string, error) {
	parts := strings.Split(text, "'")
	if len(parts)%2 == 0 {
		return nil, fmt.Errorf("flags %q: a single quote is not closed", text)
	}
	var out []string
	for i, part := range parts {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out, nil
}
