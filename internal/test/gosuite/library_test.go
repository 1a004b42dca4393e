// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// The library's own tests pass in the machine, but for those that a page of the repository lists with the reason.

const libraryFile = "../../../doc/library.md"

// librarySample are the packages of the usual run.
var librarySample = []string{"container/list", "iter", "maps"}

// A test of the library takes some thousand instructions; those that repeat things a million times are not run.
var libraryLimits = Limits{Instructions: 4_000_000, Time: time.Minute, HeapBytes: 256 << 20}

func TestLibrary_TestsPassOrAreListed(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("go env GOROOT: %v", err)
	}
	all := (level.More() || flags.Update()) && !flags.Chosen()
	var packages []string
	for _, p := range Libraries {
		if flags.Only(p) && (all || flags.Chosen() || slices.Contains(librarySample, p)) {
			packages = append(packages, p)
		}
	}
	groups, err := Groups(filepath.Join(strings.TrimSpace(string(out)), "src"), packages)
	if err != nil {
		t.Fatal(err)
	}
	var results []LibraryResult
	err = RunLibrary(context.Background(), t.TempDir(), groups, libraryLimits, func(r LibraryResult) {
		results = append(results, r)
		if flags.Chosen() || testing.Verbose() {
			t.Logf("%s: %s %s\n%s", r.name(), r.Outcome, r.Reason, r.Detail)
		}
		if r.Outcome == Failed && explained[r.name()] == "" {
			t.Errorf("%s fails: %s\n%s\na model is wrong, or the page has to explain it", r.name(), r.Reason, r.Detail)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) < 30 && !flags.Chosen() {
		t.Errorf("only %d tests were found", len(results))
	}
	compareLibrary(t, groups, results, all)
}

// compareLibrary compares what came of all tests, or of some, with the page.
func compareLibrary(t *testing.T, groups []*Group, results []LibraryResult, all bool) {
	page := LibraryPage(groups, results)
	if flags.Update() && all {
		if err := os.WriteFile(libraryFile, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(libraryFile)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case flags.Chosen():
	case !strings.Contains(string(have), runtime.Version()):
		t.Skipf("%s is of another version than %s", libraryFile, runtime.Version())
	case all && page != string(have):
		t.Errorf("%s is out of date (go test ./internal/test/gosuite -run Library -update rewrites it):\n%s", libraryFile, page)
	case !all:
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "| ") && !strings.Contains(string(have), line) {
				t.Errorf("%s does not have the line\n%s", libraryFile, line)
			}
		}
	}
}

// What does not compile is left out, and all that uses it, whatever stands between.
func TestGroups_LeaveOutWhatNeedsTheInside(t *testing.T) {
	src := t.TempDir()
	dir := filepath.Join(src, "container", "list")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a_test.go":      "package list_test\n\nimport (\n\t. \"container/list\"\n\t\"internal/race\"\n\t\"testing\"\n)\n\nfunc hook() { race.Enable() }\n\nfunc middle() { hook() }\n\nfunc TestHook(t *testing.T) { middle() }\n\nfunc TestNew(t *testing.T) {\n\tif New().Len() != 0 {\n\t\tt.Error(\"not empty\")\n\t}\n}\n\nfunc TestWrong(t *testing.T) {\n\tt.Error(\"wrong \", New().Len())\n}\n",
		"export_test.go": "package list\n\nfunc Hook() {}\n",
		"b_test.go":      "package list\n\nimport \"testing\"\n\nfunc TestInside(t *testing.T) { _ = New().root }\n\nfunc TestFace(t *testing.T) { _ = New().Front() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	groups, err := Groups(src, []string{"container/list"})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, g := range groups {
		got += fmt.Sprint(g.Name(), g.Tests, len(g.Left), g.leftTests(), "\n")
	}
	want := "container/list[TestNew TestWrong] 4 [{TestHook undefined: middle}]\n" +
		"container/list (inside)[TestFace] 1 [{TestInside New().root undefined (cannot refer to unexported field root)}]\n"
	if got != want {
		t.Fatalf("%s, want %s", got, want)
	}
	ends := ""
	err = RunLibrary(context.Background(), t.TempDir(), groups, libraryLimits, func(r LibraryResult) {
		ends += fmt.Sprint(r.Test, " ", r.Outcome, " ", r.Reason, "\n")
	})
	if want := "TestNew passes \nTestWrong fails wrong  0\nTestFace passes \n"; err != nil || ends != want {
		t.Errorf("%v, %s, want %s", err, ends, want)
	}
}
