// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// Programs with declared outcomes, and random sequential ones, have the outcomes that Go gives them.

const (
	moduleRoot  = "../../.."
	fidelityDir = "../../test/corpus"
)

// variant is one way to explore that must find the same outcomes as any other.
type variant struct {
	name string
	opt  outcomes.Options
}

func variants() []variant {
	one := func(set vm.Reductions) outcomes.Options { return outcomes.Options{Reductions: set} }
	list := []variant{
		{"all reductions", one(vm.AllReductions)},
		{"two workers", outcomes.Options{Reductions: vm.AllReductions, Workers: 2}},
		{"no reduction", one(0)},
	}
	if level.More() {
		list = append(list, variant{"all reductions again", one(vm.AllReductions)}, variant{"only fusing", one(vm.Fusing)},
			variant{"only frozen", one(vm.FrozenReads)}, variant{"only symmetry", one(vm.Symmetry)},
			variant{"no reduction, two workers", outcomes.Options{Workers: 2}})
	}
	return list
}

// maxStates bounds a variant; what it does not complete is left out of comparisons.
const maxStates = 300_000

func load(file string) (*ir.Program, error) {
	return front.Load(front.Share(context.Background()), front.Request{Patterns: []string{file}, Roots: []string{"main"}})
}

// together lists programs with one call of the go command, those that need this module apart, and
// gives for each what loads it.
func together(t *testing.T, programs []corpus.Program) (loads []func() (*ir.Program, error)) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module corpus\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		p.Name = fmt.Sprint("p", i)
		if _, err := p.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	shared := front.Share(context.Background())
	list, err := front.List(shared, dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]*front.Listed{}
	for _, l := range list {
		listed[l.Path] = l
	}
	for i, p := range programs {
		loads = append(loads, func() (*ir.Program, error) {
			if strings.Contains(p.Source, "\"pangolin/") {
				return load(p.File)
			}
			return listed[fmt.Sprint("corpus/p", i)].Load(shared, front.Request{Roots: []string{"main"}})
		})
	}
	return loads
}

func explore(prog *ir.Program, opt outcomes.Options) (*outcomes.Report, error) {
	opt.MaxStates = maxStates
	return outcomes.Explore(context.Background(), prog, prog.Roots[0], opt)
}

// text lists outcomes so that any difference shows; schedules are left out.
func text(list []outcomes.Outcome) string {
	var b strings.Builder
	for _, o := range list {
		o.Schedule = nil
		fmt.Fprintf(&b, "%+v\n", o)
	}
	return b.String()
}

// agree explores a program in every way and compares the outcomes.
func agree(t *testing.T, prog *ir.Program) *outcomes.Report {
	t.Helper()
	var first *outcomes.Report
	for _, v := range variants() {
		r, err := explore(prog, v.opt)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		switch {
		case first == nil:
			first = r
		case !r.Complete || !first.Complete:
			t.Logf("%s: not compared, %s", v.name, r.Limit)
		case text(r.Outcomes) != text(first.Outcomes):
			t.Errorf("%s: the outcomes differ\n%swith all reductions:\n%s", v.name, text(r.Outcomes), text(first.Outcomes))
		}
	}
	return first
}

// scheduled checks that every outcome has a schedule, which Explore has then executed
// without reductions.
func scheduled(t *testing.T, prog *ir.Program) {
	t.Helper()
	for _, set := range []vm.Reductions{vm.AllReductions, 0} {
		r, err := explore(prog, outcomes.Options{Reductions: set, Schedules: true})
		if err != nil {
			t.Error(err)
			return
		}
		for _, o := range r.Outcomes {
			if o.Schedule == nil && r.Complete {
				t.Errorf("no schedule for %+v", o)
			}
		}
	}
}

var (
	signalLine = regexp.MustCompile(`(?m)^\[signal .*\]\n?`)
	address    = regexp.MustCompile(`\b0x[0-9a-f]+\b`)
)

// convert gives an outcome the form that package corpus compares.
func convert(o *outcomes.Outcome) corpus.Outcome {
	f := corpus.Outcome{Stdout: o.Stdout, Stderr: o.Stderr, Exit: o.Exit, Deadlock: o.Kind == outcomes.Deadlock,
		Race: o.Kind == outcomes.Race, Endless: o.Kind == outcomes.Endless}
	switch o.Kind {
	case outcomes.Panicked:
		f.Panic = strings.TrimSpace(address.ReplaceAllString(signalLine.ReplaceAllString(o.Panic, ""), "0x?"))
	case outcomes.Deadlock:
		f.Waits = append([]string{}, o.Waits...)
	}
	return f
}

func convertAll(r *outcomes.Report) []corpus.Outcome {
	var list []corpus.Outcome
	for i := range r.Outcomes {
		list = append(list, convert(&r.Outcomes[i]))
	}
	return corpus.Distinct(list)
}

// native runs programs as the go command builds them.
func native(t *testing.T, programs []corpus.Program, runs int, plain bool) [][]corpus.Outcome {
	t.Helper()
	list, err := corpus.RunNative(programs, corpus.NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: runs,
		Timeout: 5e9, NoPerturb: plain})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestExplore_GivesTheCorpusItsDeclaredOutcomes(t *testing.T) {
	programs := chosen(t)
	real := make([][]corpus.Outcome, len(programs))
	if runs := flags.Runs(0); runs > 0 {
		real = native(t, programs, runs, false)
	}
	loads := together(t, programs)
	for i, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			if !flags.Chosen() && flags.Runs(0) == 0 && level.OutOf(i, 24, 5) {
				t.Skip("some programs will do; -level more explores all")
			}
			t.Parallel()
			prog, err := loads[i]()
			if err != nil {
				t.Fatal(err)
			}
			r := agree(t, prog)
			if r.Fault != nil {
				t.Fatal(r.Fault)
			}
			if !r.Complete {
				t.Fatal(r.Limit)
			}
			if report := corpus.Compare(p, real[i], convertAll(r)); !report.OK() {
				t.Errorf("%s", report)
			}
			scheduled(t, prog)
		})
	}
}

