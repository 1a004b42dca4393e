// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

// The subcommand mutate: the flags of verify and those that select mutants; results are printed as they come.

const mutateHelp = `Mutate shows whether a verdict has teeth: it verifies a collection, plants faults in
the source that its operations execute, one at a time, and verifies each of these
mutants in the same scope, beginning with few steps. It lists which mutants are
killed, by what, and which survive, with their difference from the source. A
survivor behaves as the collection should, or the scope is too small to show that
it does not: look at it, and try -only ID with a larger scope.

Only source of the collection's own module is mutated. Mutants that do not compile
are invalid; those that compile to the same code as the original or as an earlier
mutant are left out. A mutant whose search reaches a limit is unknown. Numbers and
order of mutants depend on the source alone.

All flags of verify have their meaning there, but -timeout is 30s for each mutant
unless given, and -j is the number of mutants that are verified at the same time.

Exit codes: 0 the mutants were tried, whatever became of them (a survivor is no
violation), 2 usage, load or tool error, 3 the collection itself is not verified.

Examples:

  pangolin mutate ./queue.Queue
  pangolin mutate -config B -operators lock-dropped ./list.LazyList
  pangolin mutate -only 17 -threads 3 -steps 1..4 ./list.LazyList

Operators:
`

// mutateFlags are the flags of mutate: those of verify and which mutants to try.
type mutateFlags struct {
	verifyFlags
	mutation  pangolin.Mutation
	only      string
	operators string
	quiet     bool
}

func newMutate(con *console) *ffcli.Command {
	f := &mutateFlags{}
	fs := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.register(fs)
	f.registerCache(fs)
	f.farm.register(fs)
	fs.Lookup("timeout").Usage = "give a mutant up after a `duration` such as 5s (default 30s)"
	fs.Lookup("j").Usage = "verify `n` mutants at the same time (default: the number of CPUs)"
	f.request.Search.Timeout = 30 * time.Second
	fs.StringVar(&f.only, "only", "", "try only the mutants with these `numbers`, separated by commas")
	fs.StringVar(&f.operators, "operators", "", "try only mutants of these operators, a comma separated `list`")
	fs.IntVar(&f.mutation.Max, "max", 0, "try at most `n` mutants, spread evenly over the source (default: all)")
	fs.BoolVar(&f.quiet, "survivors", false, "list only the mutants that are not killed")
	return &ffcli.Command{
		Name:       "mutate",
		ShortUsage: "pangolin mutate [flags] PKG.Type",
		ShortHelp:  "plant faults in the source and list those that the verification misses",
		LongHelp:   mutateHelp + operatorList(),
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			return f.farm.wherever(ctx, con, func() error { return f.run(ctx, args, con) })
		},
	}
}

func operatorList() string {
	var b strings.Builder
	for _, op := range pangolin.MutationOperators() {
		fmt.Fprintf(&b, "\n  %-16s %s", op[0], op[1])
	}
	return b.String()
}

// options converts the flags that select mutants.
func (f *mutateFlags) options() (pangolin.Mutation, error) {
	o := f.mutation
	o.Operators = list(f.operators)
	for _, text := range list(f.only) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return o, &usageError{"mutate", fmt.Sprintf("-only %q: want numbers of mutants", f.only)}
		}
		o.Only = append(o.Only, n)
	}
	return o, nil
}

func (f *mutateFlags) run(ctx context.Context, args []string, con *console) error {
	if len(args) > 1 {
		return &usageError{"mutate", "mutate wants one collection"}
	}
	r := f.about(args)
	o, err := f.options()
	if err != nil {
		return err
	}
	r.Out = ""
	results := con.results(f.json)
	r.Events.Found, r.Events.Note, r.Events.Elsewhere = con.announce, con.note, f.farm.elsewhere()
	o.Baseline = func(v verdict.Verdict) { _ = results.Show(verdict.Unmutated{Verdict: v}) }
	o.Mutant = func(m verdict.Mutant) {
		if !f.quiet || m.Outcome != verdict.Killed {
			_ = results.Show(m)
		}
	}
	summary, err := pangolin.Mutate(ctx, r, o)
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		fmt.Fprintf(con.err, "pangolin: %v\n", err)
		return exitWith(verdict.ExitUnknown)
	}
	if err != nil {
		return err
	}
	return results.Show(summary) // a writer that has failed fails again
}
