// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/lts"
	"pangolin/verdict"
)

// The subcommand compare reads two files with transition systems and prints whether they are equivalent, with a trace or formula if not.

const compareHelp = `Compare decides whether two transition systems in files (.aut, compressed by
gzip or not) are equivalent. If not, it says why: of trace equivalences with a
shortest trace that only one of them has, of bisimulations with a formula that
holds of the first and not of the second:

  <a> F               a can be done, to where F holds
  [while G] <a> F     the same behind internal steps, before each of which G
                      holds

-preorder asks only whether every trace of the first is one of the second.

Exit codes: 0 equivalent (or included), 1 not, 2 usage or a malformed file.`

func newCompare(con *console) *ffcli.Command {
	files := &systemFlags{}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	files.register(fs)
	equiv := fs.String("equiv", "branching", equivUsage())
	preorder := fs.Bool("preorder", false, "inclusion of traces (with -equiv trace or weak-trace)")
	asJSON := fs.Bool("json", false, "print a JSON object")
	return &ffcli.Command{
		Name:       "compare",
		ShortUsage: "pangolin compare [flags] A.aut B.aut",
		ShortHelp:  "are two transition systems equivalent, and why not",
		LongHelp:   compareHelp,
		FlagSet:    fs,
		Exec: func(_ context.Context, args []string) error {
			if len(args) != 2 {
				return &usageError{"compare", fmt.Sprintf("want two files, not %d", len(args))}
			}
			e, err := lts.ParseEquivalence(*equiv)
			if err != nil {
				return &usageError{"compare", err.Error()}
			}
			if *preorder && !e.Traces() {
				return &usageError{"compare", "-preorder is about traces: it goes with -equiv trace or weak-trace"}
			}
			var systems [2]*lts.System
			for i, name := range args {
				if systems[i], err = files.readSystem(name); err != nil {
					return err
				}
			}
			c := compared(args, systems, e, *preorder)
			if err := show(con, *asJSON, []verdict.Comparison{c}); err != nil || c.Holds {
				return err
			}
			return status(verdict.ExitViolated)
		},
	}
}

// compared compares two systems.
func compared(names []string, systems [2]*lts.System, e lts.Equivalence, preorder bool) verdict.Comparison {
	began := time.Now()
	a, b := systems[0], systems[1]
	c := verdict.Comparison{Left: names[0], Right: names[1], Equivalence: string(e), Preorder: preorder}
	r := lts.Comparison{First: true}
	if preorder {
		r.Equivalent, r.Trace = lts.Included(a, b, e == lts.WeakTrace)
	} else {
		r = lts.Compare(a, b, e)
	}
	c.Holds, c.Trace = r.Equivalent, r.Trace
	switch {
	case c.Holds:
	case r.Formula != nil:
		c.Formula, c.Words = r.Formula.String(), r.Formula.Words()
		c.SameTraces = lts.Compare(a, b, lts.WeakTrace).Equivalent
	case r.First:
		c.Has = c.Left
	default:
		c.Has = c.Right
	}
	c.Seconds = time.Since(began).Seconds()
	return c
}
