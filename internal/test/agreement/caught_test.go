// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/planting"
)

// The tests that doc/planted-faults.md names for faults that generated texts do not show: each is run with its fault.

// exists says that the test is in a file of its package.
func (n namedTest) exists(t *testing.T) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "internal", n.dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+n.name+"(t *testing.T)") {
			return true
		}
	}
	return false
}

// TestNamedTests_FailWithTheirFaults runs each test that is named for a fault: it passes without the fault and fails with it.
func TestNamedTests_FailWithTheirFaults(t *testing.T) {
	if !flags.Plant() {
		t.Skip("minutes: -plant")
	}
	texts, list := withFaults(t)
	ofPackage, ofTest := map[string][]planting.Fault{}, map[namedTest][]planting.Fault{}
	for _, f := range list {
		if test := caughtBy[f.Name]; test.name != "" && flags.Only(f.Name) {
			ofPackage[test.dir], ofTest[test] = append(ofPackage[test.dir], f), append(ofTest[test], f)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(ofPackage)) {
		t.Run(dir, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "planted.test")
			texts.BuildOf(t, filepath.Join(root, "internal", dir), ofPackage[dir], binary)
			for test, faults := range ofTest {
				if test.dir == dir {
					t.Run(test.name, func(t *testing.T) { failsWithEach(t, binary, test, faults) })
				}
			}
		})
	}
}

// failsWithEach runs one test without a fault, and with each of some faults, of which all are in the binary.
func failsWithEach(t *testing.T, binary string, test namedTest, faults []planting.Fault) {
	t.Helper()
	run := func(fault string) (string, error) {
		args := []string{"-test.run=^" + test.name + "$", "-test.v", "-test.failfast", "-test.timeout=20m"} // one case that fails is enough
		if !slices.Contains([]string{"collection", "vm/parts", "vm/state"}, test.dir) {                     // whose tests have no levels
			args = append(args, "-level=more")
		}
		cmd := planting.Command(binary, fault, args...)
		cmd.Dir = filepath.Join(root, "internal", test.dir)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(""); err != nil || !strings.Contains(out, "--- PASS: "+test.name) {
		t.Errorf("%s does not pass without a fault: %v\n%s", test.name, err, out)
		return
	}
	for _, f := range faults {
		if out, _ := run(f.Name); strings.Contains(out, "--- FAIL: "+test.name) || strings.Contains(out, "panic:") {
			t.Logf("%s: %s fails", f.Name, test.name)
		} else {
			t.Errorf("%s: %s does not fail with it\n%s", f.Name, test.name, out)
		}
	}
}
