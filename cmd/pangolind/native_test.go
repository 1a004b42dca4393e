// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// Comparisons of generated texts on a farm.

// comparer compiles the comparisons with a stamp.
func comparer(t *testing.T, stamp string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "agreement.test")
	if out, err := exec.Command("go", "test", "-c", "-ldflags", "-X pangolin/internal/cache.stamp="+stamp, "-o", file, "pangolin/internal/test/agreement").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

// compared is what a run of the comparisons prints, without seconds, and its exit code.
func compared(t *testing.T, program string, args ...string) (string, int) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, program, append([]string{"-test.v"}, args...)...)
	c.Dir = t.TempDir()
	out, err := c.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\d+\.\d+s`).ReplaceAllString(string(out), ""), c.ProcessState.ExitCode()
}

// The comparisons print the same on a farm, and leave the same. A worker does them with a program of its own sources only, and no other worker gets them.
func TestComparisons_AreTheSameOnAFarm(t *testing.T) {
	level.SkipShort(t, "compiles generated texts natively, here and on a farm")
	program := comparer(t, "test")
	f := install(t, 1) // a worker for other tasks
	for name, why := range map[string]string{"/nonexistent/agreement.test": "no such file", "/bin/true": "does no comparisons", comparer(t, "other"): "is built from other sources"} {
		w := f.start("worker", "-on", f.url(), "-native", name)
		if err := w.Wait(); err == nil || !strings.Contains(string(f.said()), why) {
			t.Errorf("a worker with %s: %v, %s", name, err, f.said())
		}
	}
	f.workers = append(f.workers, f.start("worker", "-on", f.url(), "-native", program, "-j", "1"))
	// Of the second, some texts are left out, and the last fails: there is no such grammar.
	for _, args := range [][]string{{"-test.run", "Programs_End", "-programs", "3"}, {"-test.run", "Types_Are|KeepsVerdicts$", "-types", "1", "-respelled", "2", "-states", "300"}, {"-test.run", "Programs_End", "-programs", "3", "-grammar", "none"}} {
		here, code := compared(t, program, args...)
		there, other := compared(t, program, append(args, "-on", f.url())...)
		if args[len(args)-1] == "none" {
			if other != 1 || !strings.Contains(there, "there is no comparison such as") {
				t.Errorf("%q: exit code %d,\n%s", args, other, there)
			}
			continue
		}
		if here != there || code != other || code != 0 || !strings.Contains(here, " compared; ") {
			t.Errorf("%q: exit codes %d, on a farm %d;\n%s\non a farm\n%s", args, code, other, here, there)
		}
	}
}
