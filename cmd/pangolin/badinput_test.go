// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What is wrong with a program that is to be executed is said in a sentence, with an exit code, and never with a
// stack trace.

// pangolinIn runs a command line in a directory.
func pangolinIn(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(dir)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, errors bytes.Buffer
	code = execute(ctx, args, &console{in: strings.NewReader(""), out: &out, err: &errors})
	return code, out.String(), errors.String()
}

// slow are the inputs that take seconds to exhaust a limit.
func slow(class string) bool { return class == "allocation" || class == "unbounded-states" }

func TestRunAll_EndsWithAMessageOnBadInput(t *testing.T) {
	inputs, err := corpus.BadInputs("../../internal/test/corpus")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range inputs {
		t.Run(b.Name, func(t *testing.T) {
			if !level.More() && (slow(b.Class) || i%6 != 0 || level.Short() && i%18 != 0) {
				t.Skip("every sixth will do, and exhausting a limit takes seconds; -level more tries all")
			}
			dir := t.TempDir()
			if err := b.Write(dir); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := pangolinIn(t, dir, "run", "-all", "-max-states", "200000", "-max-memory", "500M", b.Target)
			if b.Class == "fine" {
				checkFine(t, b, code, stdout)
				return
			}
			if !slices.Contains(b.Exits, code) {
				t.Errorf("exit code %d, want one of %d", code, b.Exits)
			}
			checkMessage(t, b, stdout+stderr)
		})
	}
}

// checkFine wants the one outcome of a program that only looks bad.
func checkFine(t *testing.T, b corpus.BadInput, code int, stdout string) {
	want := 0
	if b.Outcome.Exit != 0 {
		want = verdict.ExitViolated
	}
	if code != want || !strings.Contains(stdout, "1 outcome; every interleaving explored") {
		t.Errorf("exit code %d, want %d:\n%s", code, want, stdout)
	}
	for line := range strings.Lines(b.Outcome.Stdout + b.Outcome.Panic) {
		if !strings.Contains(stdout, strings.TrimSpace(line)) {
			t.Errorf("%q is missing in\n%s", line, stdout)
		}
	}
}

// checkMessage wants something said, with the place and the calls that lead there.
func checkMessage(t *testing.T, b corpus.BadInput, text string) {
	if strings.TrimSpace(text) == "" {
		t.Error("nothing was said")
	}
	// A loop is interrupted anywhere in it.
	limited := strings.Contains(text, "the limit on") || strings.Contains(text, "never ends") ||
		strings.Contains(text, "without a visible access")
	if b.Where != "" && !limited && !strings.Contains(text, b.Where) {
		t.Errorf("%s is not named in\n%s", b.Where, text)
	}
	for _, f := range b.Path {
		if name := f[strings.LastIndexByte(f, '.')+1:]; !limited && !strings.Contains(text, name+" (") && !strings.Contains(text, name+" is not supported") && !strings.Contains(text, "… ") {
			t.Errorf("%s is not on the path in\n%s", f, text)
		}
	}
}

// TestRun_EndsWithAMessageOnBadInput executes one schedule of what can be loaded.
func TestRun_EndsWithAMessageOnBadInput(t *testing.T) {
	inputs, err := corpus.BadInputs("../../internal/test/corpus")
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range inputs {
		t.Run(b.Name, func(t *testing.T) {
			if !level.More() && (slow(b.Class) || i%6 != 0 || level.Short() && i%18 != 0) {
				t.Skip("every sixth will do, and exhausting a limit takes seconds; -level more tries all")
			}
			dir := t.TempDir()
			if err := b.Write(dir); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := pangolinIn(t, dir, "run", "-max-steps", "20000000", "-max-memory", "30M", b.Target)
			if b.Class == "fine" {
				if want := b.Outcome.Exit; code != want || stdout != b.Outcome.Stdout {
					t.Errorf("exit code %d, stdout %q, want %d, %q; %s", code, stdout, want, b.Outcome.Stdout, stderr)
				}
				return
			}
			if code != verdict.ExitTool && b.Name != "divergence_only_in_one_schedule" {
				t.Errorf("exit code %d, want 2", code)
			}
			if code == verdict.ExitTool && !strings.HasPrefix(stderr, "pangolin: ") {
				t.Errorf("stderr %s", fmt.Sprintf("%.300q", stderr))
			}
		})
	}
}
