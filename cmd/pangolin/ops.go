package main

import (
	"context"
	"flag"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
)

const opsHelp = `Ops prints what verify would check: each collection's constructor, operations,
kind, protocol and oracle, why, and which methods are left out.`

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
			found, err := pangolin.Prepare(ctx, r)
			if err != nil {
				return err
			}
			list := found.Collections()
			for i := range list {
				list[i] = inFlags(list[i])
			}
			return show(con, *asJSON, list)
		},
	}
}
