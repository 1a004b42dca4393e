// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// doc/found.md is not only typed: its commands, witnesses, versions and the lines that it cites are compared with the modules.

// foundDir has the page's witnesses and programs, and the go.mod with the versions.
const foundDir = "testdata/found"

// foundEntry is a section of the page.
type foundEntry struct {
	name, text string
	class      string   // of the violation, or the kind of the outcome
	shown      string   // the client, or what the program prints
	command    []string // behind "pangolin"
	module     string
}

var (
	foundAs   = regexp.MustCompile("Found as (\\w+)(?:, `([^`]*)`|, printing\\s+`([^`]*)`)?")
	foundLine = regexp.MustCompile("(?s)`([\\w./]+\\.(?:go|md)):(\\d+)`\\s\\(`([^`]+)`\\)")
	foundRow  = regexp.MustCompile(`(?m)^\| (\S+) \| (.*) \|$`)
	foundLink = regexp.MustCompile(`\(#([\w-]+)\)`)
	shellWord = regexp.MustCompile(`'[^']*'|\S+`)
)

// foundEntries reads the page.
func foundEntries(t *testing.T) (list []*foundEntry) {
	t.Helper()
	text, err := os.ReadFile("doc/found.md")
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{}
	for _, row := range foundRow.FindAllStringSubmatch(string(text), -1) {
		for _, link := range foundLink.FindAllStringSubmatch(row[2], -1) {
			modules[link[1]] = row[1]
		}
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	for _, section := range sections {
		name, body, _ := strings.Cut(section, "\n")
		_, command, isEntry := strings.Cut(body, "\n    pangolin ")
		if !isEntry {
			continue
		}
		command, _, _ = strings.Cut(command, "\n")
		as := foundAs.FindStringSubmatch(body)
		if as == nil {
			t.Fatalf("%s does not say what it was found as", name)
		}
		e := &foundEntry{name: name, text: body, class: as[1], shown: as[2] + as[3], module: modules[name]}
		for _, word := range shellWord.FindAllString(command, -1) {
			e.command = append(e.command, strings.Trim(word, "'"))
		}
		if e.module == "" {
			t.Errorf("the table has no link to %s", name)
		}
		delete(modules, name)
		list = append(list, e)
	}
	if len(modules) > 0 || len(list) < 12 {
		t.Errorf("%d entries, and the table has links to others: %v", len(list), modules)
	}
	return list
}

func (e *foundEntry) witness(t *testing.T) *verdict.Witness {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(foundDir, e.name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := verdict.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// source is the directory of the entry's module in the module cache. The test is skipped if it has not all that is needed.
func (e *foundEntry) source(t *testing.T) string {
	t.Helper()
	for name, value := range map[string]string{"GOFLAGS": "-mod=readonly", "GOPROXY": "off", "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", e.module)
	list.Dir = foundDir
	out, err := list.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("%s is not in the module cache (go mod download in %s gets it)", e.module, foundDir)
	}
	pkg := e.command[len(e.command)-1]
	build := exec.Command("go", "list", "-deps", pkg)
	build.Dir = foundDir
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("what %s needs is not in the module cache: %s", pkg, lastLine(out))
	}
	return dir
}

// Each entry is short, and has a witness of the class and the client that it tells of.
func TestFound_EntriesAreThoseOfTheirWitnesses(t *testing.T) {
	const most = 40
	entries := foundEntries(t)
	for _, e := range entries {
		if n := strings.Count(e.text, "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", e.name, n, most)
		}
		w := e.witness(t)
		class, shown := w.Class, w.Client
		if w.Source.Program {
			class, shown = string(w.Ending.Kind), strings.TrimSpace(w.Ending.Stdout)
		}
		if class != e.class || e.shown != "" && shown != e.shown {
			t.Errorf("%s: a %s, %q, and the page says %s, %q", e.name, class, shown, e.class, e.shown)
		}
		for _, part := range []string{"**Promised.** ", "**Cause.** ", "**Mend.** ", "**On Go's runtime.** "} {
			if !strings.Contains(e.text, part) {
				t.Errorf("%s has no %s", e.name, part)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(foundDir, "*.json"))
	if err != nil || len(files) != len(entries) {
		t.Errorf("%d witnesses of %d entries: %v", len(files), len(entries), err)
	}
}

// Every line that the page cites is what it says, in the version of go.mod.
func TestFound_CitesLinesOfTheModules(t *testing.T) {
	level.SkipShort(t, "asks the go command for modules")
	for _, e := range foundEntries(t) {
		t.Run(e.name, func(t *testing.T) {
			dir := e.source(t)
			lines := foundLine.FindAllStringSubmatch(e.text, -1)
			if len(lines) < 2 {
				t.Errorf("only %d lines are cited", len(lines))
			}
			for _, x := range lines {
				text, err := os.ReadFile(filepath.Join(dir, x[1]))
				if err != nil {
					t.Error(err)
					continue
				}
				number, _ := strconv.Atoi(x[2])
				all := strings.Split(string(text), "\n")
				if number > len(all) || !strings.Contains(all[number-1], x[3]) {
					at := slices.IndexFunc(all, func(line string) bool { return strings.Contains(line, x[3]) })
					t.Errorf("%s:%s is not %q, which is first in line %d", x[1], x[2], x[3], at+1)
				}
			}
		})
	}
}

// Every witness still shows its violation, in the unmodified module.
func TestFound_WitnessesReplay(t *testing.T) {
	level.SkipShort(t, "replays witnesses of published modules")
	for i, e := range foundEntries(t) {
		t.Run(e.name, func(t *testing.T) {
			if level.Out(i, 4) {
				t.Skip("every fourth will do; -level more replays all")
			}
			e.source(t)
			w := e.witness(t)
			if _, err := pangolin.Replay(repository, foundDir, w); err != nil {
				t.Error(err)
			}
		})
	}
}

// The commands find what the page says.
func TestFound_CommandsFindThem(t *testing.T) {
	level.SkipShort(t, "verifies published types")
	for i, e := range foundEntries(t) {
		t.Run(e.name, func(t *testing.T) {
			if level.Out(i, 7) {
				t.Skip("every seventh will do; -level more tries all")
			}
			e.source(t)
			w, isProgram := e.witness(t), e.command[0] == "run"
			r := pangolin.Request{Dir: foundDir, Packages: e.command[len(e.command)-1:]}
			r.Search.MaxMemory, r.Search.Min = 1<<30, isProgram
			flags := e.command[1 : len(e.command)-1]
			if isProgram {
				flags = flags[1:] // -all
			}
			for k := 0; k+1 < len(flags); k += 2 {
				if err := r.Set(strings.TrimPrefix(flags[k], "-"), flags[k+1]); err != nil {
					t.Fatal(err)
				}
			}
			if !isProgram {
				list, err := pangolin.Verify(repository, r)
				if err != nil {
					t.Fatal(err)
				}
				if v := hasVerdict(t, list, verdict.Violated, e.class); v.Violation != nil && v.Violation.Client != e.shown {
					t.Errorf("the client is %s", v.Violation.Client)
				}
				return
			}
			v, err := pangolin.Run(repository, r)
			if err != nil || v.Outcomes == nil {
				t.Fatal(err, v.Reason)
			}
			if !slices.ContainsFunc(v.Outcomes.List, func(o verdict.Outcome) bool { return o.Kind == w.Ending.Kind && o.Stdout == w.Ending.Stdout }) {
				t.Errorf("no such outcome: %v", v.Outcomes.List)
			}
		})
	}
}

// Go's own runtime does what the page says.
func TestFound_SchedulesAreForced(t *testing.T) {
	for i, e := range foundEntries(t) {
		t.Run(e.name, func(t *testing.T) {
			if !level.All() && i > 0 || !level.More() {
				t.Skip("compiles copies of modules: -level more forces one, -level all forces all")
			}
			e.source(t)
			r, err := forcedHere(t, e.witness(t))
			text := strings.Join(strings.Fields(e.text), " ")
			says, chance := strings.Contains(text, "`pangolin reproduce "+e.name+".json`: reproduced"), strings.Contains(text, "the schedule has random")
			if does := err == nil && r.Reproduced; does != says && !(does && chance) {
				t.Errorf("reproduced: %t, and the page says %t: %v, %s\n%s", r.Reproduced, says, err, r.Missed(), r.Output)
			}
		})
	}
}

func forcedHere(t *testing.T, w *verdict.Witness) (force.Result, error) {
	if w.Source.Program {
		return force.Program(t.Context(), foundDir, w)
	}
	test, err := force.Test(t.Context(), foundDir, w, func(ctx context.Context) (*verdict.Harness, error) { return pangolin.Harness(ctx, foundDir, w) })
	if err != nil {
		return force.Result{}, err
	}
	return test.Run(t.Context())
}
