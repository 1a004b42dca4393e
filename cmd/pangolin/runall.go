package main

import (
	"cmp"
	"context"
	"fmt"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// runAll explores every interleaving and prints the outcomes.
func runAll(ctx context.Context, f *runFlags, prog *ir.Program, con *console) error {
	s := &f.request.Search
	set, err := vm.ParseReductions(cmp.Or(s.Reduce, "all"))
	if err != nil {
		return err
	}
	bar := newProgress(con.err, "exploring")
	r, err := outcomes.Explore(ctx, prog, prog.Roots[0], outcomes.Options{
		Reductions: set, Workers: f.workers(), MaxStates: s.MaxStates, MaxBytes: s.MaxMemory,
		Schedules: f.schedule, Progress: bar.report,
	})
	bar.end()
	if err != nil {
		return err
	}
	switch {
	case r.Fault != nil && len(r.Outcomes) == 0 && !f.json: // the fault says it all
	case f.json:
		err = printOutcomesJSON(con.out, r)
	default:
		err = printOutcomes(con.out, r)
	}
	if err != nil {
		return fmt.Errorf("writing the outcomes: %w", err)
	}
	if r.Fault != nil && r.Fault.Kind == vm.FaultLocal {
		fmt.Fprintf(con.err, "pangolin: %v\n", r.Fault)
	}
	return verdictOf(r)
}

// verdictOf gives the exit code of an exploration. A thread that was given up because
// it had gone on for so long is a limit reached.
func verdictOf(r *outcomes.Report) error {
	if r.Fault != nil && r.Fault.Kind != vm.FaultLocal {
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
