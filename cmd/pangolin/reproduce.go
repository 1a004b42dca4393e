// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/verdict"
)

// The subcommand reproduce: a witness is forced on Go's own runtime by a generated test.

const reproduceHelp = `Reproduce forces the schedule of a witness on Go's own runtime. It writes a Go test of
the package that the collection belongs to, which imports nothing of Pangolin's: the test
compiles a copy of the code in which each access of the schedule waits for its turn (the
go command's -overlay; no file is changed), and checks that results, panic, deadlock or
lap are those of the witness; for a data race, that the race detector reports these two
accesses; for a leak, that the goroutine still waits there. "pangolin replay -gotest FILE"
keeps the test. A package in the module cache is forced in a copy of its module, a whole
program (a witness of "run -all -schedule") in a copy of all its packages; the copies are
removed.

Calls with functions, contexts, handles or whatever else is no plain value go through
the file by which Pangolin itself makes them. What the runtime decides is not forced:
which case of a select that could take several, random numbers, the clock, how long a
timer takes. It runs in the module that the collection belongs to, or that needs it.

Exit codes: 0 the violation was reproduced; 1 it was not (what happened instead is
said: please report it, one of the two is wrong); 3 the schedule could not be tried.`

func newReproduce(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
	registerTags(fs)
	asJSON := fs.Bool("json", false, "print one JSON object")
	return &ffcli.Command{
		Name:       "reproduce",
		ShortUsage: "pangolin reproduce WITNESS.json",
		ShortHelp:  "force a witness's schedule on the real Go runtime",
		LongHelp:   reproduceHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return &usageError{"reproduce", "reproduce wants one witness file"}
			}
			return reproduced(ctx, args[0], *asJSON, con)
		},
	}
}

func reproduced(ctx context.Context, file string, asJSON bool, con *console) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	w, err := verdict.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	r, err := forced(ctx, w)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := show(con, asJSON, []verdict.Reproduction{r}); err != nil {
		return err
	}
	return exitWith(r.Result.ExitCode())
}

// forced forces the schedule by a test.
func forced(ctx context.Context, w *verdict.Witness) (verdict.Reproduction, error) {
	r := verdict.Reproduction{Collection: w.Subject.Collection, Class: w.Class, By: "go test", Result: verdict.CannotTry}
	if w.Source.Program {
		r.By = "go build"
	}
	run, err := forcedRun(ctx, w)
	switch {
	case errors.Is(err, force.ErrCannot):
		r.Why = err.Error()
		return r, nil
	case err != nil:
	case run.Reproduced:
		r.Result, r.Why = verdict.Reproduced, w.Message
	case run.Cannot != "":
		r.Why = run.Cannot
	case force.Chooses(w) != "":
		r.Why = force.Chooses(w)
	default:
		r.Result, r.Why = verdict.NotReproduced, run.Missed()
	}
	return r, err
}

// forcedRun forces the schedule, of a program by running a copy of it.
func forcedRun(ctx context.Context, w *verdict.Witness) (force.Result, error) {
	if w.Source.Program {
		return force.Program(ctx, ".", w)
	}
	test, err := force.Test(ctx, ".", w, driveHere(w))
	if err != nil {
		return force.Result{}, err
	}
	return test.Run(ctx)
}

// driveHere gives the file through which a witness's operations can be called, in the module of the current directory.
func driveHere(w *verdict.Witness) force.Drive {
	return func(ctx context.Context) (*verdict.Harness, error) { return pangolin.Harness(ctx, "", w) }
}
