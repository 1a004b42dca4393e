package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/force"
	"pangolin/internal/reproduce"
	"pangolin/verdict"
)

// The subcommand reproduce: a witness is first forced on Go's own runtime by a generated test; what
// such a test cannot force is followed on the changed runtime of internal/native.

const reproduceHelp = `Reproduce forces the schedule of a witness on Go's own runtime. It writes a Go test of
the package that the collection belongs to, which imports nothing of Pangolin's: the test
compiles a copy of the code in which each access of the schedule waits for its turn (the
go command's -overlay; no file is changed), and checks that results, panic, deadlock or
lap are those of the witness; for a data race, that the race detector reports these two
accesses. "pangolin replay -gotest FILE" keeps the test.

What such a test cannot force, or does not show, is tried a second way: compiled code on
a runtime that has been changed to give turns. Either shares nothing with the machine
that found the violation. It runs in the module that the collection belongs to.

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

// forced forces the schedule by a test, and if that shows nothing on a changed runtime.
func forced(ctx context.Context, w *verdict.Witness) (verdict.Reproduction, error) {
	r := verdict.Reproduction{Collection: w.Subject.Collection, Class: w.Class}
	text, dir, err := force.Test(ctx, ".", w)
	switch {
	case err == nil:
		run, err := force.Run(ctx, text, dir)
		if err != nil {
			return r, err
		}
		if run.Reproduced {
			r.Result, r.By, r.Why = verdict.Reproduced, "go test", w.Message
			return r, nil
		}
		r.Why = cmp.Or(run.Cannot, "the test shows nothing")
	case errors.Is(err, force.ErrCannot):
		r.Why = err.Error()
	default:
		return r, err
	}
	list, err := reproduce.Witnesses(ctx, ".", []*verdict.Witness{w})
	if err != nil {
		return r, err
	}
	r.Result, r.By = verdict.NotReproduced, "changed runtime"
	switch {
	case list[0].Cannot:
		r.Result = verdict.CannotTry
	case list[0].Reproduced:
		r.Result = verdict.Reproduced
	}
	r.Why += "; " + list[0].Why
	return r, nil
}
