// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
	"golang.org/x/mod/semver"
)

// The subcommand version, and the version in formats that tell it.

const versionHelp = `Version prints Pangolin's version, the commit that it was built from and the Go
version and platform that it was built with and for, and the SHA-256 digest of the
executable file, which the file SHA256SUMS of a release lists. Verdicts that are
kept belong to one digest.`

func newVersion(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name:       "version",
		ShortUsage: "pangolin version",
		ShortHelp:  "print Pangolin's version and digest, and the Go version it was built with",
		LongHelp:   versionHelp,
		FlagSet:    flag.NewFlagSet("version", flag.ContinueOnError),
		Exec: func(_ context.Context, args []string) error {
			if len(args) > 0 {
				return &usageError{"version", "version takes no arguments"}
			}
			digest, err := executableDigest()
			if err != nil {
				return fmt.Errorf("version: the executable file cannot be read: %w", err)
			}
			fmt.Fprintf(con.out, "pangolin %s %s %s/%s\n%ssha256 %s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, commit(), digest)
			return nil
		},
	}
}

// executableDigest is the SHA-256 digest of the executable file, in hexadecimal.
func executableDigest() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// commit is a line with the commit that the command was built from, if the go command has recorded it.
func commit() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs.revision"] == "" {
		return ""
	}
	line := "commit " + settings["vcs.revision"]
	if settings["vcs.modified"] == "true" {
		line += ", and changes that are not committed"
	}
	return line + "\n"
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
