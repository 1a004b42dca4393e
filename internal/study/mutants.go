package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"pangolin"
	"pangolin/verdict"
)

// MutantRow is what became of the mutants of one collection.
type MutantRow struct {
	Type   string `json:"type"` // "mutants"
	Row    string `json:"row"`
	Config string `json:"config"`
	// Sum counts the outcomes in the configuration.
	Sum pangolin.MutationSummary `json:"sum"`
	// Larger is the scope in which mutants that are left were tried again; "" if there was
	// none or the collection itself is not verified there.
	Larger string `json:"larger"`
	// Left are the mutants that were not killed.
	Left []LeftMutant `json:"left"`
}

// LeftMutant is a mutant that a configuration does not kill.
type LeftMutant struct {
	pangolin.Mutant
	// Larger is what became of it in the larger scope; nil if it was not tried there.
	Larger *pangolin.Mutant `json:"larger"`
}

// manyStates is from how many states on a collection is tried with two threads only in
// the larger scope.
const manyStates = 20_000

// larger is the scope in which the mutants left over of a configuration are tried once
// more: one call more in all, and two threads if three would take long.
func larger(config string, steps int, states uint64) pangolin.Scope {
	s := pangolin.Scope{Config: "D", Threads: "1..3", Steps: fmt.Sprintf("1..%d", steps+1)}
	if states >= manyStates || config != "D" {
		s.Threads = "1..2"
	}
	return s
}

// Mutants makes mutants of every case study that is verified in the configuration, and
// gives what became of them, collection by collection. note is told of those that are
// not verified. Mutants that are left are tried
// again in a larger scope. Of the options Configs must be one; the timeout is for each
// mutant.
func Mutants(ctx context.Context, files fs.FS, opt Options, give func(MutantRow), note func(string)) error {
	rows, err := Expectations(files)
	if err != nil {
		return err
	}
	opt.Others = true
	if rows, err = choose(rows, opt); err != nil {
		return err
	}
	for i := range rows {
		row, err := rows[i].mutants(ctx, opt)
		var not *pangolin.NotVerified
		if errors.As(err, &not) {
			note(err.Error())
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", rows[i].name(), err)
		}
		give(*row)
	}
	return nil
}

// mutants tries the mutants of one row.
func (e *Expectation) mutants(ctx context.Context, opt Options) (*MutantRow, error) {
	r := e.Request(opt.Configs[0])
	r.Dir = opt.Dir
	r.Search.Workers, r.Search.Timeout, r.Search.MaxMemory = opt.Workers, opt.Timeout, opt.MaxMemory
	row := &MutantRow{Type: "mutants", Row: e.name(), Config: opt.Configs[0]}
	var ids []int
	var states uint64
	baseline := func(v verdict.Verdict) { states = v.States }
	sum, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Max: opt.MaxMutants, Baseline: baseline, Mutant: func(m pangolin.Mutant) {
		if m.Outcome == pangolin.Survived || m.Outcome == pangolin.Undecided {
			row.Left = append(row.Left, LeftMutant{Mutant: m})
			ids = append(ids, m.ID)
		}
	}})
	if err != nil {
		return nil, err
	}
	row.Sum = *sum
	if len(ids) == 0 {
		return row, nil
	}
	r.Scope = larger(row.Config, sum.Scope.Steps[1], states)
	return row, row.again(ctx, r, ids)
}

// again tries the mutants that are left in a larger scope, if the collection itself is
// verified there.
func (row *MutantRow) again(ctx context.Context, r pangolin.Request, ids []int) error {
	r.Search.Timeout *= 2 // there is more to search
	_, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Only: ids, Mutant: func(m pangolin.Mutant) {
		for i := range row.Left {
			if row.Left[i].ID == m.ID {
				row.Left[i].Larger = &m
			}
		}
	}})
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		return nil
	}
	row.Larger = fmt.Sprintf("-threads %s -steps %s", r.Scope.Threads, r.Scope.Steps)
	return err
}
