// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
)

// The subcommand init edits the user's go.mod or go.work and writes first tests; -undo reverts both. No existing file is overwritten.

const initHelp = `Init makes Pangolin importable in the current module: it adds a requirement of
it and a replacement by its sources (or, where there is a workspace, these to the
workspace; a vendor directory is made anew), and writes a first test for the
collections that it finds, into pangolin_test.go beside them. It overwrites
nothing. Init -undo takes it back, the version of Go that the module asks for
included; of the tests it removes those that are as they were written.

Init -ci writes, into the git repository, a workflow for hosted continuous
integration (.github/workflows/pangolin.yml: a cache of verdicts, four shards,
their results merged and shown as code scanning alerts), a hook that verifies
what a commit can reach (.githooks/pre-commit), and a file for an image with
Pangolin (pangolin.Containerfile). Files that are there stay as they are.

The sources are those that this command was built from, unless -from says
otherwise.`

func newInit(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("init", flag.ContinueOnError)
	from := fs.String("from", "", "`directory` of Pangolin's sources")
	undo := fs.Bool("undo", false, "take back what init has done")
	ci := fs.Bool("ci", false, "write files for continuous integration, and nothing else")
	return &ffcli.Command{
		Name:       "init",
		ShortUsage: "pangolin init [flags] [PKG ...] | init -ci",
		ShortHelp:  "make Pangolin importable in the current module, with a first test",
		LongHelp:   initHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if *ci && (len(args) > 0 || *from != "") {
				return &usageError{"init", "init -ci takes neither packages nor -from: it writes files of the repository"}
			}
			if *ci {
				return initCI(con, *undo)
			}
			if len(args) == 0 {
				args = []string{"./..."}
			}
			tests, err := firstTests(ctx, con, args)
			if err != nil {
				return err
			}
			if *undo {
				return undoInit(ctx, con, tests)
			}
			dir, err := sources(*from)
			if err != nil {
				return err
			}
			return doInit(ctx, con, dir, tests)
		},
	}
}

// firstTest is a test file that init writes.
type firstTest struct{ file, text string }

// firstTests finds the collections of packages and writes a test for those of each.
func firstTests(ctx context.Context, con *console, patterns []string) ([]firstTest, error) {
	found, err := pangolin.Prepare(ctx, pangolin.Request{Packages: patterns, Events: pangolin.Events{Note: con.note}})
	if err != nil {
		return nil, err
	}
	var out []firstTest
	types := map[string][]string{}
	var order []string
	for _, c := range found.Collections() {
		if types[c.Package] == nil {
			order = append(order, c.Package)
		}
		_, name, _ := strings.Cut(c.Name, ".")
		types[c.Package] = append(types[c.Package], name)
	}
	for _, path := range order {
		text, err := goCommand(ctx, "list", "-f", "{{.Dir}}\t{{.Name}}", path)
		if err != nil {
			return nil, err
		}
		dir, name, _ := strings.Cut(strings.TrimSpace(text), "\t")
		out = append(out, firstTest{filepath.Join(dir, "pangolin_test.go"), testFile(name, types[path])})
	}
	return out, nil
}

// testFile is a test of some types of a package.
func testFile(pkg string, types []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n\n\t\"pangolin\"\n)\n", pkg)
	for _, name := range types {
		fmt.Fprintf(&b, "\n// Every interleaving of every small client of %s.\nfunc TestPangolin_%[1]s(t *testing.T) {\n"+
			"\tpangolin.Check(t, pangolin.Request{Type: %[1]q})\n}\n", name)
	}
	return b.String()
}

// sources is the directory of Pangolin's sources: as the user says, or those that this command
// was built from.
func sources(from string) (string, error) {
	dir := from
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Dir(filepath.Dir(filepath.Dir(file)))
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil && strings.HasPrefix(string(text), "module pangolin\n") {
		return dir, nil
	}
	if from == "" {
		return "", errors.New("init: the directory of Pangolin's sources is not known: name it with -from DIR")
	}
	return "", fmt.Errorf("init: -from %s: this directory does not contain the module pangolin", from)
}

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %s", strings.Join(args, " "), strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// goEnvironment is a setting of the go command, such as GOMOD.
func goEnvironment(ctx context.Context, name string) (string, error) {
	text, err := goCommand(ctx, "env", name)
	return strings.TrimSpace(text), err
}

