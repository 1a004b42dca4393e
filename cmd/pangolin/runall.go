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
	r, err := outcomes.Explore(ctx, prog, prog.Roots[0], outcomes.Options{
		Workers: f.count(), MaxStates: f.maxStates, MaxBytes: int64(f.maxMemory), Schedules: f.schedule,
		NoFusing: set&vm.Fusing == 0, NoSymmetry: set&vm.Symmetry == 0,
	})
	if err != nil {
		return err
	}
	for _, o := range r.Outcomes {
		fmt.Fprintf(con.out, "%+v\n", o)
	}
	return nil
}
