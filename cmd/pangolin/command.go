// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
	"pangolin/internal/manual"
	"pangolin/verdict"
)

// console contains a command's input and outputs.
type console struct {
	in       io.Reader
	out, err io.Writer
	display
}

// constructor makes one subcommand.
type constructor func(*console) *ffcli.Command

// subcommands lists the subcommands in the order in which help prints them. A new
// one is a file with its constructor and a line here.
func subcommands() []constructor {
	return []constructor{
		newVerify,
		newClients,
		newHistories,
		newJudge,
		newReplay,
		newReproduce,
		newOps,
		newRun,
		newTest,
		newStudy,
		newMutate,
		newRefine,
		newProve,
		newCheck,
		newPoints,
		newLTS,
		newCompare,
		newReduce,
		newBaseline,
		newMerge,
		newCache,
		newServe,
		newLSP,
		newRemote,
		newInit,
		newCompletion,
		newVersion,
	}
}

// status is the error of a command that has printed everything and only sets the exit code.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exitWith returns a command's error for an exit code.
func exitWith(code int) error {
	if code == 0 {
		return nil
	}
	return status(code)
}

// usageError is a mistake on the command line.
type usageError struct {
	command string // "" for pangolin itself
	text    string
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%s\nTry: %s", e.text, strings.TrimSpace("pangolin help "+e.command))
}

// execute runs a command line and returns the exit code.
func execute(ctx context.Context, args []string, con *console) int {
	out := &sink{Writer: con.out}
	con.out = out
	err := dispatch(ctx, args, con)
	if out.err != nil {
		fmt.Fprintf(con.err, "pangolin: the results could not be written: %v\n", out.err)
		if errors.Is(err, out.err) {
			return verdict.ExitTool
		}
	}
	code := exitCode(err, con)
	if out.err != nil {
		return verdict.ExitTool
	}
	return code
}

// exitCode is that of a command's error, which it prints.
func exitCode(err error, con *console) int {
	var code status
	switch {
	case err == nil:
		return verdict.ExitVerified
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(con.err, "pangolin: %s\n", asFlags(err.Error()))
	return verdict.ExitTool
}

// isCommand reports whether a subcommand has a name.
func isCommand(name string) bool {
	return slices.ContainsFunc(newRoot(&console{}).Subcommands, func(c *ffcli.Command) bool { return c.Name == name })
}

func dispatch(ctx context.Context, args []string, con *console) error {
	if asksVet(args) {
		return answerVet(ctx, args, con)
	}
	args, err := changeDirectory(args)
	if err != nil {
		return err
	}
	root := newRoot(con)
	if len(args) == 0 {
		fmt.Fprint(con.err, manual.Of(root))
		return status(verdict.ExitTool)
	}
	if isHelp(args[0]) {
		return printHelp(root, args[1:], con)
	}
	if args[0] == "-version" || args[0] == "--version" {
		args[0] = "version"
	}
	for _, c := range root.Subcommands {
		if c.Name == args[0] {
			return invoke(ctx, c, args[1:], con)
		}
	}
	return noCommand(args[0], root.Subcommands)
}

// changeDirectory follows a leading -C DIR or -C=DIR, as the go command does.
func changeDirectory(args []string) ([]string, error) {
	if len(args) == 0 {
		return args, nil
	}
	dir, given := strings.CutPrefix(args[0], "-C=")
	switch {
	case given:
		args = args[1:]
	case args[0] != "-C":
		return args, nil
	case len(args) == 1:
		return nil, &usageError{text: "-C wants a directory"}
	default:
		dir, args = args[1], args[2:]
	}
	if err := os.Chdir(dir); err != nil {
		return nil, &usageError{text: "-C: " + err.Error()}
	}
	return args, nil
}

func newRoot(con *console) *ffcli.Command {
	root := &ffcli.Command{
		Name:       "pangolin",
		ShortUsage: "pangolin COMMAND [flags] [arguments]",
		ShortHelp:  "every Go interleaving, checked",
		LongHelp:   rootHelp,
	}
	for _, make := range subcommands() {
		root.Subcommands = append(root.Subcommands, make(con))
	}
	return root
}

// invoke parses a subcommand's flags and executes it.
func invoke(ctx context.Context, c *ffcli.Command, args []string, con *console) error {
	rest, err := parse(c.FlagSet, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(con.out, manual.Of(c))
		return nil
	case err != nil:
		return &usageError{c.Name, noFlag(c.FlagSet, err).Error()}
	}
	if c.FlagSet.Lookup("cache") != nil {
		if _, err := cache.Default(); err != nil {
			return &usageError{c.Name, err.Error()}
		}
	}
	return c.Exec(ctx, rest)
}

// parse parses flags anywhere among the arguments, up to "--", and returns the arguments.
func parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	fs.Init(fs.Name(), flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		n := len(args) - fs.NArg()
		stopped := n > 0 && args[n-1] == "--"
		args = fs.Args()
		if stopped {
			return append(rest, args...), nil
		}
		if len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}
