// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// What test files show of calls, in the package and outside of it: names that mean something else there are not the package's.

func TestTestCalls_LeaveOutNamesThatAreNotThePackages(t *testing.T) {
	level.SkipShort(t, "asks the go command")
	for _, c := range []struct{ in, out, body string }{
		{"New(3)", "New(3)", "@New(3)"},
		{"New(size)", "", "@New(size)"}, // outside, size is the test's
		{"New(Size)", "New(Size)", "@New(@Size)"},
		{"New(3)", "New(3)", "n := 3; @New(n)"},
		{"", "", "for _, size := range []int{1} { @New(size) }"},
		{"", "", "func(size int) { @New(size) }(1)"},
		{"", "", "var size = 7; @New(size)"},
		{"", "", "size := 1; size++; size, _ = 2, 3; @New(size)"},
		{"", "", "size := 1; if size := 2; size > 1 { @New(size) }"},
		{"", "", "size := 1; size = 2; @Make(@Config{Size: size})"},
		{"Make(Config{Size: 2})", "Make(Config{Size: 2})", "@Make(@Config{Size: 2})"},
		{"Make(Config{Size: 2})", "Make(Config{Size: 2})", "Size := 4; _ = Size; @Make(@Config{Size: 2})"},
		{"", "", "@New(len(t.Name()))"},
	} {
		for name, of := range map[string]string{"p": c.in, "p_test": c.out} {
			if got := callsIn(t, name, c.body); !slices.Equal(got, slices.DeleteFunc([]string{of}, func(s string) bool { return s == "" })) {
				t.Errorf("package %s: %s: got %q, want %q", name, c.body, got, of)
			}
		}
	}
}

// callsIn are the calls in a test of a package; @ is the package's qualifier, if the test needs one.
func callsIn(t *testing.T, name, body string) (list []string) {
	t.Helper()
	qualifier := map[string]string{"p": "", "p_test": "p."}[name]
	dir := t.TempDir()
	var text []byte
	for _, r := range body {
		if r == '@' {
			text = append(text, qualifier...)
			continue
		}
		text = append(text, string(r)...)
	}
	for file, text := range map[string]string{
		"go.mod":    "module p\n\ngo 1.24\n",
		"p.go":      "package p\n",
		"p_test.go": "package " + name + "\n\nfunc TestX(t *testing.T) {\n" + string(text) + "\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listed, err := List(context.Background(), dir, []string{"."})
	if err != nil || len(listed) != 1 {
		t.Fatal(len(listed), err)
	}
	for _, call := range listed[0].TestCalls() {
		list = append(list, call.Expr)
	}
	return list
}
