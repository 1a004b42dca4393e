// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/collections"
	"pangolin/internal/engine/schedules"
	"pangolin/internal/native"
	"pangolin/internal/study"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The study of mutants: faults planted in the collections, and who finds which within a limit on time. Mutants are drawn in an order that is
// the same each time, so any number of them from the beginning is a sample. Rows are kept in a file: a run goes on where the last one ended.

const mutantRows = "../../../doc/study-schedules.jsonl"

// What each search of a mutant may do: counts, so that what is found does not depend on what else the machine does. On a quiet machine they
// are reached in some ten seconds of one processor.
const (
	mutantSchedules = 400
	mutantStates    = 20_000
	mutantTime      = 30 * time.Second // a stress test that hangs waits 5 s each time
)

// mutantRow is what came of one mutant.
type mutantRow struct {
	Collection string          `json:"collection"`
	ID         int             `json:"id"`
	Operator   string          `json:"operator"`
	Func       string          `json:"func"`
	Found      map[string]spot `json:"found"` // by who looked
}

// spot is what one search came to.
type spot struct {
	Class      string  `json:"class,omitempty"`      // of the violation; "": none was found
	Status     string  `json:"status,omitempty"`     // else: verified, unknown, or why it could not be tried
	Executions int     `json:"executions,omitempty"` // made until then; of our search none
	Seconds    float64 `json:"seconds"`
}

// finders are who looks, in the order of the table.
var finders = []string{"stress", "random", "pct", "preempt", "search"}

// planted is a mutant with the collection that it is of.
type planted struct {
	verdict.Mutant
	request pangolin.Request
	name    string
}

