// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/farm/sandbox"
)

const childHelp = `Child does a task, or several mutants of one collection. A worker starts it, in
namespaces of its own where the system has them, and tells it on its standard
input what to do.
Nobody else needs it.`

func newChild(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name: "child", ShortUsage: "pangolind child", ShortHelp: "do tasks; workers start it", LongHelp: childHelp,
		Exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("child takes no arguments, not %q", args[0])
			}
			code := sandbox.Child(con.in, con.out)
			if code != 0 {
				os.Exit(code) // it has said why
			}
			return nil
		},
	}
}
