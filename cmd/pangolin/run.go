package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"pangolin"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

const runHelp = `Run executes the main function of a program: Go files of one package, or a
package as the go command names it. What stands behind it and does not look
like a flag is passed to the program; put "--" before arguments that do.

Without -all it executes one schedule, and its output, panic message and exit
status are those of the program, as with go run. Exit code 2 with a message that
begins with "pangolin:" means that Pangolin could not go on.

With -all it explores every interleaving of the goroutines and every decision
that Go leaves open, and prints each distinct outcome once: output, panic,
deadlock with who waits for what, data race with both accesses, and executions
that never end. Exit codes of -all: 0 everything was explored and every outcome
is a normal end with status 0; 1 some outcome is something else; 2 usage, load
or tool error; 3 a limit was reached and nothing bad was found.

Examples:

  pangolin run hello.go                   execute one schedule
  pangolin run -all ./cmd/bank            what can happen?
  pangolin run -all -schedule bank.go     ... and how does it come about?
  pangolin run -all -json bank.go         the same for programs
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
	fs.IntVar(&f.maxSteps, "max-steps", 5_000_000_000, "without -all: end after `n` instructions (default 5000000000)")
	f.register(fs, pangolin.OfSearch)
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	fs.Lookup("reduce").Usage = reduceUsage(outcomes.Applicable)
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
	if err := f.check(); err != nil {
		return &usageError{"run", err.Error()}
	}
	if f.all {
		return runAll(ctx, f, patterns, args, con)
	}
	if f.request.Search.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.request.Search.Timeout)
		defer cancel()
	}
	prog, err := front.Load(ctx, front.Request{Patterns: patterns, Roots: []string{"main"}})
	if err != nil {
		return loadError(ctx, err)
	}
	prog.Args = args
	return runOnce(ctx, f, prog, con)
}

// check looks for flags that contradict each other.
func (f *runFlags) check() error {
	switch {
	case !f.all && f.schedule:
		return errors.New("-schedule needs -all")
	case !f.all && f.json:
		return errors.New("-json needs -all")
	case f.maxSteps < 0:
		return errors.New("a limit is negative")
	}
	return nil
}

// programPatterns splits arguments into what names the program and what is for it.
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

// loadError says so if loading was cut short, not failed.
func loadError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("loading the program was interrupted: %w", context.Cause(ctx))
	}
	return err
}

// slice is how many instructions are executed between two looks at the clock.
const slice = 20_000_000

// runOnce executes one schedule.
func runOnce(ctx context.Context, f *runFlags, prog *ir.Program, con *console) error {
	img, err := vm.NewImage(prog)
	if err != nil {
		return err
	}
	m := img.NewMachine(vm.Options{HeapBytes: f.heapBytes(), StringBytes: f.heapBytes(), Stream: func(file int, text string) {
		w := con.out
		if file == 2 {
			w = con.err
		}
		io.WriteString(w, text) // a closed pipe is the reader's choice
	}})
	m.Start(prog.Roots[0])
	start := time.Now()
	for left := f.maxSteps; !m.Run(nil, min(slice, left)); left -= slice {
		if m.Spins() {
			break
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the program had not ended after %v: %s", time.Since(start).Round(time.Millisecond), interruption(ctx))
		}
		if left <= slice {
			return fmt.Errorf("the program had not ended after %d instructions (-max-steps); it may never end", f.maxSteps)
		}
	}
	return ending(m, con)
}

// heapBytes bounds the memory of a program of which one schedule is executed: what
// -max-memory says, but 1 GiB by default.
func (f *runFlags) heapBytes() int {
	if f.request.Search.MaxMemory == defaultMemory {
		return 1 << 30
	}
	return int(f.request.Search.MaxMemory)
}

func interruption(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "the limit -timeout was reached"
	}
	return "interrupted"
}

// ending reports how an execution ended as the Go runtime does.
func ending(m *vm.Machine, con *console) error {
	if fault := m.Fault(); fault != nil {
		return fault
	}
	e := m.Ended()
	switch e.Kind {
	case vm.Running:
		fmt.Fprintln(con.err, "fatal error: all goroutines are asleep - deadlock!")
		for _, line := range outcomes.Situations(m) {
			fmt.Fprintf(con.err, "\n%s\n", line)
		}
		return status(2)
	case vm.Panicked, vm.Fatal:
		fmt.Fprintf(con.err, "%s\n\n\tat %s\n", m.Text(e.Text), m.EndedAt())
	}
	return exitWith(e.Code)
}
