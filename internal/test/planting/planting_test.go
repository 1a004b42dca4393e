// SPDX-License-Identifier: BSD-3-Clause

package planting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// A build has all faults, and only the one that is switched on shows.
func TestBuild_HasFaultsThatAreSwitchedOnByName(t *testing.T) {
	level.SkipShort(t, "builds a test binary")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example\n\ngo 1.26\n",
		"sum.go":      "package example\n\nfunc sum(a, b int) int { return a + b }\n\nfunc twice(a int) int { return 2 * a }\n",
		"sum_test.go": "package example\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { t.Log(sum(3, 2), twice(3)) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	faults := []Fault{
		{Name: "minus", Old: "return a + b", New: "if planted(\"minus\") {\n\t\treturn a - b\n\t}\n\treturn a + b"},
		{Name: "thrice", Old: "return 2 * a", New: "if planted(\"thrice\") {\n\t\treturn 3 * a\n\t}\n\treturn 2 * a"},
	}
	s := Sources{}
	s.Read(t, "*.go")
	if len(s) != 1 {
		t.Fatalf("%d files", len(s))
	}
	s.Check(t, faults)
	s.Build(t, faults, "planted.test")
	for fault, want := range map[string]string{"": "5 6", "minus": "1 6", "thrice": "5 9"} {
		out, err := Command("./planted.test", fault, "-test.v").CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v, want %s:\n%s", fault, err, want, out)
		}
	}
}

// A text that is not there, or twice, has no place.
func TestPlace_WantsATextOnce(t *testing.T) {
	s := Sources{"a.go": "x := 1\nx := 1\n", "b.go": "y := 2\n"}
	for old, want := range map[string]string{"y := 2": "b.go", "x := 1": "", "z": ""} {
		if got, err := s.Place(Fault{Name: "f", Old: old}); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", old, got, err)
		}
	}
}
