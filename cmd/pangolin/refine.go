// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/peterbourgon/ff/v3/ffcli"
)

const refineHelp = `Refine decides linearizability by comparing transition systems: every sequence
of invocations and responses of the code must be one of a system in which each
operation is a single step. It needs no linearization points. The code is
explored only until a difference is found, and what is found is executed again
and confirmed like any violation.

-against oracle (the default) takes the steps that the oracle allows; -against
self the same code, each operation executed from beginning to end, so that no
oracle is needed. Only results are judged: use verify for deadlocks, data races
and executions without end.

-property lock-free, wait-free or obstruction-free asks for progress instead:
can a call be kept from returning? doc/progress.md has the definitions.

Every thread makes calls of its choice: -threads N -per-thread M, or -steps N
for all threads together. All clients of the scope are explored, also those that
remove more than they add and those with equal priorities. Exit codes as of
verify.

Examples:

  pangolin refine -threads 2 -per-thread 2 -values 2 ./queue
  pangolin refine -threads 3 -per-thread 1 -against self ./stack.Stack`

func newRefine(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("refine", flag.ContinueOnError)
	without(fs, append([]string{"races", "min", "small", "mode"}, unread...), f.register)
	f.registerCache(fs)
	systemUsage(fs)
	fs.Lookup("property").Usage = "`property`: linear, wait-free, lock-free or obstruction-free (default linear)"
	against := fs.String("against", "oracle", "the abstract `side`: oracle, or self")
	return &ffcli.Command{
		Name:       "refine",
		ShortUsage: "pangolin refine [flags] PKG ...",
		ShortHelp:  "linearizability by comparison of transition systems",
		LongHelp:   refineHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			switch *against {
			case "oracle":
			case "self":
				f.request.Oracle = "self"
			default:
				return &usageError{"refine", fmt.Sprintf("-against %q: there are self and oracle", *against)}
			}
			f.request.Engine = "refine"
			return f.run(ctx, args, con)
		},
	}
}
