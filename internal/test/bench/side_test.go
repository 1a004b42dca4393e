// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/flags"
)

// Two builds are timed side by side, in turn, on the same questions.

var (
	plain = flag.Bool("plain", false, "the comparison runs SPIN without -DCOLLAPSE as well (several GiB)")
)

// figures are what one run of one side was measured to take.
type figures struct {
	States, Transitions uint64
	Seconds             float64 // of processor time, of the search alone
	Ready               float64 // of processor time, before the search: load and compile
	MiB                 float64 // of states: store, stacks
	Resident            float64 // the process's maximum, MiB
}

// TestSideBySide runs SPIN and Pangolin in turn on the four structures, three threads
// with two calls each, and writes the medians into doc/benchmarks.md.
func TestSideBySide(t *testing.T) {
	if !flags.Update() {
		t.Skip("takes minutes, and writes a page: -update")
	}
	if _, err := exec.LookPath("spin"); err != nil {
		t.Skip("SPIN is not installed (apt-get install spin)")
	}
	var rows []string
	for _, name := range []string{"treiber", "msq", "harris", "lazy"} {
		if flags.Only(name) {
			rows = append(rows, compare(t, name)...)
		}
	}
	raw := []string{rawRow(t, "treiber", "treiber"), rawRow(t, "msqueue", "msq")}
	if err := replaceSection(filepath.Join("..", "..", "..", "doc", "benchmarks.md"), "side by side", page(t, rows, raw)); err != nil {
		t.Fatal(err)
	}
}

// side is a way to verify one structure.
type side struct {
	name string
	run  func() figures
}

func compare(t *testing.T, name string) []string {
	sides := []side{{"SPIN -DCOLLAPSE", spin(t, name, "-DCOLLAPSE")}}
	if *plain {
		sides = append(sides, side{"SPIN", spin(t, name)})
	}
	sides = append(sides, side{"Pangolin", pangolin(t, "verify:"+name)})
	all := make([][]figures, len(sides))
	for range flags.Runs(3) {
		for i, s := range sides {
			f := s.run()
			all[i] = append(all[i], f)
			t.Logf("%s: %s: %+v", name, s.name, f)
		}
	}
	ours := median(all[len(all)-1])
	var rows []string
	for i, s := range sides {
		f := median(all[i])
		rows = append(rows, fmt.Sprintf("| %s | %s | %d | %.2f | %.1f | %.0f | %.0f | %.1f | %.1f |", name, s.name, f.States, f.Seconds, f.Ready,
			f.MiB, f.Resident, f.Seconds/ours.Seconds, f.MiB/ours.MiB))
	}
	return rows
}

// rawRow compares what both do in a second without reductions that matter.
func rawRow(t *testing.T, program, model string) string {
	ours, theirs := pangolin(t, "raw:"+program)(), spin(t, model, "-DCOLLAPSE")()
	rate := func(f figures) float64 { return float64(f.Transitions) / f.Seconds / 1e6 }
	bytes := func(f figures) float64 { return f.MiB * (1 << 20) / float64(f.States) }
	return fmt.Sprintf("| %s | %d | %.2f | %.1f | %d | %.2f | %.1f | %.1f |", model, ours.States, rate(ours), bytes(ours),
		theirs.States, rate(theirs), bytes(theirs), rate(theirs)/rate(ours))
}

