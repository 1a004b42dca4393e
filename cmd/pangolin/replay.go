// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/report"
	"pangolin/verdict"
)

// The subcommand replay: a witness file is executed again and printed, at once, step by step, or as a Go test (-gotest).

const replayHelp = `Replay loads the collection of a witness, executes the recorded decisions without
any reduction, checks that the violation shows, and prints the execution. A
witness of the engine schedules executes the code natively, with your rights; all
others execute a model of it. It runs in the module that the
collection belongs to; a schedule of "run -all -schedule" in the directory in which that was called. Exit codes: 0 the violation shows, 2
it does not (the code has changed) or the witness cannot be read.

With -step it waits for a line of input (Enter) after each step; q ends it.`

func newReplay(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	registerTags(fs)
	step := fs.Bool("step", false, "wait for Enter after each step")
	asJSON := fs.Bool("json", false, "print the witness as one JSON object")
	con.register(fs)
	var extra files
	extra.register(fs)
	keep := fs.String("gotest", "", "write a Go test that forces the schedule to this `file`, to be put into the package's directory")
	dot := fs.Int("dot", 0, "print the memory behind step `n` as a graph in the language DOT")
	return &ffcli.Command{
		Name:       "replay",
		ShortUsage: "pangolin replay [-step] WITNESS.json",
		ShortHelp:  "execute a witness again and print it",
		LongHelp:   replayHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) != 1 {
				return &usageError{"replay", "replay wants one witness file"}
			}
			if err := con.check(); err != nil {
				return &usageError{"replay", err.Error()}
			}
			if *step && *asJSON {
				return &usageError{"replay", "-step and -json contradict each other"}
			}
			if err := extra.create(); err != nil {
				return err
			}
			w, err := replay(ctx, args[0])
			if err != nil {
				return err
			}
			extra.show(verdict.Verdict{Type: "verdict", Schema: verdict.Schema, Subject: w.Subject, Package: w.Source.Package, Operations: w.Source.Ops,
				Status: verdict.Violated, Reason: w.Message, Scope: w.Scope, Findings: verdict.Findings{Violation: &verdict.Violation{Class: w.Class, Client: w.Client, Witness: args[0], Summary: w.Message, Execution: w}}})
			if err := extra.close(); err != nil {
				return err
			}
			if *keep != "" {
				test, err := force.Test(ctx, ".", w, driveHere(w))
				if err == nil && test.Cached {
					err = fmt.Errorf("the package is in the module cache, where no test can be put: reproduce forces the schedule in a copy of %s", w.Source.Module)
				}
				if err == nil {
					err = os.WriteFile(*keep, test.Text, 0o666)
				}
				if err != nil {
					return fmt.Errorf("-gotest: %w", err)
				}
			}
			if *dot != 0 {
				return report.Memory(con.out, w, *dot)
			}
			if *step {
				stepThrough(w, con)
				return nil
			}
			return show(con, *asJSON, []*verdict.Witness{w})
		},
	}
}

func replay(ctx context.Context, file string) (*verdict.Witness, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	w, err := verdict.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if w, err = pangolin.Replay(ctx, "", w); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return w, nil
}

// stepThrough prints a witness, waiting for a line of input after each step.
func stepThrough(w *verdict.Witness, con *console) {
	input := bufio.NewScanner(con.in)
	con.results(false).(report.Stepper).Step(w, func() bool { return input.Scan() && input.Text() != "q" })
}
