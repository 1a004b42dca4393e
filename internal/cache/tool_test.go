// SPDX-License-Identifier: BSD-3-Clause

package cache

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTool_IsTheSameFromItsNote(t *testing.T) {
	want, err := Tool()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		if got, err := d.Tool(); got != want || err != nil {
			t.Errorf("%s: the digest of this program is %q, %v; want %q", when, got, err, want)
		}
	}
	check("computed")
	check("noted")
	noted, err := filepath.Glob(filepath.Join(d.Path(), "*", "*"+note))
	if err != nil || len(noted) > 1 {
		t.Fatal(noted, err)
	}
	for _, file := range noted { // none where a stamp is not sure
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text[3] ^= 1
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		check("damaged")
		if after, err := os.ReadFile(file); err != nil || string(after) == string(text) {
			t.Errorf("a damaged note stays: %v", err)
		}
	}
}