// plantedMutants are all mutants of collections that are correct and linearizable, in the order in which they are tried.
func plantedMutants(t *testing.T) (list []planted) {
	t.Helper()
	rows, err := study.Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		e := &rows[i]
		r := e.Request("D")
		if e.Class != "" || e.Property != "" && e.Property != string(verdict.Linear) || e.Roles != "" {
			continue
		}
		small := r
		small.Scope.Threads, small.Scope.Steps, small.Dir = "1..1", "1..1", "../../.."
		_, err := pangolin.Mutate(context.Background(), small, pangolin.Mutation{Where: func(m *verdict.Mutant) bool {
			list = append(list, planted{*m, r, e.Package + "." + e.Collection})
			return false
		}})
		if err != nil {
			t.Logf("%s: %v", e.Collection, err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list
}

// TestStudy_Mutants tries -runs mutants, 60 if it is not given, keeps what comes of each, and writes the page's section behind each: who ends it loses nothing.
func TestStudy_Mutants(t *testing.T) {
	if !level.All() || !flags.Update() {
		t.Skip("-level all -update tries mutants, and writes doc/study-schedules.jsonl: hours")
	}
	known := map[string]bool{}
	for _, r := range keptRows(t) {
		known[fmt.Sprint(r.Collection, r.ID)] = true
	}
	list := plantedMutants(t)
	t.Logf("%d mutants", len(list))
	for _, m := range list[:min(flags.Runs(60), len(list))] {
		if known[fmt.Sprint(m.name, m.ID)] {
			continue
		}
		row := mutantRow{m.name, m.ID, m.Operator, m.Func, map[string]spot{}}
		dir := mutated(t, &m)
		shared := &sharing{}
		back := schedules.RunWith(shared.open)
		for _, by := range finders {
			row.Found[by] = look(dir, m.request, by)
		}
		back()
		shared.close()
		os.RemoveAll(dir)
		text, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", text)
		f, err := os.OpenFile(mutantRows, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(append(text, '\n')); err != nil {
			t.Fatal(err)
		}
		f.Close()
		writeMutants(t)
	}
	writeMutants(t)
}

// writeMutants writes the page's section.
func writeMutants(t *testing.T) {
	t.Helper()
	page, err := os.ReadFile(studyPage)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(page), mutantsTitle)
	if err := os.WriteFile(studyPage, []byte(head+mutantsSection(keptRows(t))), 0o666); err != nil {
		t.Fatal(err)
	}
}

func keptRows(t testing.TB) (rows []mutantRow) {
	t.Helper()
	f, err := os.Open(mutantRows)
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r mutantRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// mutated is a module with the collections, one of which has the fault.
func mutated(t testing.TB, m *planted) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", []byte("module pangolin\n\ngo 1.26\n"))
	for _, part := range []string{"collections", "mark"} {
		err := filepath.WalkDir(filepath.Join("../../..", part), func(path string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel("../../..", path)
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(name) == "collections" {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil && filepath.ToSlash(name) == m.File {
				text = []byte(patched(t, string(text), m.Diff))
			}
			write(name, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// patched is a text to which a unified diff is applied.
func patched(t testing.TB, text, diff string) string {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	var out []string
	at := 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			var from int
			if _, err := fmt.Sscanf(line, "@@ -%d", &from); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			out, at = append(out, lines[at:from-1]...), from-1
		case strings.HasPrefix(line, "+"):
			out = append(out, line[1:])
		default:
			if lines[at] != line[1:] {
				t.Fatalf("the diff does not fit: %q, want %q", lines[at], line[1:])
			}
			if line[0] == ' ' {
				out = append(out, line[1:])
			}
			at++
		}
	}
	return strings.Join(append(out, lines[at:]...), "")
}

// sharing is the runner of a mutant, which is built once for all ways.
type sharing struct{ *native.Sampler }

func (s *sharing) open(ctx context.Context, sub native.Subject) (schedules.Runner, error) {
	if s.Sampler == nil {
		made, err := native.NewSampler(context.WithoutCancel(ctx), sub, native.Options{})
		if err != nil {
			return nil, err
		}
		s.Sampler = made
	}
	return s, nil
}

// Close is called behind each search.
func (s *sharing) Close() { s.Restart() }

func (s *sharing) close() {
	if s.Sampler != nil {
		s.Sampler.Close()
	}
}

// look has one of the finders look for a fault.
func look(dir string, r pangolin.Request, by string) spot {
	r.Dir, r.Search.NoCache, r.Search.Timeout = dir, true, mutantTime
	r.Packages = []string{"./" + strings.TrimPrefix(r.Packages[0], "pangolin/")}
	switch by {
	case "search":
		r.Search.MaxStates = mutantStates
	case "stress":
		defer schedules.RunWith(newStressed)()
		r.Engine, r.Scope.Ways, r.Scope.Schedules = "schedules", "random", mutantSchedules*stressTimes
	default:
		r.Engine, r.Scope.Ways, r.Scope.Schedules = "schedules", by, mutantSchedules
	}
	began := time.Now()
	list, err := pangolin.Verify(context.Background(), r)
	s := spot{Seconds: float64(time.Since(began).Milliseconds()) / 1000}
	switch {
	case err != nil:
		s.Status = "error: " + strings.ReplaceAll(err.Error(), dir, "")
	case len(list) != 1:
		s.Status = fmt.Sprintf("%d verdicts", len(list))
	default:
		v := list[0]
		if v.Sampled != nil {
			s.Executions = v.Sampled.Schedules
		}
		if s.Status = string(v.Status); v.Violation != nil {
			s.Class, s.Status = v.Violation.Class, ""
		} else if v.Cause == verdict.Unsupported {
			s.Status = "unsupported: " + strings.ReplaceAll(v.Reason, dir, "")
		}
	}
	return s
}

const mutantsTitle = "\n## Mutants\n"

// mutantsSection is the page's section about mutants.
func mutantsSection(rows []mutantRow) string {
	var b strings.Builder
	b.WriteString(mutantsTitle)
	counts, all, only := map[string]int{}, 0, map[string]int{}
	executions := map[string][]int{}
	classes := map[string]map[string]int{}
	for _, r := range rows {
		if strings.HasPrefix(r.Found["search"].Status, "error") { // it does not compile
			continue
		}
		all++
		var by []string
		for _, f := range finders {
			if s := r.Found[f]; s.Class != "" {
				counts[f]++
				by = append(by, f)
				executions[f] = append(executions[f], s.Executions)
				if classes[f] == nil {
					classes[f] = map[string]int{}
				}
				classes[f][s.Class]++
			}
		}
		if len(by) == 1 {
			only[by[0]]++
		}
		if len(by) > 0 {
			counts["any"]++
		}
	}
	fmt.Fprintf(&b, mutantsHead, all, mutantSchedules, mutantSchedules*stressTimes, mutantStates, counts["any"])
	for _, f := range finders {
		slices.Sort(executions[f])
		median := "-"
		if n := len(executions[f]); n > 0 && f != "search" {
			median = fmt.Sprint(executions[f][n/2])
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s |", map[string]string{"stress": "go test -race, as it comes", "random": "random", "pct": "pct 3", "preempt": "preempt 2", "search": "our search"}[f],
			counts[f], only[f], median)
		for _, class := range mutantClasses {
			fmt.Fprintf(&b, " %d |", classes[f][class])
		}
		b.WriteString("\n")
	}
	return b.String()
}

var mutantClasses = []string{"history", "race", "panic", "deadlock", "livelock", "nontermination"}

const mutantsHead = `
Written by ` + "`go test ./internal/engine/schedules -run TestStudy_Mutants -level all -update -timeout 12h`" + `, which tries 60 mutants (-runs N: N), keeps each row in study-schedules.jsonl, and goes on where it
has ended. Of the faults that pangolin mutate plants in the correct linearizable collections (without roles) a random sample is drawn; so far it has %d that compile. Each is looked for in
configuration D, by counts that do not depend on what else the machine does and take some ten seconds of one processor each: %d schedules of each way, %d executions of a stress test, %d states of our search, and 30 s each at most. The stress test
draws clients and judges histories, which the clock orders, as the others do, under go test -race on the runtime as it is; an execution that has not ended after 5 s is a deadlock if the oracle says so. %d are
found by somebody; most of the others change nothing that can be seen.

| who | found | alone | executions until then, median | history | race | panic | deadlock | livelock | nontermination |
|---|---|---|---|---|---|---|---|---|---|
`
