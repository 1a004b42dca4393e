// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/lts"
	"pangolin/verdict"
)

// The subcommand reduce, and what all subcommands about transition systems share: the flag -equiv, and the description of a system's size.

const reduceHelp = `Reduce gives the smallest system that is equivalent to one in a file: its
quotient. The file is in the Aldebaran format (.aut), compressed by gzip or not.
What cannot be reached is left out, and the numbers of states depend on
behaviour only: equal quotients are equal files. Trace equivalences give a
deterministic system.

Without -o the quotient is printed as .aut.

Examples:

  pangolin reduce queue.aut
  pangolin reduce -equiv weak-trace -o small.dot queue.aut.gz`

// equivUsage lists the equivalences.
func equivUsage() string {
	var names []string
	for _, e := range lts.Equivalences() {
		names = append(names, string(e))
	}
	last := len(names) - 1
	return "`equivalence`: " + strings.Join(names[:last], ", ") + " or " + names[last] + "; branching by default"
}

// register adds the flag about labels in files.
func (f *systemFlags) register(fs *flag.FlagSet) {
	fs.StringVar(&f.tau, "tau", "", "`labels` of internal steps, separated by commas; tau and i by default")
}

func newReduce(con *console) *ffcli.Command {
	files := &systemFlags{}
	fs := flag.NewFlagSet("reduce", flag.ContinueOnError)
	files.register(fs)
	equiv := fs.String("equiv", "branching", equivUsage())
	out := fs.String("o", "", "write the quotient into `file`: .aut, .dot or .svg (a picture), and .gz behind it to compress")
	fs.BoolVar(&files.cadp, "cadp", false, "write .aut as CADP does: i for internal steps")
	asJSON := fs.Bool("json", false, "with -o, print sizes as JSON objects")
	return &ffcli.Command{
		Name:       "reduce",
		ShortUsage: "pangolin reduce [flags] A.aut",
		ShortHelp:  "the quotient of a transition system",
		LongHelp:   reduceHelp,
		FlagSet:    fs,
		Exec: func(_ context.Context, args []string) error {
			if len(args) != 1 {
				return &usageError{"reduce", fmt.Sprintf("want one file, not %d", len(args))}
			}
			e, err := lts.ParseEquivalence(*equiv)
			if err != nil {
				return &usageError{"reduce", err.Error()}
			}
			began := time.Now()
			s, err := files.readSystem(args[0])
			if err != nil {
				return err
			}
			read := time.Since(began)
			began = time.Now()
			q := s.Quotient(e)
			if *out == "" {
				write, err := files.format(".aut")
				if err != nil {
					return err
				}
				return packed(con.out, false, func(w io.Writer) error { return write(w, q) })
			}
			if err := files.writeSystem(*out, q); err != nil {
				return err
			}
			return show(con, *asJSON, []verdict.System{
				size(args[0], "", s, read),
				{Of: args[0], Side: "quotient under " + *equiv, File: *out, States: q.States(),
					Transitions: q.Transitions(), Labels: visible(q), Seconds: time.Since(began).Seconds()},
			})
		},
	}
}

// size describes a system.
func size(of, side string, s *lts.System, took time.Duration) verdict.System {
	return verdict.System{Of: of, Side: side, States: s.States(), Transitions: s.Transitions(), Labels: visible(s), Seconds: took.Seconds()}
}

func visible(s *lts.System) int { return len(s.Labels()) - 1 }
