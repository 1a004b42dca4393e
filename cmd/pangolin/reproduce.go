// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/force"
	"pangolin/verdict"
)

// The subcommand reproduce: a witness is forced on Go's own runtime by a generated test.

const reproduceHelp = `Reproduce forces the schedule of a witness on Go's own runtime. It writes a Go test of
the package that the collection belongs to, which imports nothing of Pangolin's: the test
compiles a copy of the code in which each access of the schedule waits for its turn (the
go command's -overlay; no file is changed), and checks that results, panic, deadlock or
lap are those of the witness; for a data race, that the race detector reports these two
accesses. "pangolin replay -gotest FILE" keeps the test.

It shares nothing with the machine that found the violation, and runs in the module that
the collection belongs to.

Exit codes: 0 the violation was reproduced; 1 it was not (what happened instead is
said: please report it, one of the two is wrong); 3 the schedule could not be tried.`

func newReproduce(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("reproduce", flag.ContinueOnError)
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
	text, dir, err := force.Test(ctx, ".", w)
	if errors.Is(err, force.ErrCannot) {
		r.Why = err.Error()
		return r, nil
	}
	if err != nil {
		return r, err
	}
	run, err := force.Run(ctx, text, dir)
	switch {
	case err != nil:
	case run.Reproduced:
		r.Result, r.Why = verdict.Reproduced, w.Message
	case run.Cannot != "":
		r.Why = run.Cannot
	default:
		r.Result, r.Why = verdict.NotReproduced, "the test shows nothing"
	}
	return r, err
}
