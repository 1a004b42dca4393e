// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"pangolin"
)

// The subcommand init edits the user's go.mod or go.work and writes first tests; -undo reverts both. No existing file is overwritten.

const initHelp = `Init writes a first test for the collections that it finds, into pangolin_test.go
beside them, and makes module pangolin/check importable in the current module, by
which tests ask this command: it adds a requirement of it and a replacement by
its sources (or, where there is a workspace, these to the workspace; a vendor
directory is made anew). The module keeps its version of Go, and gets no other
requirement. Init overwrites nothing. Init -undo takes it back; of the tests it
removes those that are as they were written, and with them the witnesses that
they have kept in testdata/pangolin.

Init -ci writes, into the git repository, a workflow for hosted continuous
integration (.github/workflows/pangolin.yml: a cache of verdicts, four shards,
their results merged and shown as code scanning alerts), a hook that verifies
what a commit can reach (.githooks/pre-commit), and a file for an image with
Pangolin (pangolin.Containerfile). Files that are there stay as they are.

The sources are the directory check of the checkout that this command was built
from, or the one beside the command, as in a release. -from names another
directory, or a module that can be downloaded: -from example.com/fork@v1.2.0
stands for the module example.com/fork/check at that version.`

func newInit(con *console) *ffcli.Command {
	fs := flag.NewFlagSet("init", flag.ContinueOnError)
	from := fs.String("from", "", "`directory` of Pangolin's sources, or MODULE@VERSION of one that can be downloaded")
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
			from, err := sources(*from)
			if err != nil {
				return err
			}
			return doInit(ctx, con, from, tests)
		},
	}
}

// firstTest is a test file that init writes.
type firstTest struct {
	file, text string
	tests      []string // the names of its tests: TestPangolin_Queue
}

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
		t := firstTest{file: filepath.Join(dir, "pangolin_test.go"), text: testFile(name, types[path])}
		for _, name := range types[path] {
			t.tests = append(t.tests, "TestPangolin_"+name)
		}
		out = append(out, t)
	}
	return out, nil
}

// testFile is a test of some types of a package.
func testFile(pkg string, types []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n\n\t\"pangolin/check\"\n)\n", pkg)
	for _, name := range types {
		fmt.Fprintf(&b, "\n// Every interleaving of every small client of %s.\nfunc TestPangolin_%[1]s(t *testing.T) {\n"+
			"\tcheck.Verify(t, \"-type=%[1]s\")\n}\n", name)
	}
	return b.String()
}

// checkModule is the module that tests import.
const checkModule = "pangolin/check"

// sources is what stands for the module that tests import: a directory, or MODULE@VERSION. It is what the user says, or the directory
// of the checkout that this command was built from, or the one beside the command.
func sources(from string) (string, error) {
	if path, version, is := strings.Cut(from, "@"); is {
		if err := module.CheckPath(path); err != nil || !semver.IsValid(version) {
			return "", &usageError{"init", fmt.Sprintf("init -from %s: want MODULE@VERSION, such as example.com/fork@v1.2.0", from)}
		}
		return path + "/check@" + version, nil
	}
	if from != "" {
		dir, err := filepath.Abs(from)
		if err == nil && !isCheck(filepath.Join(dir, "check")) {
			err = fmt.Errorf("init -from %s: this directory does not contain module pangolin/check, in a directory check", from)
		}
		return filepath.Join(dir, "check"), err
	}
	_, file, _, _ := runtime.Caller(0)
	here, _ := os.Executable() // without it there is nothing beside it
	for _, dir := range []string{filepath.Dir(filepath.Dir(filepath.Dir(file))), filepath.Dir(here)} {
		if dir = filepath.Join(dir, "check"); filepath.IsAbs(dir) && isCheck(dir) {
			return dir, nil
		}
	}
	return "", errors.New("init: the directory of Pangolin's sources is not known, since this command was built with -trimpath and has no directory check beside it: name the sources with -from DIR")
}

