// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
	"golang.org/x/mod/semver"
)

func newVersion(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name:       "version",
		ShortUsage: "pangolin version",
		ShortHelp:  "print Pangolin's version and the Go version it was built with",
		LongHelp:   "Version prints Pangolin's version and the Go version it was built with.",
		FlagSet:    flag.NewFlagSet("version", flag.ContinueOnError),
		Exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return &usageError{"version", "version takes no arguments"}
			}
			fmt.Fprintf(con.out, "pangolin %s %s\n", version(), runtime.Version())
			return nil
		},
	}
}

// version is the version of the main module, as the go command recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// semantic is a version as semver.org writes it: that of a checkout is 0.0.0-devel.
func semantic(version string) string {
	if semver.IsValid(version) {
		return strings.TrimPrefix(semver.Canonical(version), "v")
	}
	return "0.0.0-devel"
}
