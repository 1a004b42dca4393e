// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
)

const clientsHelp = `Clients counts the clients of a scope: what every thread calls, in order, after
the pre-adds. With -list it prints them as well. Without a package it counts
those of the usual operations of a kind.

Examples:

  pangolin clients -kind set -config D
  pangolin clients -kind queue -protocol synchronous -config B -list
  pangolin clients -threads 2 -steps 1..4 ./queue.Ring`

func newClients(con *console) *ffcli.Command {
	f := &requestFlags{}
	fs := flag.NewFlagSet("clients", flag.ContinueOnError)
	f.register(fs, pangolin.OfSubject, pangolin.OfScope)
	list := fs.Bool("list", false, "print every client")
	asJSON := fs.Bool("json", false, "print one JSON object a line")
	return &ffcli.Command{
		Name:       "clients",
		ShortUsage: "pangolin clients [flags] [PKG ...]",
		ShortHelp:  "count or list the clients of a scope",
		LongHelp:   clientsHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			found, err := pangolin.Clients(ctx, f.about(args), *list)
			if err != nil {
				return err
			}
			return show(con, *asJSON, found)
		},
	}
}