// median takes the run with the median time.
func median(list []figures) figures {
	list = slices.SortedFunc(slices.Values(list), func(a, b figures) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return list[len(list)/2]
}

// spin compiles a model and gives a function that runs it.
func spin(t *testing.T, model string, flags ...string) func() figures {
	dir := t.TempDir()
	from, err := filepath.Abs(filepath.Join("testdata", "spin"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	_, generate, _ := timed(t, dir, "spin", "-a", "-DN=3", "-DM=2", "-DV=2", model+".pml")
	_, compile, _ := timed(t, dir, "gcc", slices.Concat([]string{"-O2", "-DSAFETY"}, flags, []string{"-o", "pan", "pan.c"})...)
	return func() figures {
		out, used, resident := timed(t, dir, filepath.Join(dir, "pan"), "-m1000000", "-w25")
		number := func(text string) float64 {
			m := regexp.MustCompile(`(?m)^\s*([0-9.e+]+)\s+` + text).FindSubmatch(out)
			if m == nil {
				return math.NaN()
			}
			x, _ := strconv.ParseFloat(string(m[1]), 64)
			return x
		}
		if !strings.Contains(string(out), "errors: 0") {
			t.Fatalf("%s: SPIN did not verify it:\n%s", model, out)
		}
		mib := number("actual memory usage for states")
		if math.IsNaN(mib) { // nothing was saved by compression
			mib = number("equivalent memory usage for states")
		}
		return figures{uint64(number("states, stored")), uint64(number("transitions")), used.Seconds(), (generate + compile).Seconds(), mib, resident}
	}
}

// pangolin gives a function that measures in a process of its own.
func pangolin(t *testing.T, what string) func() figures {
	return func() figures {
		t.Setenv(measured, what)
		out, _, resident := timed(t, "", os.Args[0], "-test.run=^TestChild$")
		_, text, _ := strings.Cut(string(out), "figures: ")
		text, _, _ = strings.Cut(text, "\n")
		f := figures{}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		f.Resident = resident
		return f
	}
}

// measured is the variable of the environment that says what TestChild measures.
const measured = "PANGOLIN_MEASURED"

// TestChild is a process of its own of TestSideBySide.
func TestChild(t *testing.T) {
	kind, name, ok := strings.Cut(os.Getenv(measured), ":")
	if !ok {
		t.Skip("a part of TestSideBySide")
	}
	var f figures
	if kind == "raw" {
		f = measureRaw(t, name)
	} else {
		f = measureVerify(t, structureNamed(t, name))
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("figures: %s\n", text)
}

func measureVerify(t *testing.T, s structure) figures {
	before := cpu(t)
	sub := s.subject(t)
	ready := cpu(t)
	r := verify(t, sub, linear(perThread(t, s.kind, 3, 2)))
	return figures{States: r.States, Transitions: r.Transitions, Seconds: (cpu(t) - ready).Seconds(), Ready: (ready - before).Seconds(),
		MiB: float64(r.PeakBytes) / (1 << 20)}
}

func measureRaw(t *testing.T, name string) figures {
	before := cpu(t)
	prog := loadProgram(t, name)
	ready := cpu(t)
	var peak int64
	r, err := outcomes.Explore(context.Background(), prog, prog.Roots[0], rawOptions(&peak))
	if err != nil || !r.Complete {
		t.Fatal(err, r)
	}
	return figures{States: r.States, Transitions: r.Transitions, Seconds: (cpu(t) - ready).Seconds(), Ready: (ready - before).Seconds(),
		MiB: float64(peak) / (1 << 20)}
}

func page(t *testing.T, rows, raw []string) string {
	out, _, _ := timed(t, "", "spin", "-V")
	return fmt.Sprintf(`Taken on %s: %s, %d cores shared with others, %s, %s; medians of %d runs, SPIN and Pangolin in turn.
Seconds are processor time (user and system, the garbage collector's included).

3 threads x 2 calls; SPIN with V=2, N=3, M=2, pan compiled with -O2 -DSAFETY (its partial order reduction is on) and run with
-m1000000 -w25.

| structure | | states | CPU-s | CPU-s to get ready | MiB of states | MiB resident | time / Pangolin's | states' memory / Pangolin's |
|---|---|---|---|---|---|---|---|---|
%s

The machine alone (whole programs, no reduction, no oracle, no search for cycles) and SPIN (-DCOLLAPSE):

| structure | states | M transitions / CPU-s | B/state | SPIN: states | M transitions / CPU-s | B/state | SPIN's rate / ours |
|---|---|---|---|---|---|---|---|
%s
`, time.Now().UTC().Format(time.DateOnly), processor(), runtime.NumCPU(), runtime.Version(), strings.TrimSpace(string(out)), flags.Runs(3),
		strings.Join(rows, "\n"), strings.Join(raw, "\n"))
}

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	if m := regexp.MustCompile(`(?m)^model name\s*:\s*(.*)$`).FindSubmatch(info); m != nil {
		return string(m[1])
	}
	return runtime.GOARCH
}

// replaceSection replaces what stands between the marks of a generated section.
func replaceSection(file, name, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, found := strings.Cut(rest, end)
	if !ok || !found {
		return fmt.Errorf("%s has no section %q", file, name)
	}
	return os.WriteFile(file, []byte(before+begin+"\n"+text+"\n"+end+after), 0o644)
}