// isCheck reports whether a directory contains the module that tests import.
func isCheck(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && modfile.ModulePath(text) == checkModule
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

// addRequirement adds the module that tests import to the workspace, or to the module.
func addRequirement(ctx context.Context, con *console, from string) error {
	work, err := goEnvironment(ctx, "GOWORK")
	if err != nil {
		return err
	}
	_, _, downloaded := strings.Cut(from, "@")
	if work != "" && work != "off" && !downloaded {
		if _, err := goCommand(ctx, "work", "use", from); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%s uses %s\n", relative(work), from)
		return nil
	}
	file, err := editModule(ctx, "-require="+checkModule+"@v0.0.0", "-replace="+checkModule+"="+from)
	if err == nil {
		fmt.Fprintf(con.out, "%s requires %s, which is %s\n", relative(file), checkModule, from)
	}
	return err
}

// editModule edits the go.mod of the current module by flags of go mod edit and completes it; if that fails, the module's files are restored.
func editModule(ctx context.Context, edits ...string) (file string, err error) {
	file, err = goEnvironment(ctx, "GOMOD")
	if err != nil {
		return "", err
	}
	if file == "" || file == os.DevNull {
		return "", errors.New("init: the current directory is in no module: go mod init makes one")
	}
	sums := filepath.Join(filepath.Dir(file), "go.sum")
	before, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sumsBefore, sumsErr := os.ReadFile(sums)
	if _, err = goCommand(ctx, append([]string{"mod", "edit"}, edits...)...); err == nil {
		_, err = goCommand(ctx, "mod", "tidy")
	}
	if err == nil {
		err = vendor(ctx, file)
	}
	if err == nil {
		return file, nil
	}
	err = errors.Join(err, os.WriteFile(file, before, 0o666))
	if sumsErr == nil {
		return "", errors.Join(err, os.WriteFile(sums, sumsBefore, 0o666))
	}
	os.Remove(sums)
	return "", err
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
			if err := t.undoWitnesses(con); err != nil {
				return err
			}
		default:
			fmt.Fprintf(con.out, "%s has changed and stays\n", relative(t.file))
		}
	}
	work, err := goEnvironment(ctx, "GOWORK")
	if err != nil {
		return err
	}
	if work != "" && work != "off" {
		return dropUse(ctx, work)
	}
	file, err := editModule(ctx, "-droprequire="+checkModule, "-dropreplace="+checkModule)
	if err == nil {
		fmt.Fprintf(con.out, "%s requires %s no more\n", relative(file), checkModule)
	}
	return err
}

// undoWitnesses removes the witnesses that the tests of a file have kept, and the directories that are empty then.
func (t *firstTest) undoWitnesses(con *console) error {
	kept := filepath.Join(filepath.Dir(t.file), "testdata", "pangolin")
	for _, name := range t.tests {
		files, _ := fs.Glob(os.DirFS(filepath.Join(kept, name)), "*.json") // the pattern is well formed
		for _, of := range files {
			file := filepath.Join(kept, name, of)
			if err := os.Remove(file); err != nil {
				return err
			}
			fmt.Fprintf(con.out, "removed %s\n", relative(file))
		}
		if len(files) > 0 {
			for _, dir := range []string{filepath.Join(kept, name), kept, filepath.Dir(kept)} {
				os.Remove(dir) // it stays if it contains something else
			}
		}
	}
	return nil
}

// dropUse takes the module that tests import out of a workspace, wherever it is.
func dropUse(ctx context.Context, work string) error {
	text, err := os.ReadFile(work)
	if err != nil {
		return err
	}
	file, err := modfile.ParseWork(work, text, nil)
	if err != nil {
		return err
	}
	for _, use := range file.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(work), dir)
		}
		if isCheck(dir) {
			if _, err := goCommand(ctx, "work", "edit", "-dropuse="+use.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// vendor updates the module's vendor directory, if it has one.
func vendor(ctx context.Context, module string) error {
	if _, err := os.Stat(filepath.Join(filepath.Dir(module), "vendor", "modules.txt")); err != nil {
		return nil
	}
	_, err := goCommand(ctx, "mod", "vendor")
	return err
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
