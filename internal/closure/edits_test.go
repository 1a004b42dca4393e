// SPDX-License-Identifier: BSD-3-Clause

package closure

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Edits of a tree.

var when = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// files writes one file.
func files(name, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { write(t, dir, map[string]string{name: text}) }
}

// replace changes a text in a file.
func replace(name, before, after string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if text := tree()[name]; !strings.Contains(text, before) {
			t.Fatalf("%s does not have %q", name, before)
		}
		write(t, dir, map[string]string{name: strings.Replace(tree()[name], before, after, 1)})
	}
}

func move(t *testing.T, dir, from, to string) {
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
}

func environ(name, value string) func(*testing.T, string) {
	return func(t *testing.T, _ string) { t.Setenv(name, value) }
}

func goEnv(t *testing.T, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
