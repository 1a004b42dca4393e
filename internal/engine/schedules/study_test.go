// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// The study of what schedules of compiled code find, and how fast, beside stress and our search: one page.

const studyPage = "../../../doc/study-schedules.md"

// What each search of a defect may take.
const (
	studySchedules = 3000
	studyTime      = 12 * time.Second
)

const studyHead = `# Schedules of compiled code, measured

Written by ` + "`go test ./internal/engine/schedules -run TestStudy_Page -level all -update -timeout 60m`" + `. Seconds are of the clock, whatever else the
machine does: they are coarse. What is found is the same each time (seed 1), unless the limit on time is reached.

## Speed

Two threads with three calls each on one object. On the changed runtime an execution is one schedule that was drawn, of 20,000; races are looked for, results are judged,
and the seconds include building the runner. Under ` + "`go test -race -count=5000`" + ` nothing is judged, and the runtime has the goroutines go on as it likes, so most executions are alike.

| type | go test -race -count, executions a second | schedules a second |
|---|---|---|
`

const defectsHead = `
## Defects

Each [defect of published code](defects/README.md) in the scope of its witness: up to %d schedules of one way, or %v, for -engine schedules, and as long for our search (-engine bounded). "found N"
is the number of executions when the violation was seen, 24 of a client at a time; "-" is none, with the number of executions that were made; seconds include building the runner.

| defect | random | pct 3 | preempt 2 | our search |
|---|---|---|---|---|
`

// TestStudy_Page measures, and writes the page.
func TestStudy_Page(t *testing.T) {
	if !level.All() || !flags.Update() {
		t.Skip("-level all -update measures, and writes doc/study-schedules.md: a quarter of an hour")
	}
	var b strings.Builder
	b.WriteString(studyHead)
	for _, s := range []struct{ typ, call string }{
		{"plain.Queue", "q.Enqueue(1); q.Dequeue(); q.Enqueue(2)"},
		{"filed.Counter", "q.Inc(); q.Inc(); q.Inc()"},
	} {
		v := tested(t, s.typ, func(r *pangolin.Request) {
			r.Scope.Schedules, r.Scope.Threads, r.Scope.PerThread, r.Scope.PreAdds, r.Search.NoCache = 20_000, "2..2", 3, "0", true
		})
		rate := "-"
		if v.Sampled != nil && v.Violation == nil {
			rate = fmt.Sprintf("%.0f", float64(v.Sampled.Schedules)/v.Seconds)
		}
		fmt.Fprintf(&b, "| %s | %.0f | %s |\n", s.typ, stress(t, s.typ, s.call), rate)
	}
	fmt.Fprintf(&b, defectsHead, studySchedules, studyTime)
	files, err := filepath.Glob("../../../doc/defects/witnesses/*.json")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| %s: %s", strings.TrimSuffix(filepath.Base(file), ".json"), w.Class)
		for _, way := range []string{"random", "pct", "preempt", ""} {
			cell, ok := defect(w, way)
			if ok {
				found[way]++
			}
			fmt.Fprintf(&b, " | %s", cell)
		}
		b.WriteString(" |\n")
	}
	fmt.Fprintf(&b, "| found, of %d | %d | %d | %d | %d |\n", len(files), found["random"], found["pct"], found["preempt"], found[""])
	if err := os.WriteFile(studyPage, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if len(keptRows(t)) > 0 {
		writeMutants(t)
	}
}

// defect looks for a defect in the scope of its witness; way "" is our search.
func defect(w *verdict.Witness, way string) (cell string, found bool) {
	r := pangolin.Request{Packages: []string{w.Source.Package + "." + w.Source.Type}, New: w.Source.New, Ops: w.Source.Ops, Kind: w.Source.Kind, Protocol: w.Source.Protocol,
		Oracle: pangolin.Oracle(w.Source.Oracle), Property: pangolin.Properties(w.Subject.Property)}
	s := w.Scope
	r.Scope.Threads, r.Scope.Steps = pangolin.Range(fmt.Sprintf("%d..%d", s.Threads[0], s.Threads[1])), pangolin.Range(fmt.Sprintf("%d..%d", s.Steps[0], s.Steps[1]))
	r.Scope.PreAdds, r.Scope.Values, r.Roles = pangolin.Range(fmt.Sprintf("%d..%d", s.PreAdds[0], s.PreAdds[1])), s.Values, s.Roles
	r.Scope.AddsDominant = pangolin.SwitchOf(s.Options.AddsDominant)
	r.Search.NoCache, r.Search.Timeout, r.Search.Unfair = true, studyTime, pangolin.SwitchOf(!s.Fair)
	if way != "" {
		r.Engine, r.Scope.Ways, r.Scope.Schedules = "schedules", way, studySchedules
	}
	began := time.Now()
	list, err := pangolin.Verify(sources.Repository, r)
	seconds := time.Since(began).Seconds()
	switch {
	case err != nil:
		return "error: " + strings.ReplaceAll(err.Error(), "\n", " "), false
	case len(list) != 1:
		return fmt.Sprintf("%d verdicts", len(list)), false
	}
	v := list[0]
	switch {
	case v.Violation != nil && way == "":
		return fmt.Sprintf("%s, %.0f s", v.Violation.Class, seconds), true
	case v.Violation != nil:
		return fmt.Sprintf("%s, found %d, %.0f s", v.Violation.Class, v.Sampled.Schedules, seconds), true
	case v.Sampled != nil && v.Cause == verdict.Testing:
		return fmt.Sprintf("- %d, %.0f s", v.Sampled.Schedules, seconds), false
	}
	return fmt.Sprintf("%s, %.0f s", v.Status, seconds), false
}

// stress is how many executions go test -race makes in a second.
func stress(t *testing.T, typ, calls string) float64 {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	pkg, name, _ := strings.Cut(typ, ".")
	made := "q := New" + name + "()"
	if pkg == "filed" {
		made = "q, _ := New" + name + "()"
	}
	text := fmt.Sprintf("package %s\n\nimport (\n\t\"sync\"\n\t\"testing\"\n)\n\nfunc TestStress(t *testing.T) {\n\t%s\n\tvar wg sync.WaitGroup\n\tfor range 2 {\n\t\twg.Go(func() { %s })\n\t}\n\twg.Wait()\n}\n", pkg, made, calls)
	if err := os.WriteFile(filepath.Join(dir, pkg, "stress_test.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		cmd := exec.CommandContext(context.Background(), "go", args...)
		cmd.Dir, cmd.Env = filepath.Join(dir, pkg), append(os.Environ(), "TMPDIR="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	const count = 5000
	run("test", "-race", "-c", "-o", "stress.test")
	began := time.Now()
	cmd := exec.CommandContext(context.Background(), "./stress.test", fmt.Sprintf("-test.count=%d", count))
	cmd.Dir, cmd.Env = filepath.Join(dir, pkg), append(os.Environ(), "TMPDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %.500s", err, out)
	}
	return count / time.Since(began).Seconds()
}
