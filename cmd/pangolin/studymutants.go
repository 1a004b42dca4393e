package main

import (
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
		return readMutants(f.from)
	}
	configs := list(f.configs)
	switch {
	case len(configs) == 0:
		configs = []string{"D"}
	case len(configs) > 1:
		return nil, &usageError{"study", "mutants are verified in one configuration"}
	}
	timeout := f.request.Search.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	opt := study.Options{Configs: configs, Rows: list(f.rows), Workers: f.workers(), Timeout: timeout, MaxMemory: f.request.Search.MaxMemory,
		MaxMutants: f.max, Note: con.note}
	var rows []verdict.MutantRow
	err := study.Mutants(ctx, collections.Expectations, opt, func(r verdict.MutantRow) {
		rows = append(rows, r)
		if f.json {
			_ = show(con, true, []verdict.MutantRow{r})
		}
		fmt.Fprintf(con.err, "%s: %d mutants, %d killed in %.0f s\n", r.Row, r.Sum.Mutants, r.Sum.Killed, r.Sum.Seconds)
	})
	return rows, err
}

// readMutants reads rows as -json prints them.
func readMutants(name string) ([]verdict.MutantRow, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var rows []verdict.MutantRow
	for d := json.NewDecoder(file); ; {
		var r verdict.MutantRow
		switch err := d.Decode(&r); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, r)
	}
}
