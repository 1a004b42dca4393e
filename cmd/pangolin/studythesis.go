package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"pangolin/internal/study"
	"pangolin/verdict"
)

// systemOptions are those of the studies that are about transition systems.
func (f *studyFlags) systemOptions(name string) (study.ThesisOptions, error) {
	if f.configs != "" || f.short || f.preempt != 0 {
		return study.ThesisOptions{}, &usageError{"study", name + " has no configurations: -config, -short and -preempt are about collect"}
	}
	opt := study.ThesisOptions{Rows: names(f.rows), Beyond: f.others, Timeout: f.request.Search.Timeout,
		MaxStates: f.request.Search.MaxStates, MaxMemory: f.request.Search.MaxMemory, Out: f.out}
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	return opt, nil
}

// names are separated by commas alone: those of the thesis have blanks in them.
func names(text string) []string {
	var list []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// progress classifies the operations of all collections.
func (f *studyFlags) progress(ctx context.Context, con *console) error {
	opt, err := f.systemOptions("progress")
	if err != nil {
		return err
	}
	results := con.results(f.json)
	var table verdict.ProgressTable
	err = study.Progress(ctx, opt, func(v verdict.Verdict) {
		table.Rows = append(table.Rows, v)
		if f.json {
			_ = results.Show(v) // every error comes again
			return
		}
		fmt.Fprintf(con.err, "%s: %.2f s\n", v.Collection, v.Seconds)
	})
	if err != nil {
		return err
	}
	return results.Show(table)
}

// cmp repeats the table of the paper on any number of threads, or prints the page of rows that earlier runs printed with -json.
func (f *studyFlags) cmp(ctx context.Context, con *console) error {
	if f.from != "" {
		rows, err := readLines[study.CMPRow](f.from)
		if err != nil {
			return err
		}
		return study.CMPTable(con.out, rows)
	}
	opt, err := f.systemOptions("cmp")
	if err != nil {
		return err
	}
	var rows []study.CMPRow
	var all []verdict.Status
	var unshown error
	err = study.CMP(ctx, opt, func(r study.CMPRow) {
		rows, all = append(rows, r), append(all, r.Judgement())
		if f.json {
			unshown = cmp.Or(unshown, show(con, true, []study.CMPRow{r}))
			return
		}
		fmt.Fprintf(con.err, "%s, %d items: %s in %.2f s\n", r.Name, r.Items, r.Verdict, r.Seconds)
	})
	if err := cmp.Or(err, unshown); err != nil {
		return err
	}
	if !f.json {
		if err := study.CMPTable(con.out, rows); err != nil {
			return err
		}
	}
	return exitWith(verdict.ExitOf(all...))
}

// thesis repeats the thesis's table.
func (f *studyFlags) thesis(ctx context.Context, con *console) error {
	opt, err := f.systemOptions("thesis")
	if err != nil {
		return err
	}
	began := time.Now()
	results := con.results(f.json)
	var table verdict.Refinements
	var all []verdict.Status
	err = study.Thesis(ctx, opt, func(r study.Refinement) {
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
