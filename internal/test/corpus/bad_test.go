// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// Bad inputs are of every class, have their positions, and are what the go command says they are.

func badInputs(t *testing.T) []BadInput {
	t.Helper()
	inputs, err := BadInputs(".")
	if err != nil {
		t.Fatal(err)
	}
	return inputs
}

func TestBadInputs_CoverEveryClass(t *testing.T) {
	seen := map[string]int{}
	for _, b := range badInputs(t) {
		seen[b.Class]++
		if b.Class == "fine" && b.Outcome.String() == (Outcome{}).String() {
			t.Errorf("%s is fine but has no outcome", b.Name)
		}
	}
	for _, class := range BadClasses() {
		if seen[class] == 0 {
			t.Errorf("no input of class %s", class)
		}
	}
}

func TestBadInputs_NameThePositionThatTheMessageMustName(t *testing.T) {
	for _, b := range badInputs(t) {
		if b.Name == "recursion_mutual" && (b.Where != "main.go:3" || len(b.Path) != 3) {
			t.Errorf("%s is at %s, by %v", b.Name, b.Where, b.Path)
		}
		if b.Class != "fine" && b.Class != "no-main" && b.Where == "" && b.Name != "compile_import_cycle" {
			t.Errorf("%s has no position", b.Name)
		}
	}
}

// TestBadInputs_AreWhatTheyClaim asks the go command: those that do not compile
// fail there too, with the position of the mark; all others are good Go. Without
// -runs only some are asked about.
func TestBadInputs_AreWhatTheyClaim(t *testing.T) {
	level.SkipShort(t, "builds programs natively")
	for i, b := range badInputs(t) {
		if flags.Runs(0) == 0 && i%10 != 0 {
			continue
		}
		dir := t.TempDir()
		if err := b.Write(dir); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "build", "-o", dir+"/bin", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		refused := slices.Contains([]string{"compile", "no-main"}, b.Class) && b.Name != "no_main_package"
		if refused != (err != nil) || b.Class == "compile" && !strings.Contains(string(out), b.Where) {
			t.Errorf("%s: the go command says %v\n%s", b.Name, err, out)
		}
		if b.Class == "fine" {
			checkFine(t, b, dir+"/bin")
		}
	}
}

func checkFine(t *testing.T, b BadInput, binary string) {
	got, err := runOnce(binary, "2", 10e9)
	if err != nil || got.String() != b.Outcome.String() {
		t.Errorf("%s: %v %v", b.Name, got, err)
	}
}
