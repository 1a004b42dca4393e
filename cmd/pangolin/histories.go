// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/engine/bounded"
	"pangolin/verdict"
)

const historiesHelp = `Histories lists the histories with which the clients of a scope can end: a line
each, with the calls and returns in order, and the properties that it has. 1:Add(2)
is thread 1 calling Add, 1=true its return; what has no return never comes.

Nothing is merged, so scopes must be small: configuration A unless told otherwise.
A history stands for those in which calls begin earlier or return later. Each is
judged by trying the orders of its calls, which is slower than what verify does and
shares nothing with it.

Examples:

  pangolin histories ./queue.Queue
  pangolin histories -threads 2 -steps 3 ./queue.Queue`

func newHistories(con *console) *ffcli.Command {
	f := &requestFlags{}
	fs := flag.NewFlagSet("histories", flag.ContinueOnError)
	f.register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfSearch)
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	return &ffcli.Command{
		Name:       "histories",
		ShortUsage: "pangolin histories [flags] PKG.Type",
		ShortHelp:  "list the histories of a scope, judged one by one",
		LongHelp:   historiesHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			return listHistories(ctx, f.about(args), *asJSON, con)
		},
	}
}

// listHistories prints the histories of each collection; the exit code is 3 if a limit made a list incomplete.
func listHistories(ctx context.Context, r pangolin.Request, asJSON bool, con *console) error {
	jobs, code, err := con.jobs(ctx, r, "A")
	if err != nil {
		return err
	}
	all := make([]verdict.Histories, len(jobs))
	for i, j := range jobs {
		if all[i], err = bounded.Judged(ctx, j); err != nil {
			return fmt.Errorf("%s: %w", j.Subject.About.Collection, err)
		}
		if all[i].Incomplete != "" {
			code = 3
		}
	}
	if err := show(con, asJSON, all); err != nil {
		return err
	}
	return exitWith(code)
}
