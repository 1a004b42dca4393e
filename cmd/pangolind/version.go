// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/cache"
)

const versionHelp = `Version prints the identity of the sources that this program was built from. The
command, the server and the workers of a farm must have the same.`

func newVersion(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name: "version", ShortUsage: "pangolind version", ShortHelp: "the identity of this program's sources", LongHelp: versionHelp,
		Exec: func(context.Context, []string) error {
			tool, err := cache.Shared()
			if err == nil {
				fmt.Fprintln(con.out, tool)
			}
			return err
		},
	}
}
