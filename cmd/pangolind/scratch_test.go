// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The directories of killed workers are removed by the next one, others are not.
func TestScratch_RemovesWhatKilledWorkersLeft(t *testing.T) {
	below := t.TempDir()
	alive, end, err := scratch(below)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	killed, foreign, fresh := filepath.Join(below, "pangolind-worker-1"), filepath.Join(below, "pangolind-worker-2"), filepath.Join(below, "pangolind-worker-3")
	for _, dir := range []string{killed, foreign, fresh} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if dir == foreign { // it has no lock
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-time.Hour)
	for _, dir := range []string{alive, killed, foreign} {
		if err := os.Chtimes(dir, before, before); err != nil {
			t.Fatal(err)
		}
	}
	another, ended, err := scratch(below)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{alive: true, killed: false, foreign: true, fresh: true, another: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
	if ended(); len(dirs(t, below)) != 3 {
		t.Errorf("%v", dirs(t, below))
	}
}

func dirs(t *testing.T, below string) []string {
	list, err := filepath.Glob(filepath.Join(below, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}
