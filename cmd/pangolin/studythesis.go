package main

import (
	"context"
	"fmt"
	"time"

	"pangolin/internal/study"
	"pangolin/verdict"
)

// thesis repeats the thesis's table.
func (f *studyFlags) thesis(ctx context.Context, con *console) error {
	if f.configs != "" || f.short || f.preempt != 0 {
		return &usageError{"study", "thesis has no configurations: -config, -short and -preempt are about collect"}
	}
	opt := study.ThesisOptions{Rows: list(f.rows), Beyond: f.others, Timeout: f.request.Search.Timeout,
		MaxStates: f.request.Search.MaxStates, MaxMemory: f.request.Search.MaxMemory, Out: f.out}
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	began := time.Now()
	results := con.results(f.json)
	var table verdict.Refinements
	var all []verdict.Status
	err := study.Thesis(ctx, opt, func(r study.Refinement) {
		table.Rows, all = append(table.Rows, r), append(all, r.Judgement())
		_ = results.Show(r) // every error comes again
		if !f.json {
			fmt.Fprintf(con.err, "%s %d x %d: %s in %.2f s\n", r.Row, r.Threads, r.Calls, r.Verdict, r.Seconds)
		}
	})
	if err != nil {
		return err
	}
	table.Seconds = time.Since(began).Seconds()
	if err := results.Show(table); err != nil {
		return err
	}
	return exitWith(verdict.ExitOf(all...))
}
