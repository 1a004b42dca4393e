// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/verdict"
)

// full is a disk with room for so many bytes.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(text []byte) (int, error) {
	n := min(len(text), f.room)
	if f.room -= n; n < len(text) {
		return n, errFull
	}
	return n, nil
}

// writeFiles writes files, by name, into a new directory.
func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A box that loses an update, and a program with two outcomes.
var racy = map[string]string{
	"go.mod": "module example\n\ngo 1.26\n",
	"box/box.go": "package box\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }\n\n" +
		"func (c *Counter) Value() int { return int(c.n.Load()) }\n",
	"main/main.go": "package main\n\nfunc main() {\n\tc := make(chan int, 2)\n\tgo func() { c <- 1 }()\n\tgo func() { c <- 2 }()\n\tprintln(<-c)\n\tos.Stdout.WriteString(\"all is done\\n\")\n}\n",
}

// Whatever is printed, to have lost a part of it is no success: the exit code is that of a tool that has failed.
func TestExecute_FailsIfResultsCannotBeWritten(t *testing.T) {
	files := map[string]string{}
	for name, text := range racy {
		files[name] = strings.Replace(text, "package main\n", "package main\n\nimport \"os\"\n", 1)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeFiles(t, files)
	t.Chdir(dir)
	if code, _, said := pangolinIn(t, dir, "verify", "-q", "-config", "2x3", "-out", "kept", "./box"); code != verdict.ExitViolated {
		t.Fatal(code, said)
	}
	witnesses, err := filepath.Glob("kept/*.json")
	if err != nil || len(witnesses) != 1 {
		t.Fatal(witnesses, err)
	}
	commands := [][]string{
		{"help"}, {"help", "help"}, {"help", "all"}, {"version"}, {"completion", "bash"}, {"clients", "-kind", "queue"}, {"clients", "-json", "-kind", "queue"},
		{"ops", "./box"}, {"ops", "-json", "./box"}, {"verify", "-config", "B", "-out", "", "./box"}, {"verify", "-config", "B", "-out", "", "-json", "./box"},
		{"histories", "-config", "A", "./box"}, {"replay", witnesses[0]}, {"replay", "-json", witnesses[0]}, {"replay", "-step", witnesses[0]}, {"replay", "-dot", "1", witnesses[0]},
		{"run", "main/main.go"}, {"run", "-all", "main/main.go"}, {"run", "-all", "-json", "main/main.go"}, {"lts", "-o", "box.aut", "./box.Counter"},
		{"refine", "-threads", "2", "-per-thread", "1", "./box.Counter"}, {"prove", "./box.Counter"}, {"compare", "box.aut", "box.aut"}, {"reduce", "box.aut"}, {"init", "-from", root}, {"study", "nothing", "-h"},
	}
	for _, c := range newRoot(&console{}).Subcommands {
		commands = append(commands, []string{"help", c.Name})
	}
	for _, args := range commands {
		printed := &full{1 << 40}
		if run := execute(context.Background(), args, &console{in: strings.NewReader(""), out: printed, err: new(strings.Builder)}); printed.room == 1<<40 {
			t.Errorf("%q prints nothing (exit code %d)", args, run)
		}
		for _, room := range []int{0, 5} {
			var said strings.Builder
			code := execute(context.Background(), args, &console{in: strings.NewReader("\n\n"), out: &full{room}, err: &said})
			if code != verdict.ExitTool || strings.Count(said.String(), "pangolin: the results could not be written: no space left on device\n") != 1 {
				t.Errorf("%q with room for %d bytes: exit code %d, %s", args, room, code, said.String())
			}
		}
	}
}

// The same of files.
func TestVerify_FailsIfAFileCannotBeWritten(t *testing.T) {
	if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Skip("there is no /dev/full")
	} else {
		f.Close()
	}
	dir := writeFiles(t, racy)
	for _, flag := range []string{"-sarif", "-junit", "-html"} {
		code, out, said := pangolinIn(t, dir, "verify", "-q", "-config", "A", "-out", "", flag, "/dev/full", "./box")
		if code != verdict.ExitTool || !strings.Contains(said, "no space left on device") || !strings.Contains(out, "box.Counter") {
			t.Errorf("%s: exit code %d, %s", flag, code, said)
		}
	}
}
