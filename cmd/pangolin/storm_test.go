// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// Processes that share a directory of results are killed at any moment: whatever they have printed is right, nothing that is read is half
// written, and who comes last gets all verdicts.
func TestCache_SurvivesKilledRuns(t *testing.T) {
	level.SkipShort(t, "it starts and kills processes")
	binary, err := exec.LookPath(process)
	if err != nil {
		t.Fatal(err)
	}
	kills := 10
	if level.All() {
		kills = 500
	}
	dir, kept := stormModule(t), t.TempDir()
	run := func(out *bytes.Buffer, args ...string) *exec.Cmd {
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
		return cmd
	}
	verify := func(round int) []string { // every other round has new keys, so that results are written all the time
		return []string{"verify", "-q", "-json", "-out", "", "-j", "1", "-max-states", fmt.Sprint(1_000_000 + round/2), "-cache", kept, "./..."}
	}
	var want bytes.Buffer
	_ = run(&want, append(verify(0), "-no-cache")...).Run() // there are violations
	right := lines(want.String())
	if len(right) != 4 {
		t.Fatal(want.String())
	}
	random := rand.New(rand.NewPCG(7, 7))
	told, hits := 0, 0
	check := func(out string) {
		for line := range lines(out) {
			if told++; !right[line] {
				t.Errorf("a run printed\n%s", line)
			}
		}
		hits += strings.Count(out, `"cached":true`)
	}
	for round := 0; round < kills; round += 2 {
		var outs [2]bytes.Buffer
		var list [2]*exec.Cmd
		for i := range list {
			list[i] = run(&outs[i], verify(round)...)
			if err := list[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range list {
			time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
			_ = cmd.Process.Kill() // it may be over
			_ = cmd.Wait()
			check(outs[i].String())
		}
	}
	var last, state bytes.Buffer
	_ = run(&last, verify(kills)...).Run()
	if check(last.String()); len(lines(last.String())) != len(right) {
		t.Errorf("the last run printed\n%s", last.String())
	}
	if err := run(&state, "cache", "verify", "-cache", kept).Run(); err != nil {
		t.Errorf("%v\n%s", err, state.String())
	}
	again := bytes.Buffer{}
	_ = run(&again, verify(kills)...).Run()
	if check(again.String()); strings.Count(again.String(), `"cached":true`) != len(right) {
		t.Errorf("the run after the last one printed\n%s", again.String())
	}
	t.Logf("%d kills, %d verdicts, %d of them cached; %s", kills, told, hits, state.String())
}

// lines are the whole lines of verdicts, without what differs from run to run.
func lines(text string) map[string]bool {
	list := map[string]bool{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, `{"type":"verdict"`) && strings.HasSuffix(line, "\n") {
			list[varying.ReplaceAllString(line, "")] = true
		}
	}
	return list
}

var varying = regexp.MustCompile(`"(seconds|peak_bytes)":[0-9.e+-]+,?|"cached":true,?`)

// stormModule is a module with four collections, two of them wrong.
func stormModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n"}
	for i, inc := range []string{"c.n.Add(1)", "c.n.Store(c.n.Load() + 1)", "for { n := c.n.Load(); if c.n.CompareAndSwap(n, n+1) { return } }", "c.n.Store(1 + c.n.Load())"} {
		name := fmt.Sprintf("p%d", i)
		files[name+"/c.go"] = fmt.Sprintf("package %s\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\nfunc (c *Counter) Inc() { %s }\n\nfunc (c *Counter) Get() int64 { return c.n.Load() }\n", name, inc)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
