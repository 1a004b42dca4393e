// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// The Go distribution's test programs behave on the machine as under go run.

// The time is for a machine that does other things as well: what a program may execute is limited by its instructions.
var limits = Limits{Instructions: 5_000_000_000, Time: 20 * time.Minute, HeapBytes: 1 << 30}

const tableFile = "../../../doc/gotest.md"

// TestPrograms_BehaveAsUnderGoRun runs all programs and compares the table of those
// that do not pass with the one in the repository.
func TestPrograms_BehaveAsUnderGoRun(t *testing.T) {
	level.SkipShort(t, "takes a minute")
	root := testPrograms(t)
	programs, err := Select(root)
	if err != nil {
		t.Fatal(err)
	}
	programs = slices.DeleteFunc(programs, func(p Program) bool { return !flags.Only(p.Name) })
	if !level.All() && !flags.Update() && !flags.Chosen() {
		compareRows(t, runAll(t, sample(programs)))
		return
	}
	results := runAll(t, programs)
	if flags.Chosen() {
		return
	}
	if passed := count(results)[Passed]; passed*100 < 95*len(results) {
		t.Errorf("%d of %d programs pass; at least 95 %% must", passed, len(results))
	}
	compareTable(t, Table(results))
}

// testPrograms finds GOROOT/test, or skips the test.
func testPrograms(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("go env GOROOT: %v", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the Go distribution's test programs are not installed: %v", err)
	}
	return root
}

// runAll runs the programs two at a time.
func runAll(t *testing.T, programs []Program) []Result {
	results := make([]Result, len(programs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range next {
				results[i] = Run(programs[i], limits)
				if testing.Verbose() {
					t.Log(results[i].Program.Name, results[i].Outcome, results[i].Reason, results[i].Run)
				}
			}
		})
	}
	for _, i := range longFirst(programs) {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, r := range results {
		if r.Outcome != Passed || flags.Chosen() || r.Run > 2*time.Second {
			t.Logf("%s: %d %s (load %v, run %v)\n%s", r.Program.Name, r.Outcome, r.Reason, r.Load, r.Run, r.Detail)
		}
	}
	return results
}

// longFirst orders programs so that those known to take seconds do not come last.
func longFirst(programs []Program) []int {
	var long, rest []int
	for i, p := range programs {
		switch p.Name {
		case "copy.go", "divmod.go", "init1.go", "gc1.go", "peano.go":
			long = append(long, i)
		default:
			rest = append(rest, i)
		}
	}
	return append(long, rest...)
}

// sample is what is run without -level all: every sixteenth program, or with -level more all but the one that takes minutes.
func sample(programs []Program) []Program {
	var some []Program
	for i, p := range programs {
		if !level.Out(i, 16) && p.Name != "divmod.go" {
			some = append(some, p)
		}
	}
	return some
}

// compareRows compares some programs with the table: those that do not pass have a row.
func compareRows(t *testing.T, results []Result) {
	table, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(table), runtime.Version()) {
		t.Skipf("doc/gotest.md is of another version than %s", runtime.Version())
	}
	for _, r := range results {
		row := fmt.Sprintf("| %s | %s |", r.Program.Name, r.Outcome)
		if known := strings.Contains(string(table), row); known != (r.Outcome != Passed) {
			t.Errorf("%s %s (%s), which doc/gotest.md does not say", r.Program.Name, r.Outcome, r.Reason)
		}
	}
}

func compareTable(t *testing.T, table string) {
	if flags.Update() {
		if err := os.WriteFile(tableFile, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(have), runtime.Version()) {
		t.Skipf("doc/gotest.md is of another version than %s", runtime.Version())
	}
	if string(have) != table {
		t.Errorf("doc/gotest.md is out of date (go test ./internal/test/gosuite -update rewrites it):\n%s", table)
	}
}
