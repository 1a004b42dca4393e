// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// Operations that order, or tell without ordering, as races show: corpus.Tellings.

// TestExplore_RacesAreWhatNothingOrders has a race where one half tells the other without
// ordering it, and none where it orders it.
func TestExplore_RacesAreWhatNothingOrders(t *testing.T) {
	var programs []corpus.Program
	for _, a := range corpus.Tellings() {
		programs = append(programs, corpus.Program{Source: a.Source()})
	}
	loads := together(t, programs)
	for i, a := range corpus.Tellings() {
		t.Run(a.Name, func(t *testing.T) {
			prog, err := loads[i]()
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range []vm.Reductions{vm.AllReductions, 0} {
				if got := races(t, prog, set); got != a.Race {
					t.Errorf("a race with %v: %v, want %v\n%s", set, got, a.Race, programs[i].Source)
				}
			}
			// Each is confirmed by executing it again, with clocks of its own.
			if a.Race {
				if _, err := explore(prog, outcomes.Options{Reductions: vm.AllReductions, Schedules: true}); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestExplore_KnowsWhatTells has the same races where nothing but the two halves tells.
func TestExplore_KnowsWhatTells(t *testing.T) {
	tellsAll(t, func(a *corpus.Told) string { return a.Untold() })
}

// TestExplore_KnowsWhatTellsOfWhatIsLocal has the same races where nobody else can reach a channel or a lock any more when it tells.
func TestExplore_KnowsWhatTellsOfWhatIsLocal(t *testing.T) {
	tellsAll(t, func(a *corpus.Told) string { return a.Local() })
}

func tellsAll(t *testing.T, source func(*corpus.Told) string) {
	t.Helper()
	var programs []corpus.Program
	for _, a := range corpus.Tellings() {
		programs = append(programs, corpus.Program{Source: source(&a)})
	}
	loads := together(t, programs)
	for i, a := range corpus.Tellings() {
		prog, err := loads[i]()
		if err != nil {
			t.Fatal(err)
		}
		if got := races(t, prog, vm.AllReductions); got != a.Race {
			t.Errorf("%s: a race: %v, want %v\n%s", a.Name, got, a.Race, programs[i].Source)
		}
	}
}

// judgedOtherwise are the rows in which the race detector says something else than the memory model: what it reports, or does not.
var judgedOtherwise = map[string]string{
	"Cond, by the signal alone":              "has no edge of a Cond",
	"Cond, by a broadcast alone":             "has no edge of a Cond",
	"send on a closed channel, then receive": "reports the send and the close",
}

// TestTold_AsTheRaceDetectorSaysIt runs each program of the table under the race detector, all in one binary. The second half
// waits, so that there is one order in which they run.
func TestTold_AsTheRaceDetectorSaysIt(t *testing.T) {
	if !level.More() {
		t.Skip("-level more lets the race detector judge: needs cgo and a minute")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module judged\n\ngo 1.26\n")
	imports, calls := "", ""
	for i, a := range corpus.Tellings() {
		if !strings.Contains(a.Imports, `"time"`) {
			a.Imports = strings.TrimPrefix(a.Imports+"; \"time\"", "; ")
		}
		if strings.Contains(a.Other, "v.Wait") { // which has to come first
			a.One = "time.Sleep(20 * time.Millisecond); " + a.One
		} else {
			a.Other = "time.Sleep(20 * time.Millisecond); " + a.Other
		}
		src := strings.Replace(a.Source(), "package main", fmt.Sprint("package p", i), 1)
		write(fmt.Sprintf("p%d/p.go", i), strings.Replace(src, "func main()", "func Main()", 1))
		imports += fmt.Sprintf("\t\"judged/p%d\"\n", i)
		calls += fmt.Sprintf("\tcase \"%d\":\n\t\tp%d.Main()\n", i, i)
	}
	write("main.go", "package main\n\nimport (\n\t\"os\"\n"+imports+")\n\nfunc main() {\n\tswitch os.Args[1] {\n"+calls+"\t}\n}\n")
	build := exec.Command("go", "build", "-race", "-o", "judged", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, a := range corpus.Tellings() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		out, _ := exec.CommandContext(ctx, filepath.Join(dir, "judged"), fmt.Sprint(i)).CombinedOutput()
		cancel()
		_, otherwise := judgedOtherwise[a.Name]
		if got := strings.Contains(string(out), "DATA RACE"); got != (a.Race != otherwise) {
			t.Errorf("%s: the race detector says %v\n%s", a.Name, got, out)
		}
	}
}
