package main

import (
	"cmp"
	"context"
	"fmt"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/verdict"
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
	v := r.Verdict(prog.Roots[0].Name)
	quote(v.Outcomes)
	if err := show(con, f.json, []verdict.Verdict{v}); err != nil {
		return err
	}
	if r.Fault != nil && r.Fault.Kind == vm.FaultLocal {
		fmt.Fprintf(con.err, "pangolin: %v\n", r.Fault)
	}
	if r.Fault != nil && r.Fault.Kind != vm.FaultLocal { // that is a limit reached
		return r.Fault
	}
	return exitWith(verdict.ExitCode([]verdict.Verdict{v}))
}
