// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/front"
	"pangolin/internal/test/flags"
)

// What README.md shows of the first collection is what verify prints about it: the source on the page is verified, and the lines from the history to
// the last step of the witness are compared; -update writes them.
func TestReadme_ShowsWhatVerifyPrints(t *testing.T) {
	page, err := filepath.Abs("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- example: counter -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	_, source, ok3 := strings.Cut(before, "    package counter\n")
	if !ok || !ok2 || !ok3 {
		t.Fatal("README.md has no example")
	}
	source, _, _ = strings.Cut(source, "\nand this")
	for _, variable := range goEnv(t, "GOCACHE", "GOMODCACHE") {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("COLUMNS", "80")
	t.Chdir(dir)
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.24\n", "counter/counter.go": "package counter\n" + strings.ReplaceAll(source, "\n    ", "\n")} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, diagnostics bytes.Buffer
	if code := execute(front.Share(t.Context()), []string{"verify", "./counter"}, &console{in: strings.NewReader(""), out: &out, err: &diagnostics}); code != 1 {
		t.Fatalf("exit code %d\n%s%s", code, &out, &diagnostics)
	}
	// The first line tells the seconds as well; behind the witness the history comes again.
	shown := out.String()
	shown = shown[strings.Index(shown, "  history: "):]
	shown, _, _ = strings.Cut(shown, "\n\n  history\n")
	want := "\n"
	for line := range strings.SplitSeq(shown, "\n") {
		if line != "" {
			line = "    " + line
		}
		want += line + "\n"
	}
	if want += "\n"; old == want {
		return
	}
	if !flags.Update() {
		t.Fatalf("README.md shows\n%s\nverify prints\n%s\n(go test ./cmd/pangolin -run Readme -update)", old, want)
	}
	if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
