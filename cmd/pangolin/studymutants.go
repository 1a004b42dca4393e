package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"pangolin/collections"
	"pangolin/internal/study"
	"pangolin/verdict"
)

// mutants makes mutants of the collections in one configuration, or reads what became of
// them from the lines that an earlier run printed with -json.
func (f *studyFlags) mutants(ctx context.Context, con *console) error {
	rows, err := f.mutantRows(ctx, con)
	if err != nil {
		return err
	}
	table, err := study.MutantTable(rows)
	if err != nil {
		return err
	}
	return show(con, f.json, []verdict.MutantTable{table})
}

func (f *studyFlags) mutantRows(ctx context.Context, con *console) ([]verdict.MutantRow, error) {
	if f.from != "" {
		return readLines[verdict.MutantRow](f.from)
	}
	configs := list(f.configs)
	switch {
	case len(configs) == 0:
		configs = []string{"D"}
	case len(configs) > 1:
		return nil, &usageError{"study", "mutants are verified in one configuration"}
	}
	opt := study.Options{Configs: configs, Rows: list(f.rows), Workers: f.workers(), Timeout: f.mutantTimeout(), MaxMemory: f.request.Search.MaxMemory,
		MaxMutants: f.max, Note: con.note}
	var rows []verdict.MutantRow
	var unshown error
	err := study.Mutants(ctx, collections.Expectations, opt, func(r verdict.MutantRow) {
		rows = append(rows, r)
		if f.json {
			unshown = cmp.Or(unshown, show(con, true, []verdict.MutantRow{r}))
		}
		fmt.Fprintf(con.err, "%s: %d mutants, %d killed in %.0f s\n", r.Row, r.Sum.Mutants, r.Sum.Killed, r.Sum.Seconds)
	})
	return rows, cmp.Or(err, unshown)
}

// readLines reads rows as -json prints them.
func readLines[T any](name string) ([]T, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var rows []T
	for d := json.NewDecoder(file); ; {
		var r T
		switch err := d.Decode(&r); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, r)
	}
}

// scopes tries the mutants in scopes, or reads what came of it from an earlier run.
func (f *studyFlags) scopes(ctx context.Context, con *console) error {
	if f.from != "" {
		rows, err := readLines[study.ScopesRow](f.from)
		if err != nil {
			return err
		}
		return study.ScopesTable(con.out, rows)
	}
	opt := study.Options{Configs: list(f.configs), Rows: list(f.rows), Packages: list(f.packages), Workers: f.workers(), Timeout: f.mutantTimeout(),
		MaxMemory: f.request.Search.MaxMemory, MaxMutants: f.max, Note: con.note}
	var rows []study.ScopesRow
	var unshown error
	err := study.Scopes(ctx, collections.Expectations, opt, func(r study.ScopesRow) {
		rows = append(rows, r)
		if f.json {
			unshown = cmp.Or(unshown, show(con, true, []study.ScopesRow{r}))
		}
		fmt.Fprintf(con.err, "%s: %d mutants, %d are killed by %s\n", r.Row, r.Mutants, r.Mutants-len(r.Left), r.Core)
	})
	if err := cmp.Or(err, unshown); err != nil || f.json {
		return err
	}
	return study.ScopesTable(con.out, rows)
}

// mutantTimeout is the limit on the time of each mutant.
func (f *studyFlags) mutantTimeout() time.Duration {
	return cmp.Or(f.request.Search.Timeout, 30*time.Second)
}
