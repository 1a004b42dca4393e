// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// nativeLeaks uses each type of the table some times, and then asks Go's own goroutine leak profile.
const nativeLeaks = `
var kept []any

func main() {
	for range 200 {
		switch os.Args[1] {
CASES		}
	}
	for range 5 {
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
	}
	var b strings.Builder
	pprof.Lookup("goroutineleak").WriteTo(&b, 2)
	if strings.Contains(b.String(), "(leaked)") {
		fmt.Println("leaked")
	}
}
`

// TestLeaks_AgreeWithGoItself compiles the types with Go's goroutine leak profile, where the compiler has it, and compares what
// it sees with what the table says.
func TestLeaks_AgreeWithGoItself(t *testing.T) {
	if !level.More() {
		t.Skip("-level more compiles Go's runtime with another experiment")
	}
	dir, cases := t.TempDir(), ""
	var sources strings.Builder
	for _, l := range leakCases() {
		sources.WriteString(l.source + "\n")
		made := "new(" + l.typ() + ")"
		if strings.Contains(l.source, "func New"+l.typ()) {
			made = "New" + l.typ() + "()"
		}
		cases += fmt.Sprintf("\t\tcase %q:\n\t\t\tx := %s\n\t\t\tkept = append(kept, x)\n\t\t\t%s\n", l.name, made, l.use)
	}
	text := sources.String() + strings.Replace(nativeLeaks, "CASES", cases, 1)
	head := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"runtime/pprof\"\n\t\"strings\"\n)\n"
	for name, content := range map[string]string{"main.go": head + leakImports(text) + text, "go.mod": "module leaks\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(dir, "leaks")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOEXPERIMENT=goroutineleakprofile", "GOFLAGS=")
	if out, err := build.CombinedOutput(); strings.Contains(string(out), "unknown GOEXPERIMENT") {
		t.Skip("this Go has no goroutine leak profile")
	} else if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, l := range leakCases() {
		out, err := exec.Command(binary, l.name).CombinedOutput()
		if seen := strings.Contains(string(out), "leaked"); err != nil || seen != (l.calls != "") && (seen || l.name != sendsCaptured) {
			t.Errorf("%s: Go's profile sees a leak: %t (%v); the table says %t\n%s", l.name, seen, err, l.calls != "", out)
		}
	}
}
