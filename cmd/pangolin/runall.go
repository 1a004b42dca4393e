package main

import (
	"context"
	"fmt"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// runAll explores every interleaving and prints the outcomes.
func runAll(ctx context.Context, f *runFlags, prog *ir.Program, con *console) error {
	set, err := vm.ParseReductions(f.reduce)
	if err != nil {
		return err
	}
	bar := newProgress(con.err, "exploring")
	r, err := outcomes.Explore(ctx, prog, prog.Roots[0], outcomes.Options{
		Reductions: set, Workers: f.count(), MaxStates: f.maxStates, MaxBytes: int64(f.maxMemory),
		Schedules: f.schedule, Progress: bar.report,
	})
	bar.end()
	if err != nil {
		return err
	}
	if f.json {
		err = printOutcomesJSON(con.out, r)
	} else {
		err = printOutcomes(con.out, r)
	}
	if err != nil {
		return fmt.Errorf("writing the outcomes: %w", err)
	}
	return verdictOf(r)
}

// verdictOf gives the exit code of an exploration.
func verdictOf(r *outcomes.Report) error {
	if r.Fault != nil {
		return r.Fault
	}
	for i := range r.Outcomes {
		if !r.Outcomes[i].Good() {
			return exitWith(exitBad)
		}
	}
	if !r.Complete {
		return exitWith(exitUnknown)
	}
	return nil
}
