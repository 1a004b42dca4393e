package main

import (
	"cmp"
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
	opt := study.Options{Configs: list(f.configs), Rows: list(f.rows), Workers: f.workers(),
		Timeout: f.request.Search.Timeout, MaxMemory: f.request.Search.MaxMemory, Out: f.out}
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	began := time.Now()
	results := con.results(f.json)
	table := verdict.Table{Columns: study.PolicyColumns()}
	var all []verdict.Status
	var unshown error
	err := study.Policies(ctx, opt, func(c study.Cell) {
		table.Cells, all = append(table.Cells, c), append(all, c.Judgement())
		unshown = cmp.Or(unshown, results.Show(c))
		if !f.json {
			fmt.Fprintf(con.err, "%s %s: %s in %.2f s\n", c.Row, c.Config, c.Verdict, c.Seconds)
		}
	})
	if err := cmp.Or(err, unshown); err != nil {
		return err
	}
	table.Seconds = time.Since(began).Seconds()
	if err := results.Show(table); err != nil {
		return err
	}
	return exitWith(verdict.ExitOf(all...))
}
