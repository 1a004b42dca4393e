// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// A table of constructs in races: those that the race detector reports are found, and no others.

// What an expression accesses is what Go's race detector sees of it: testdata/accesses.txt
// lists the pairs of a read and a write that it reports.
func TestExplore_FindsTheRacesOfTheDetector(t *testing.T) {
	level.SkipShort(t, "explores a large program")
	const golden = "testdata/accesses.txt"
	if flags.Update() {
		if err := os.WriteFile(golden, []byte(strings.Join(detected(t), "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	got := explored(t)
	for _, pair := range want {
		if !slices.Contains(got, pair) {
			t.Errorf("missed: %s", pair)
		}
	}
	for _, pair := range got {
		if !slices.Contains(want, pair) {
			t.Errorf("no race: %s", pair)
		}
	}
}

// explored gives the pairs that race in the machine.
func explored(t *testing.T) []string {
	source, names := corpus.Accesses(false)
	prog, err := load(writeProgram(t, corpus.Program{Name: "accesses", Source: source}))
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions})
	if err != nil {
		t.Fatal(err)
	}
	if r.Fault != nil || !r.Complete {
		t.Fatal(r.Fault, r.Limit)
	}
	found := map[int]bool{}
	for _, o := range r.Outcomes {
		if o.Kind != outcomes.Race {
			continue
		}
		for _, a := range o.Accesses {
			var i int
			if _, err := fmt.Sscanf(a.Function, "p%d.func1", &i); err == nil {
				found[i] = true
			}
		}
	}
	return chosenNames(names, found)
}

func chosenNames(names []string, found map[int]bool) (list []string) {
	for i, name := range names {
		if found[i] {
			list = append(list, name)
		}
	}
	return list
}

// detected gives the pairs that the race detector reports in some of many runs.
func detected(t *testing.T) []string {
	source, names := corpus.Accesses(true)
	dir, err := filepath.Abs(filepath.Join(moduleRoot, "internal", "test", "corpus", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err = os.MkdirTemp(dir, "detect")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "accesses")
	if out, err := exec.Command("go", "build", "-race", "-o", binary, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	found := map[int]bool{}
	for range 5 {
		var stderr bytes.Buffer
		cmd := exec.Command(binary)
		cmd.Stderr = &stderr
		_ = cmd.Run() // ends with a status of its own if there are races
		last := -1
		for line := range strings.Lines(stderr.String()) {
			fmt.Sscanf(line, "begin %d", &last)
			if strings.HasPrefix(line, "WARNING: DATA RACE") {
				found[last] = true
			}
		}
	}
	return chosenNames(names, found)
}