func chosen(t *testing.T) []corpus.Program {
	t.Helper()
	all, err := corpus.Programs(fidelityDir)
	if err != nil {
		t.Fatal(err)
	}
	var programs []corpus.Program
	for _, p := range all {
		if flags.Only(p.Name) {
			programs = append(programs, p)
		}
	}
	return programs
}

// writeProgram puts a generated program into a file.
func writeProgram(t *testing.T, p corpus.Program) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(p.Source), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// count is how many generated programs are compared: so many with -level more.
func count(many int) int {
	if level.More() {
		return flags.Programs(many)
	}
	return flags.Programs(max(1, many/4))
}

// randomSequential is a generated program of one goroutine.
func randomSequential(seed uint64) corpus.Program {
	return corpus.Program{Name: fmt.Sprintf("sequential%06d", seed), Source: generator.Sequential(seed)}
}

func TestMachine_PrintsWhatRandomSequentialProgramsPrintNatively(t *testing.T) {
	level.SkipShort(t, "compiles random programs natively")
	var programs []corpus.Program
	for i := range count(12) {
		programs = append(programs, randomSequential(flags.Seed()+uint64(i)))
	}
	printAlike(t, programs, func(t *testing.T, got, real corpus.Outcome) {
		if got.String() != real.String() {
			t.Errorf("%s\nnatively\n%s", firstDifference(got.Stdout, real.Stdout), real.Panic)
		}
	})
}

// printAlike executes one schedule of each program, here and natively, and compares.
func printAlike(t *testing.T, programs []corpus.Program, compare func(t *testing.T, got, real corpus.Outcome)) {
	t.Helper()
	real := native(t, programs, 1, true)
	for i, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			prog, err := load(writeProgram(t, p))
			if err != nil {
				t.Fatal(err)
			}
			got, err := runOnce(prog)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, got, real[i][0])
		})
	}
}

// FuzzMachine compares front end and machine with real runs of random sequential
// programs: go test -fuzz FuzzMachine ./internal/engine/outcomes.
func FuzzMachine(f *testing.F) {
	level.SkipShort(f, "compiles a program natively")
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := randomSequential(seed)
		real := native(t, []corpus.Program{p}, 1, true)
		prog, err := load(writeProgram(t, p))
		if err != nil {
			t.Fatal(err)
		}
		got, err := runOnce(prog)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != real[0][0].String() {
			t.Errorf("seed %d: %s", seed, firstDifference(got.Stdout, real[0][0].Stdout))
		}
	})
}

// FuzzExplore does the same with random concurrent programs: whatever happens natively
// must be among the outcomes. go test -fuzz FuzzExplore ./internal/engine/outcomes.
func FuzzExplore(f *testing.F) {
	level.SkipShort(f, "compiles a program natively")
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := corpus.Program{Name: "random", Source: generator.Program(seed), Expect: corpus.Expectation{MayRace: true}}
		real := native(t, []corpus.Program{p}, 10, false)
		prog, err := load(writeProgram(t, p))
		if err != nil {
			t.Fatal(err)
		}
		r := agree(t, prog)
		if r.Fault != nil || !r.Complete {
			t.Skip(r.Limit)
		}
		if report := corpus.Compare(p, real[0], convertAll(r)); !report.OK() {
			t.Errorf("seed %d: %s", seed, report)
		}
	})
}

// runOnce executes one schedule.
func runOnce(prog *ir.Program) (corpus.Outcome, error) {
	img, err := vm.NewImage(prog)
	if err != nil {
		return corpus.Outcome{}, err
	}
	m := img.NewMachine(vm.Options{OutputBytes: 1 << 24})
	m.Start(prog.Roots[0])
	if !m.Run(nil, 1_000_000_000) {
		return corpus.Outcome{}, errors.New("the program does not end")
	}
	if m.Fault() != nil {
		return corpus.Outcome{}, m.Fault()
	}
	o := outcomes.Outcome{Kind: outcomes.Exited, Exit: m.Ended().Code, Panic: m.Text(m.Ended().Text)}
	if o.Panic != "" {
		o.Kind = outcomes.Panicked
	}
	o.Stdout, o.Stderr = m.Printed()
	return convert(&o), nil
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, at(g, i), at(w, i))
		}
	}
	return "the outputs are equal"
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

func TestMachine_EvaluatesInTheOrderOfTheCompiler(t *testing.T) {
	level.SkipShort(t, "compiles generated programs natively")
	programs := corpus.EvaluationOrder()
	if flags.Programs(0) == 0 { // each takes seconds
		programs = slices.DeleteFunc(programs, func(p corpus.Program) bool { return p.Name[len(p.Name)-1]%4 != 1 })
		programs = programs[:count(len(programs))]
	}
	printAlike(t, programs, func(t *testing.T, got, real corpus.Outcome) {
		want, have := strings.Split(real.Stdout, "\n"), strings.Split(got.Stdout, "\n")
		for j := range max(len(want), len(have)) {
			if j >= len(want) || j >= len(have) || want[j] != have[j] {
				t.Errorf("natively  %s\nhere      %s", line(want, j), line(have, j))
			}
		}
	})
}

func line(list []string, i int) string {
	if i >= len(list) {
		return "(nothing)"
	}
	return list[i]
}
