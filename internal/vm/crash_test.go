// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// TestCrashes_ArePrintedAsTheRuntimeDoes runs a program that crashes in as many ways
// as its list has entries.
func TestCrashes_ArePrintedAsTheRuntimeDoes(t *testing.T) {
	level.SkipShort(t, "compiles and runs a program natively")
	raw, err := os.ReadFile("testdata/crash.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	src := string(raw)
	exe, img := built(t, src), compiled(t, src)
	for n := range strings.Count(between(src, "var crashes", "\nfunc main"), "\n\tfunc() {") {
		want := runNative(exe, strconv.Itoa(n))
		setGlobal(t, img, "main.which", uint64(n))
		got := executed(t, img)
		w, g := essence(want), essence(got)
		if w != g {
			t.Errorf("%s\n   got %q\nwant %q", line(src, n), g, w)
		}
	}
}

// setGlobal gives a package variable of one word another initial value.
func setGlobal(t *testing.T, img *Image, name string, w uint64) {
	t.Helper()
	for i, g := range img.Prog.Globals {
		if g.Name == name {
			img.BaseMem[img.Base[i+1].At] = w
			return
		}
	}
	t.Fatalf("no variable %s", name)
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

func line(src string, n int) string {
	return "entry " + strconv.Itoa(n) + ": " + strings.Split(between(src, "var crashes", "\nfunc main"), "\n\tfunc() {")[n+1]
}

var (
	address = regexp.MustCompile(`0x[0-9a-f]{5,}`)
	signal  = regexp.MustCompile(`(segmentation violation).*\]`)
	traces  = regexp.MustCompile(`(?s)\n\n?goroutine \d+.*`)
)

// essence leaves out of an outcome what differs from run to run, and the stack
// traces, which the machine does not print.
func essence(o outcome) string {
	text := traces.ReplaceAllString(o.stderr, "\n")
	text = address.ReplaceAllString(signal.ReplaceAllString(text, "$1]"), "ADDRESS")
	return strings.TrimSpace(o.stdout + "|" + strings.TrimSpace(text) + "|" + strconv.Itoa(o.code))
}
