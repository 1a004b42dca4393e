package main

import (
	"context"
	"flag"

	"github.com/peterbourgon/ff/v3/ffcli"
)

const proveHelp = `Prove looks for an invariant that shows a set, queue or stack linearizable and free
of data races and panics for any number of threads, calls, cells and values. It works on
the source as it is; nothing is annotated.

A verdict is proved; or violated: no invariant was found, and a bounded search found an
execution that is wrong; or unknown: the reason is printed, with the steps that lead
there in the abstraction. That need not be a fault of the code. The bounded search takes two
threads with up to five calls, and then the scope of the flags. Exit codes: 0 all are
proved, 1 one is violated, 2 usage, load or tool error, 3 none is violated and one
unknown.

Deadlocks and executions without end are not looked for: use verify. What code may look
like is said in doc/fragment.md.

Examples:

  pangolin prove ./queue
  pangolin prove -timeout 1m -json ./list.LazyList`

func newProve(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("prove", flag.ContinueOnError)
	f.register(fs)
	return &ffcli.Command{
		Name:       "prove",
		ShortUsage: "pangolin prove [flags] PKG ...",
		ShortHelp:  "correctness for any number of threads",
		LongHelp:   proveHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			f.request.Engine = "unbounded"
			return f.run(ctx, args, con)
		},
	}
}