// doInit makes Pangolin importable and writes the tests. If the module cannot be completed, it is left unchanged.
func doInit(ctx context.Context, con *console, dir string, tests []firstTest) error {
	var written []string
	for _, t := range tests {
		if _, err := os.Stat(t.file); err == nil {
			fmt.Fprintf(con.out, "%s is there already\n", relative(t.file))
			continue
		}
		if err := os.WriteFile(t.file, []byte(t.text), 0o666); err != nil {
			return err
		}
		written = append(written, t.file)
	}
	if err := addRequirement(ctx, con, dir); err != nil {
		for _, file := range written {
			os.Remove(file)
		}
		return err
	}
	for _, file := range written {
		fmt.Fprintf(con.out, "wrote %s: go test runs it\n", relative(file))
	}
	return nil
}

// addRequirement adds Pangolin to the workspace, or to the module.
func addRequirement(ctx context.Context, con *console, dir string) error {
	work, err := goEnvironment(ctx, "GOWORK")
	if err != nil {
		return err
	}
	if work != "" && work != "off" {
		before, err := os.ReadFile(work)
		if err != nil {
			return err
		}
		if _, err := goCommand(ctx, "work", "use", dir); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s uses %s\n", relative(work), dir)
		return noteVersion(work, before)
	}
	return editModule(ctx, noteVersion, func(file string) error {
		if _, err := goCommand(ctx, "mod", "edit", "-require=pangolin@v0.0.0", "-replace=pangolin="+dir); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s requires pangolin, which is %s\n", relative(file), dir)
		return nil
	})
}

// editModule edits the go.mod of the current module, completes it and updates the note of the Go version; if that fails, the module's files
// are restored.
func editModule(ctx context.Context, version func(file string, before []byte) error, edit func(file string) error) error {
	file, err := goEnvironment(ctx, "GOMOD")
	if err != nil {
		return err
	}
	if file == "" || file == os.DevNull {
		return errors.New("init: the current directory is in no module: go mod init makes one")
	}
	sums := filepath.Join(filepath.Dir(file), "go.sum")
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	sumsBefore, sumsErr := os.ReadFile(sums)
	if err = edit(file); err == nil {
		_, err = goCommand(ctx, "mod", "tidy")
	}
	if err == nil {
		err = version(file, before)
	}
	if err == nil {
		err = vendor(ctx, file)
	}
	if err == nil {
		return nil
	}
	err = errors.Join(err, os.WriteFile(file, before, 0o666))
	if sumsErr == nil {
		return errors.Join(err, os.WriteFile(sums, sumsBefore, 0o666))
	}
	os.Remove(sums)
	return err
}

// undoInit reverts what init has done.
func undoInit(ctx context.Context, con *console, tests []firstTest) error {
	for _, t := range tests {
		text, err := os.ReadFile(t.file)
		switch {
		case err != nil:
		case string(text) == t.text:
			if err := os.Remove(t.file); err != nil {
				return err
			}
			fmt.Fprintf(con.out, "removed %s\n", relative(t.file))
		default:
			fmt.Fprintf(con.out, "%s has changed and stays\n", relative(t.file))
		}
	}
	work, err := goEnvironment(ctx, "GOWORK")
	if err != nil {
		return err
	}
	if work != "" && work != "off" {
		dir, err := sources("")
		if err != nil {
			return err
		}
		before, err := os.ReadFile(work)
		if err != nil {
			return err
		}
		if _, err = goCommand(ctx, "work", "edit", "-dropuse="+dir); err != nil {
			return err
		}
		return restoreVersion(work, before)
	}
	return editModule(ctx, restoreVersion, func(file string) error {
		if _, err := goCommand(ctx, "mod", "edit", "-droprequire=pangolin", "-dropreplace=pangolin"); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s requires pangolin no more\n", relative(file))
		return nil
	})
}

// relative is a file as seen from the current directory.
func relative(file string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return file
}
