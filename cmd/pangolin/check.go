// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

// The command check: a certificate of prove, checked without the prover.

const checkHelp = `Check says whether a certificate of prove holds for the collection that it is about,
in the module of the current directory. It does not trust the prover. Of the method
unbounded it shares with it neither the execution of instructions nor the merging of
what threads see; of the method cmp it shares the machine, and puts two threads
together and executes them where the prover computes what one does to the other.

-views draws what threads may see, for each place in the code at which they may stand.
Exit codes: 0 it holds, 1 it does not, 2 it cannot be read, or the collection is not
there.

Examples:

  pangolin prove -certificate queue.cert ./queue.Queue
  pangolin check queue.cert
  pangolin check -views queue.cert`

func newCheck(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "print one JSON object")
	views := fs.Bool("views", false, "draw what threads may see, place by place")
	return &ffcli.Command{
		Name:       "check",
		ShortUsage: "pangolin check [-views] CERTIFICATE",
		ShortHelp:  "check a certificate without the prover",
		LongHelp:   checkHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			switch {
			case len(args) != 1:
				return &usageError{"check", "check wants one certificate file"}
			case *asJSON && *views:
				return &usageError{"check", "-json and -views contradict each other"}
			}
			var draw io.Writer
			if *views {
				draw = con.out
			}
			return checkFile(ctx, args[0], draw, func(c *verdict.Checked) error {
				return show(con, *asJSON, []verdict.Checked{*c})
			})
		},
	}
}

// checkFile checks a certificate and shows what came of it.
func checkFile(ctx context.Context, file string, draw io.Writer, show func(*verdict.Checked) error) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c, err := pangolin.CheckCertificate(ctx, "", text, draw)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := show(c); err != nil {
		return err
	}
	if !c.Holds {
		return status(verdict.ExitViolated)
	}
	return nil
}
