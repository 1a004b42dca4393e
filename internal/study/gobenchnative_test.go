// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// TestKernels_LeakNothingElseNatively compiles the kernels as they stand in Go's distribution, with its goroutine leak profile, lets each
// repeat itself as often as it does there, on one processor and on four, and reads what the profile says. Each leak is one that the distribution's tests name, of
// which TestKernels_LeakWhatTheirTestsName says that they are found. A kernel that leaks in no schedule does not leak here.
func TestKernels_LeakNothingElseNatively(t *testing.T) {
	if !level.More() {
		t.Skip("-level more compiles Go's runtime with another experiment, and runs some hundred programs")
	}
	all, err := kernels()
	if err != nil || len(all) == 0 {
		t.Skipf("this Go has no kernels: %v", err)
	}
	binaries := map[string]string{} // by the directory of the sources
	leaking := 0
	for _, k := range all {
		dir := filepath.Dir(k.file)
		if binaries[dir] == "" {
			binaries[dir] = profiled(t, dir)
		}
		seen := false
		for _, processors := range []string{"1", "4"} {
			for _, leak := range leaksNatively(t, binaries[dir], k.name, processors) {
				seen = true
				if why := exceptions[k.name]; why != "" || !k.names(leak) {
					t.Errorf("%s leaks natively: %s; found are %q (%s)", k.name, leak, texts(k.leaks), why)
				}
			}
		}
		if seen {
			leaking++
		}
	}
	t.Logf("%d of %d kernels leak natively", leaking, len(all))
	if leaking < len(all)/2 {
		t.Errorf("only %d of %d kernels leak natively: is the profile read?", leaking, len(all))
	}
}

// names says whether the distribution's tests name a leak.
func (k *kernel) names(leak string) bool {
	for _, re := range k.leaks {
		if re.MatchString(leak) {
			return true
		}
	}
	return false
}

// profiled compiles the kernels of a directory with the goroutine leak profile.
func profiled(t *testing.T, from string) string {
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module kernels\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "kernels")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOEXPERIMENT=goroutineleakprofile", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); strings.Contains(string(out), "unknown GOEXPERIMENT") {
		t.Skip("this Go has no goroutine leak profile")
	} else if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// goroutineHead matches the first line of a goroutine that has leaked, with what it waits for.
var goroutineHead = regexp.MustCompile(`^goroutine \d+.* \[(.*) \(leaked\).*\]:`)

// leaksNatively runs a kernel and lists the leaks in the profile that it prints, such as "main.f.func1() [chan send]". What has come after twenty
// seconds counts.
func leaksNatively(t *testing.T, binary, name, processors string) (list []string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	run := exec.CommandContext(ctx, binary, name)
	run.Env = append(os.Environ(), "GOMAXPROCS="+processors)
	out, err := run.CombinedOutput()
	if err != nil && ctx.Err() == nil {
		t.Logf("%s: %v", name, err) // some kernels end in a panic, which their tests allow
	}
	for _, stack := range strings.Split(string(out), "\n\n") {
		head := goroutineHead.FindStringSubmatch(stack)
		lines := strings.Split(stack, "\n")
		for i, line := range lines {
			if head != nil && i >= 2 && strings.HasPrefix(line, "created by ") {
				list = append(list, lines[i-2]+" ["+head[1]+"]")
			}
		}
	}
	return list
}
