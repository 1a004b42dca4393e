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
					t.Run(test.name, func(t *testing.T) {
						tests := planting.Tests{Binary: binary, Dir: filepath.Join(root, "internal", dir), Args: []string{"-test.run=^" + test.name + "$", "-test.timeout=20m"}}
						if !slices.Contains([]string{"collection", "interleave", "vm/parts", "vm/state"}, dir) { // whose tests have no levels
							tests.Args = append(tests.Args, "-level=more")
						}
						tests.FindEach(t, faults)
					})
				}
			}
		})
	}
}
