// SPDX-License-Identifier: BSD-3-Clause

// Command pangolind computes verdicts for the command pangolin on other machines: a server that has
// the queue and the results, and workers. doc/farm.md tells how to begin.
//
// It is a binary of its own so that pangolin links no queue.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/manual"
)

// exitTool is the exit code of a command that could not do its work.
const exitTool = 2

// console contains a command's input and outputs.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// subcommands lists the subcommands in the order in which help prints them.
func subcommands() []func(*console) *ffcli.Command {
	return []func(*console) *ffcli.Command{
		newServe,
		newWorker,
		newToken,
		newVersion,
		newChild,
	}
}

const rootHelp = `Pangolind is the farm behind "pangolin verify -on URL": serve keeps the queue and
the results, workers compute.

Exit codes: 0 it was interrupted, 2 usage or tool error, such as an address in use.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := execute(ctx, os.Args[1:], &console{in: os.Stdin, out: os.Stdout, err: os.Stderr})
	stop()
	os.Exit(code)
}

// usage is a command's help.
func usage(c *ffcli.Command) string { return strings.TrimSuffix(manual.Of(c), "\n") }

// execute runs a command line and returns the exit code.
func execute(ctx context.Context, args []string, con *console) int {
	root := &ffcli.Command{Name: "pangolind", ShortUsage: "pangolind COMMAND [flags]", LongHelp: rootHelp, UsageFunc: usage}
	for _, make := range subcommands() {
		c := make(con)
		if c.FlagSet == nil {
			c.FlagSet = flag.NewFlagSet(c.Name, flag.ContinueOnError)
		}
		c.FlagSet.SetOutput(con.err)
		c.UsageFunc = usage
		root.Subcommands = append(root.Subcommands, c)
	}
	root.FlagSet = flag.NewFlagSet("pangolind", flag.ContinueOnError)
	root.FlagSet.SetOutput(con.err)
	root.Exec = func(_ context.Context, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("there is no command %q (pangolind -h lists them)", args[0])
		}
		return flag.ErrHelp
	}
	err := root.ParseAndRun(ctx, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		if len(args) == 0 {
			return exitTool
		}
		return 0
	}
	fmt.Fprintf(con.err, "pangolind: %v\n", err)
	return exitTool
}
