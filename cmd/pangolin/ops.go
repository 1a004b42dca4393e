// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

const opsHelp = `Ops prints what verify would check: each collection's constructor, operations,
kind, protocol and oracle, why, and which methods are left out. What is named and
cannot be verified is listed as not judged (exit code 3).`

func newOps(con *console) *ffcli.Command {
	f := &requestFlags{}
	fs := flag.NewFlagSet("ops", flag.ContinueOnError)
	f.register(fs, pangolin.OfSubject, pangolin.OfScope)
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	return &ffcli.Command{
		Name:       "ops",
		ShortUsage: "pangolin ops [flags] PKG ...",
		ShortHelp:  "print what verify would check",
		LongHelp:   opsHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			r := f.about(args)
			r.Events.Note = con.note
			results := con.results(*asJSON)
			missed, err := found(ctx, r, func(c verdict.Collection) { _ = results.Show(inFlags(c)) }) // Close tells what went wrong
			for _, v := range missed {
				_ = results.Show(saidInFlags(v))
			}
			if err := errors.Join(err, results.Close()); err != nil {
				return err
			}
			return exitWith(verdict.ExitCode(missed))
		},
	}
}

// found shows the collections of a request, and returns the verdicts about what else was named.
func found(ctx context.Context, r pangolin.Request, show func(verdict.Collection)) (missed []verdict.Verdict, err error) {
	p, err := pangolin.Prepare(ctx, r)
	if err != nil {
		return pangolin.Unjudged(r, err)
	}
	for _, c := range p.Collections() {
		show(c)
	}
	return p.Missed(), p.Mistakes()
}
