// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/cache"
	"pangolin/internal/git"
	"pangolin/internal/task"
)

// The log of the directory of results has a line for each result of each run: what it was about, which revision the sources were, and the
// key under which it is kept.

// logged reads the log: for each line type, status, revision, state of the sources and whether it was computed before.
func logged(t *testing.T, dir string) (list []string) {
	t.Helper()
	d, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines, _, err := d.Log().Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		e, ok := task.ReadEntry(line)
		if !ok {
			t.Fatalf("no entry: %s", line)
		}
		k := task.Kept{Cache: d}
		if _, err := k.Get(e.Key); e.Key != "" && err != nil {
			t.Errorf("%s: its result is not kept: %v", line, err)
		}
		for _, a := range e.Answers {
			list = append(list, fmt.Sprintf("%s %s.%s %s %.7s %s cached=%v kept=%v", e.Module, e.Package, a.Type, a.Status, e.Commit, e.Sources, e.Cached, e.Key != ""))
		}
	}
	return list
}

func TestLog_TellsWhatWasJudgedOfWhichRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, results := box(t), filepath.Join(t.TempDir(), "results")
	r := pangolin.Request{Dir: dir, Packages: []string{"."}, Scope: pangolin.Scope{Config: "B"}, Search: pangolin.Search{Cache: results}}
	verified := func(r pangolin.Request) {
		t.Helper()
		if _, err := pangolin.Verify(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() string {
		t.Helper()
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one"}} {
			if _, err := (git.Command{Dir: dir}).Run(t.Context(), args...); err != nil {
				t.Fatal(err)
			}
		}
		at, ok := git.Head(t.Context(), dir)
		if !ok {
			t.Fatal("there is no commit")
		}
		return at.Commit[:7]
	}
	var want []string
	expect := func(types, commit, state string, cached, kept bool) {
		t.Helper()
		for _, typ := range []string{"Counter verified", "Plain violated", "Queue verified"} {
			if types == "" || types == typ {
				want = append(want, fmt.Sprintf("m m.box.%s %s %s cached=%v kept=%v", typ, commit, state, cached, kept))
			}
		}
		if got := logged(t, results); !slices.Equal(got, want) {
			t.Errorf("%q; want %q", got, want)
		}
	}
	none := r
	none.Search.NoCache = true
	verified(none)
	if _, err := os.Stat(results); err == nil {
		t.Error("who keeps nothing has written something")
	}
	verified(r)
	expect("", "", "", false, true)
	verified(r) // as a whole
	expect("", "", "", true, true)
	first := commit()
	verified(r)
	expect("", first, "clean", true, true)
	file := filepath.Join(dir, "box.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, "\n// More.\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	verified(r)
	expect("", first, "modified", false, true)
	second := commit()
	one := r
	one.Type = "Queue"
	verified(one)
	expect("Queue verified", second, "clean", true, true)
}

// A run shows that it is at work while it is, and leaves nothing behind.
func TestRunning_IsShownWhileARunSearches(t *testing.T) {
	dir, results := box(t), filepath.Join(t.TempDir(), "results")
	d, err := cache.Open(results)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := pangolin.Verify(ctx, pangolin.Request{Dir: dir, Packages: []string{"."}, Type: "Queue", Scope: pangolin.Scope{Threads: "4", Steps: "9"}, Search: pangolin.Search{Cache: results}})
		ended <- err
	}()
	var w task.Work
	for end := time.Now().Add(time.Minute); w.States == 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		texts, err := d.Running()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if err := json.Unmarshal(text, &w); err != nil {
				t.Fatal(err)
			}
		}
	}
	if w.PID != os.Getpid() || w.Collection != "box.Queue" || w.Property != "linear" || w.Module != "m" || w.States == 0 {
		t.Errorf("at work: %+v", w)
	}
	cancel()
	if err := <-ended; err != nil && !errors.Is(err, pangolin.ErrInterrupted) {
		t.Errorf("it ends with %v", err)
	}
	if list := logged(t, results); len(list) > 0 {
		t.Errorf("a search that was interrupted has the verdicts %q", list)
	}
	if texts, err := d.Running(); err != nil || len(texts) > 0 {
		t.Errorf("behind the run %q is at work: %v", texts, err)
	}
}
