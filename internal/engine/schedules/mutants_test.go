// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
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

// The study of mutants: faults planted in the collections, and who finds which within a limit on processor time. Collections take turns, in an
// order that is the same each time, so any number of mutants from the beginning is a sample. Rows are kept in a file: a run goes on where the last
// one ended.

const mutantRows = "../../../doc/study-schedules.jsonl"

// What each finder may use for a mutant.
const (
	mutantBudget    = 10 * time.Second  // of processor time, without building what is executed
	verifiedBudget  = 2 * time.Second   // of processor time for the others, where our search has verified all that they draw from
	mutantTime      = 180 * time.Second // of the clock, for what waits
	mutantSchedules = 100_000           // of each way; of a stress test so many executions
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
	CPU        float64 `json:"cpu"`                  // seconds of processors until then, of this process and what it has started, but for the build
	Build      float64 `json:"build,omitempty"`      // seconds of processors for compiling what is executed
	Limit      float64 `json:"limit,omitempty"`      // the seconds of processors that it might use, where that was less than mutantBudget
}

// finders are who looks, in the order of the table. Our search looks first.
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
	return inTurn(list)
}

// inTurn shuffles the mutants of each collection, and the collections, and takes one of each collection that has one left, again and again.
func inTurn(list []planted) (turns []planted) {
	rng := rand.New(rand.NewPCG(1, 1))
	rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	round := map[string]int{}
	rounds := [][]planted{}
	for _, m := range list {
		n := round[m.name]
		round[m.name]++
		if n == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[n] = append(rounds[n], m)
	}
	return slices.Concat(rounds...)
}

// TestStudy_Mutants tries -runs mutants, 60 if it is not given, keeps what comes of each, and writes the page's section behind each: who ends it loses nothing.
func TestStudy_Mutants(t *testing.T) {
	if !level.All() || !flags.Update() {
		t.Skip("-level all -update tries mutants, and writes doc/study-schedules.jsonl: hours")
	}
	known := map[string]mutantRow{}
	for _, r := range keptRows(t) {
		known[fmt.Sprint(r.Collection, r.ID)] = r
	}
	list := plantedMutants(t)
	t.Logf("%d mutants", len(list))
	list = list[:min(flags.Runs(60), len(list))]
	dir := copied(t)
	for i := range list {
		m := &list[i]
		row, ok := known[fmt.Sprint(m.name, m.ID)]
		if !ok {
			row = mutantRow{m.name, m.ID, m.Operator, m.Func, map[string]spot{}}
		}
		missing := slices.DeleteFunc(slices.Clone(finders), func(by string) bool { _, ok := row.Found[by]; return ok })
		slices.Reverse(missing)
		if len(missing) == 0 {
			continue
		}
		back := mutated(t, dir, m)
		shared := &sharing{}
		for _, by := range missing {
			budget := mutantBudget
			if row.Found["search"].Status == string(verdict.Verified) {
				budget = verifiedBudget
			}
			row.Found[by] = look(dir, m.request, by, looking{shared, budget})
			t.Logf("%s %d by %s: %+v", m.name, m.ID, by, row.Found[by])
		}
		shared.close()
		back()
		known[fmt.Sprint(m.name, m.ID)] = row
		keepRows(t, list, known)
		writeMutants(t)
	}
	writeMutants(t)
}

