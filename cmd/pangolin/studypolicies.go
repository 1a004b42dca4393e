package main

import (
	"context"
	"fmt"
	"time"

	"pangolin/internal/study"
	"pangolin/verdict"
)

// policies repeats Fig. 6 of the paper on linearization policies.
func (f *studyFlags) policies(ctx context.Context, con *console) error {
	if f.short || f.preempt != 0 || f.others {
		return &usageError{"study", "-short, -preempt and -others are not about policies"}
	}
	if f.from != "" {
		return f.policiesFrom(con)
	}
	opt := study.Options{Configs: list(f.configs), Rows: names(f.rows), Workers: f.workers(),
		Timeout: f.request.Search.Timeout, MaxMemory: f.request.Search.MaxMemory, Out: f.out}
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	return f.table(con, study.PolicyColumns(), func(each func(study.Cell)) error {
		return study.Policies(ctx, opt, each)
	})
}

// policiesFrom reads cells from the lines that earlier runs printed with -json; their seconds are added up.
func (f *studyFlags) policiesFrom(con *console) error {
	cells, err := readLines[study.Cell](f.from)
	if err != nil {
		return err
	}
	table := verdict.Table{Columns: study.PolicyColumns()}
	if table.Cells, err = study.SortPolicies(cells); err != nil {
		return fmt.Errorf("%s: %w", f.from, err)
	}
	var all []verdict.Status
	for i := range table.Cells {
		table.Seconds += table.Cells[i].Seconds
		all = append(all, table.Cells[i].Judgement())
	}
	if f.json {
		err = show(con, true, table.Cells)
	} else {
		err = show(con, false, []verdict.Table{table})
	}
	if err != nil {
		return err
	}
	return exitWith(verdict.ExitOf(all...))
}
