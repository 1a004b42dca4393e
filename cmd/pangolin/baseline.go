// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/baseline"
)

// The subcommand baseline: violations that are known, so that verify fails for new ones alone.

const baselineHelp = `Baseline write verifies packages, as verify does and with its flags, and writes
the violations to a file, in place of those that it lists of the same collections.
Afterwards

  pangolin verify -baseline FILE PKG ...

fails for violations that the file does not list, and tells those that are known
and those that are gone. Put the file under version control, and write it anew
with the same flags when violations were mended or are accepted.

A violation is identified by the package, the type, the property, its class, the
calls of its client with their results, and how it ends: edits elsewhere leave it
known, and another violation of the same type is new. In a larger scope another
client may be found for the same defect: it counts as new. Violations that
the source declares (//pangolin:expect violated) are not listed.

Exit codes: 0 the file was written, 2 usage, load or tool error, 3 interrupted:
the file was written, and what was not verified is in it as before.`

func newBaseline(con *console) *ffcli.Command {
	f := &verifyFlags{write: true}
	fs := flag.NewFlagSet("baseline", flag.ContinueOnError)
	f.register(fs)
	f.registerCache(fs)
	con.register(fs)
	return &ffcli.Command{
		Name:       "baseline",
		ShortUsage: "pangolin baseline write -baseline FILE [flags] PKG ...",
		ShortHelp:  "write the violations that are known to a file",
		LongHelp:   baselineHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if len(args) == 0 || args[0] != "write" {
				return &usageError{"baseline", "baseline wants write"}
			}
			if f.baseline == "" {
				return &usageError{"baseline", "baseline write wants a file: -baseline FILE"}
			}
			return f.run(ctx, args[1:], con)
		},
	}
}

// baselineFile is a baseline with its file.
type baselineFile struct {
	*baseline.List
	name string
}

// readBaseline reads the baseline of a file; nil if there is no name. One that will be written need not be there.
func readBaseline(name string, write bool) (*baselineFile, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if write && errors.Is(err, fs.ErrNotExist) {
		return &baselineFile{baseline.New(), name}, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("-baseline %s: there is no such file; pangolin baseline write makes it", name)
	}
	if err != nil {
		return nil, fmt.Errorf("-baseline: %w", err)
	}
	list, err := baseline.Parse(name, text)
	return &baselineFile{list, name}, err
}

// write makes the violations of the run those of the file.
func (b *baselineFile) write(con *console) error {
	b.Renew()
	err := writeWhole(b.name, func(out io.Writer) error {
		_, err := out.Write(b.Text())
		return err
	})
	if err != nil {
		return fmt.Errorf("-baseline: %w", err)
	}
	fmt.Fprintf(con.err, "pangolin: wrote %s, which lists %d violations\n", b.name, b.Len())
	return nil
}

const baselineUsage = "tell the violations that this `file` lists as known from new ones, and those that are gone (pangolin baseline)"