// keepRows writes the rows of mutants that were tried.
func keepRows(t *testing.T, list []planted, known map[string]mutantRow) {
	t.Helper()
	var b strings.Builder
	for _, m := range list {
		if row, ok := known[fmt.Sprint(m.name, m.ID)]; ok {
			text, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s\n", text)
		}
	}
	write(t, mutantRows, b.String())
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

// copied is a module with the collections.
func copied(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module pangolin\n\ngo 1.26\n")
	for _, part := range []string{"collections", "mark"} {
		err := filepath.WalkDir(filepath.Join("../../..", part), func(path string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel("../../..", path)
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || filepath.Dir(name) == "collections" {
				return err
			}
			text, err := os.ReadFile(path)
			write(t, filepath.Join(dir, name), string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mutated plants the fault, until the function that it returns is called.
func mutated(t testing.TB, dir string, m *planted) (back func()) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(m.File))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, patched(t, string(text), m.Diff))
	return func() { write(t, file, string(text)) }
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
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

// looking is what a finder may use.
type looking struct {
	*sharing
	budget time.Duration // of processor time
}

// look has one of the finders look for a fault.
func look(dir string, r pangolin.Request, by string, with looking) (s spot) {
	r.Dir, r.Search.NoCache, r.Search.AsFound = dir, true, true
	r.Packages = []string{"./" + strings.TrimPrefix(r.Packages[0], "pangolin/")}
	open := with.open
	if by != "search" {
		r.Engine, r.Scope.Ways, r.Scope.Schedules = "schedules", by, mutantSchedules
	}
	if by == "stress" {
		open, r.Scope.Ways = newStressed, "random"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var build atomic.Int64 // nanoseconds of processors
	ready := make(chan bool, 1)
	defer schedules.RunWith(func(ctx context.Context, sub native.Subject) (schedules.Runner, error) {
		before := used()
		runner, err := open(context.WithoutCancel(ctx), sub)
		build.Add(int64(used() - before))
		select {
		case ready <- true:
		default:
		}
		return runner, err
	})()
	began := used()
	spent := func() time.Duration { return used() - began - time.Duration(build.Load()) }
	go func() {
		if by != "search" {
			select {
			case <-ready:
			case <-ctx.Done():
			}
		}
		for from := time.Now(); time.Since(from) < mutantTime && spent() < with.budget && ctx.Err() == nil; {
			time.Sleep(50 * time.Millisecond)
		}
		cancel()
	}()
	list, err := pangolin.Verify(ctx, r)
	s.CPU, s.Build = spent().Seconds(), time.Duration(build.Load()).Seconds()
	if with.budget < mutantBudget {
		s.Limit = with.budget.Seconds()
	}
	switch {
	case err != nil:
		s.Status = "error: " + err.Error()
	case len(list) != 1:
		s.Status = fmt.Sprintf("%d verdicts", len(list))
	default:
		v := list[0]
		if v.Sampled != nil {
			s.Executions = v.Sampled.Schedules
		}
		if s.Status = string(v.Status); v.Reason != "" {
			s.Status += ": " + v.Reason
		}
		if v.Violation != nil {
			s.Class, s.Status = v.Violation.Class, ""
		} else if v.Cause == verdict.Vacuous { // the constructor, or a call before the threads start, does not return
			s.Class, s.Status = "nontermination", ""
		}
	}
	s.Status = strings.ReplaceAll(s.Status, dir, "")
	return s
}

// used is the processor time of this process, of its children that have ended, and of those that run.
func used() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	processes, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range processes {
		stat, _ := os.ReadFile(file)
		_, rest, _ := strings.Cut(string(stat), ") ") // behind the name of the program
		if fields := strings.Fields(rest); len(fields) > 14 && fields[1] == strconv.Itoa(os.Getpid()) {
			for _, ticks := range fields[11:15] { // utime, stime, and those of its own children
				n, _ := strconv.Atoi(ticks)
				sum += time.Duration(n) * (time.Second / 100)
			}
		}
	}
	return sum
}

const mutantsTitle = "\n## Mutants\n"

// mutantsSection is the page's section about mutants.
func mutantsSection(rows []mutantRow) string {
	found, alone := map[string]int{}, map[string]int{}
	cpu, executions := map[string][]float64{}, map[string][]float64{}
	classes := map[string]map[string]int{}
	all, any, finds, late, unjudged, short, collections := 0, 0, 0, 0, 0, 0, map[string]bool{}
	for _, r := range rows {
		if strings.HasPrefix(r.Found["search"].Status, "error") { // it does not compile
			continue
		}
		all++
		collections[r.Collection] = true
		if strings.Contains(r.Found["stress"].Status, "needs the oracle of a kind") {
			unjudged++
		}
		if slices.ContainsFunc(finders, func(f string) bool { return r.Found[f].Limit > 0 }) {
			short++
		}
		var by []string
		for _, f := range finders {
			s := r.Found[f]
			if s.Class == "" {
				continue
			}
			by = append(by, f)
			finds++
			if s.CPU > cmp.Or(s.Limit, mutantBudget.Seconds())/2 {
				late++
			}
			found[f]++
			cpu[f], executions[f] = append(cpu[f], s.CPU), append(executions[f], float64(s.Executions))
			if classes[f] == nil {
				classes[f] = map[string]int{}
			}
			classes[f][s.Class]++
		}
		if len(by) > 0 {
			any++
		}
		if len(by) == 1 {
			alone[by[0]]++
		}
	}
	var b strings.Builder
	b.WriteString(mutantsTitle)
	fmt.Fprintf(&b, mutantsHead, all, len(collections), mutantBudget/time.Second, mutantSchedules, mutantTime/time.Second, short, verifiedBudget/time.Second, finds, late, unjudged, any, all)
	for _, f := range finders {
		count := fmt.Sprintf("%.0f", median(executions[f]))
		if f == "search" {
			count = "-"
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f | %s |", finderNames[f], found[f], alone[f], median(cpu[f]), count)
		for _, class := range mutantClasses {
			fmt.Fprintf(&b, " %d |", classes[f][class])
		}
		b.WriteString("\n")
	}
	missed(&b, rows)
	return b.String()
}

var finderNames = map[string]string{"stress": "go test -race, as it comes", "random": "random", "pct": "pct 3", "preempt": "preempt 2", "search": "our search"}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// missed lists what our search did not find and another one did.
func missed(b *strings.Builder, rows []mutantRow) {
	b.WriteString("\nWhat our search did not find and another one did:\n\n")
	none := true
	for _, r := range rows {
		var by []string
		for _, f := range finders {
			if s := r.Found[f]; s.Class != "" {
				by = append(by, fmt.Sprintf("%s by %s", s.Class, finderNames[f]))
			}
		}
		if s := r.Found["search"]; s.Class == "" && len(by) > 0 {
			none = false
			fmt.Fprintf(b, "* %s, mutant %d (%s in %s): %s; our search: %s\n", strings.TrimPrefix(r.Collection, "pangolin/collections/"), r.ID, r.Operator, r.Func, strings.Join(by, ", "), s.Status)
		}
	}
	if none {
		b.WriteString("none.\n")
	}
}

var mutantClasses = []string{"history", "race", "panic", "deadlock", "livelock", "nontermination", "infinite"}

const mutantsHead = `
Written by ` + "`go test ./internal/engine/schedules -run TestStudy_Mutants -level all -update -timeout 12h`" + `, which tries 60 mutants (-runs N: N), keeps each row in study-schedules.jsonl, and goes on where it has ended.

Of the faults that pangolin mutate plants in the correct linearizable collections (without roles) a sample is drawn: collections take turns, and each time one of its mutants is taken at random. It has %d mutants of
%d collections that compile. Each finder looks for each in configuration D, and may use %d s of processors: its own and those of what it executes, but for building that (one or two seconds). It also ends behind %d
executions, or %d s of the clock. Of %d mutants our search verified all that the others draw from before these looked: they had %d s each. A minute each, as one would take by hand, is an hour of processors for twelve mutants that nobody finds; of %d finds %d took more than half of the time that they had.

The stress test draws clients and judges histories, which the clock orders, as the others do, under go test -race on the runtime as it is. Executions in which all wait for each other, or that use a second of processors,
hang, and are found if the oracle says that somebody has to return. Of types that their own code judges (%d mutants) it judges nothing. Schedules cut an execution off behind 20,000 turns, and an endless call is found only if it comes back to a state.
%d of %d mutants are found by somebody. Most of the others change nothing that can be seen ([mutants.md](mutants.md) judges all mutants of each collection).

| who | found | alone | CPU-s until then, median | executions until then, median | history | race | panic | deadlock | livelock | nontermination | infinite |
|---|---|---|---|---|---|---|---|---|---|---|---|
`
