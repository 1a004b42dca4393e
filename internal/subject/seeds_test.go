// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Seeds are found in a directory whose name is a pattern that it does not match, and none where there is no directory of seeds.
func TestReadSeeds_InADirectoryWithBrackets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[0-9]*b")
	seeds := filepath.Join(dir, "testdata", "fuzz", "FuzzX")
	if err := os.MkdirAll(seeds, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"two": "go test fuzz v1\nint(2)\n", "one": "go test fuzz v1\nint(1)\n[]byte(\"x\")\n"} {
		if err := os.WriteFile(filepath.Join(seeds, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readSeeds(dir, "FuzzX")
	want := []string{`[1]string{"one"}, int(1), []byte("x")`, `[1]string{"two"}, int(2)`}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := readSeeds(dir, "FuzzY"); err != nil || len(got) > 0 {
		t.Errorf("%q, %v; want none", got, err)
	}
}
