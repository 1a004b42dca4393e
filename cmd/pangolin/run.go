// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"strings"

	"pangolin"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/report"
)

// The subcommand run: one execution of a program, or with -all how every execution ends.

const runHelp = `Run executes the main function of a program: Go files of one package, or a
package as the go command names it. What stands behind it and does not look
like a flag is passed to the program; put "--" before arguments that do.

With -test it executes a test function instead, as package testing does: its
goroutines, subtests and failures. TestMain is left out.

Without -all it executes one schedule, and its output, panic message and exit
status are those of the program, as with go run. Exit code 2 with a message that
begins with "pangolin:" means that Pangolin could not go on.

With -all it explores every interleaving of the goroutines and every decision
that Go leaves open, and prints each distinct outcome once: output, panic,
deadlock with who waits for what, data race with both accesses, executions
that never end, and leaks: goroutines that main leaves behind and that wait for
what nobody who may still move can reach. With -schedule each has a shortest execution, which is also
written as a witness file: replay takes it. Exit codes of -all: 0 everything
was explored and every outcome is a normal end with status 0; 1 some outcome is
something else; 2 usage, load or tool error; 3 a limit was reached and nothing
bad was found.

Timers fire at any moment. With -time virtual the clock goes on to the next one
only when nobody can move, as in a bubble of testing/synctest.

Examples:

  pangolin run hello.go                   execute one schedule
  pangolin run -all ./cmd/bank            what can happen?
  pangolin run -all -schedule bank.go     ... and how does it come about?
  pangolin run -all -json bank.go         the same for programs
  pangolin run -all -test TestPut ./queue every interleaving of a test
  pangolin run prog.go -- -v input        arguments for the program`

// runFlags are the flags of run.
type runFlags struct {
	requestFlags
	json     bool
	all      bool
	schedule bool
	maxSteps int
}

func newRun(con *console) *ffcli.Command {
	f := &runFlags{}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.BoolVar(&f.all, "all", false, "explore every interleaving and print each distinct outcome")
	fs.BoolVar(&f.schedule, "schedule", false, "with -all: print a shortest schedule for each outcome")
	fs.StringVar(&f.request.Out, "out", witnessDir(), "`directory` to which -schedule writes each schedule as a witness (default pangolin in the user's cache directory; '' for none)")
	fs.IntVar(&f.maxSteps, "max-steps", 5_000_000_000, "without -all: end after `n` instructions (default 5000000000)")
	f.register(fs, pangolin.OfProgram, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch)
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	con.register(fs)
	fs.Lookup("reduce").Usage = reduceUsage(pangolin.Reductions(true))
	return &ffcli.Command{
		Name:       "run",
		ShortUsage: "pangolin run [-all] [flags] FILE.go...|PKG [arguments]",
		ShortHelp:  "execute a program: one schedule, or with -all every interleaving",
		LongHelp:   runHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			return runProgram(ctx, f, args, con)
		},
	}
}

func runProgram(ctx context.Context, f *runFlags, args []string, con *console) error {
	patterns, args := programPatterns(args)
	if len(patterns) == 0 {
		return &usageError{"run", "run wants Go files or a package"}
	}
	if err := cmp.Or(f.check(), con.check()); err != nil {
		return &usageError{"run", err.Error()}
	}
	if f.all {
		return runAll(ctx, f, patterns, args, con)
	}
	r := f.about(patterns)
	r.Program.Args = args
	if r.Search.MaxMemory == defaultMemory {
		r.Search.MaxMemory = 0 // one schedule needs less
	}
	end, err := pangolin.Execute(ctx, r, pangolin.Execution{Stdout: con.out, Stderr: con.err, MaxSteps: f.maxSteps})
	if err != nil {
		return err
	}
	report.Ending(con.err, &end)
	return exitWith(*end.Exit)
}

// check returns an error if flags contradict each other.
func (f *runFlags) check() error {
	switch {
	case !f.all && f.schedule:
		return errors.New("-schedule needs -all")
	case !f.all && f.json:
		return errors.New("-json needs -all")
	case f.maxSteps < 0:
		return errors.New("-max-steps is negative: want 0 or more instructions")
	}
	return nil
}

// programPatterns splits the arguments into those that name the program and those that are passed to it.
func programPatterns(args []string) (patterns, rest []string) {
	n := 0
	for n < len(args) && strings.HasSuffix(args[n], ".go") {
		n++
	}
	if n == 0 && len(args) > 0 {
		n = 1
	}
	return args[:n], args[n:]
}
