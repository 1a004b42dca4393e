// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What tests print and how they end is the same in the machine and natively, times and the last
// lines of the test binary left out.
func TestExecute_TestsBehaveAsNatively(t *testing.T) {
	level.SkipShort(t, "builds a test binary")
	source, err := os.ReadFile("testdata/testing/testing_test.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "testing_test.go": string(source), "example.go": "package example\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "example.test")
	build := exec.Command("go", "test", "-c", "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, f := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllSubmatch(source, -1) {
		t.Run(string(f[1]), func(t *testing.T) {
			if level.Out(i, 5) {
				t.Skip("some will do; -level more tries all")
			}
			want := natively(t, binary, string(f[1]))
			var out bytes.Buffer
			end, err := pangolin.Execute(repository, pangolin.Request{Dir: dir, Program: pangolin.Program{Test: string(f[1])}}, pangolin.Execution{Stdout: &out})
			if err != nil {
				t.Fatal(err)
			}
			if got := out.String(); end.Kind != verdict.Exited || got != want.text || *end.Exit != want.code {
				t.Errorf("%s %d:\n%s\nwant %d:\n%s", end.Kind, *end.Exit, got, want.code, want.text)
			}
		})
	}
}

type printed struct {
	text string
	code int
}

// natively runs one test of a test binary.
func natively(t *testing.T, binary, name string) printed {
	out, err := exec.Command(binary, "-test.run=^"+name+"$").Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text := regexp.MustCompile(` \(\d+\.\d+s\)`).ReplaceAllString(string(out), "")
	text = regexp.MustCompile(`(?m)^(PASS|FAIL)\n`).ReplaceAllString(text, "")
	code := 0
	if exit != nil {
		code = exit.ExitCode()
	}
	return printed{text, code}
}
