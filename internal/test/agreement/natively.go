// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"pangolin/internal/test/corpus"
)

// Natively are real runs of a program.
type Natively struct {
	Outcomes []corpus.Outcome // those that were seen
	Race     string           // what the race detector has reported in the last run, or ""
}

// endsWithin is how long one real run may take; what takes longer counts as not run.
const endsWithin = 5 * time.Second

// runNatively builds programs into one binary with the race detector, each with calls
// that yield at random before every statement, and runs each so many times. The programs
// share a binary, so their package initialisation must be harmless.
func runNatively(ctx context.Context, dir string, programs []Program, runs int) ([]Natively, error) {
	packages := map[string]string{"main": dispatcher(programs)}
	for _, p := range programs {
		text, err := corpus.Perturb(asPackage(p))
		if err != nil {
			return nil, err
		}
		packages[p.Name] = text
	}
	if err := writeModule(dir, packages); err != nil {
		return nil, err
	}
	for _, p := range programs {
		yielder := strings.Replace(corpus.YielderSource, "package main", "package "+p.Name, 1)
		if err := os.WriteFile(filepath.Join(dir, p.Name, "yielder.go"), []byte(yielder), 0o666); err != nil {
			return nil, err
		}
	}
	binary := filepath.Join(dir, "all")
	cmd := exec.CommandContext(ctx, "go", "build", "-race", "-o", binary, "./main")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %d programs: %w\n%s", len(programs), err, out)
	}
	list := make([]Natively, len(programs))
	for i, p := range programs {
		for n := range runs {
			if err := list[i].run(ctx, binary, p.Name, n); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			if list[i].Race != "" {
				break
			}
		}
		list[i].Outcomes = corpus.Distinct(list[i].Outcomes)
	}
	return list, nil
}

// run runs the program once.
func (l *Natively) run(ctx context.Context, binary, name string, n int) error {
	ctx, cancel := context.WithTimeout(ctx, endsWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, name)
	cmd.Env = append(os.Environ(), fmt.Sprint("GOMAXPROCS=", []int{1, 2, 4}[n%3]), "GOTRACEBACK=all",
		"GORACE=exitcode=66 atexit_sleep_ms=0")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	code, text := cmd.ProcessState.ExitCode(), stderr.String()
	race, rest := reports(text)
	var exit *exec.ExitError
	switch {
	case race:
		l.Race = text
		return nil
	case ctx.Err() != nil:
		return nil
	case err != nil && !errors.As(err, &exit):
		return err
	case code == 66:
		code = 0 // with which the detector says that it has reported what is no race here
	}
	l.Outcomes = append(l.Outcomes, corpus.NativeOutcome(unaddressed(stdout.String()), strings.ReplaceAll(rest, name+".", "main."), code))
	return nil
}

var (
	reported = regexp.MustCompile(`(?s)==================\nWARNING: DATA RACE\n.*?\n==================\n|Found \d+ data race\(s\)\n`)
	accesses = regexp.MustCompile(`(?m)^(?:Read|Write|Previous read|Previous write) at .*\n +(\S+)`)
)

// noRaces are pairs of accesses that the detector reports and that are no race: a send beside a close, and those that package sync makes up for the first Add to a WaitGroup beside a Wait.
var noRaces = [][]string{{"runtime.chansend()", "runtime.closechan()"}, {"runtime.raceread()", "runtime.racewrite()"}}

// reports says whether the race detector has reported a race in what a program has printed to stderr, and returns what it has printed besides. What is no race
// by the memory model, which the machine follows (doc/races.md), does not count.
func reports(stderr string) (race bool, rest string) {
	for _, r := range reported.FindAllString(stderr, -1) {
		var both []string
		for _, a := range accesses.FindAllStringSubmatch(r, -1) {
			both = append(both, a[1])
		}
		slices.Sort(both)
		if strings.Contains(r, "DATA RACE") && !slices.ContainsFunc(noRaces, func(pair []string) bool { return slices.Equal(both, pair) }) {
			race = true
		}
	}
	return race, reported.ReplaceAllString(stderr, "")
}

var (
	packageMain = regexp.MustCompile(`(?m)^package main$`)
	mainFunc    = regexp.MustCompile(`(?m)^func main\(\)`)
	mainAgain   = regexp.MustCompile(`\bgo main\(\)`)
)

// asPackage makes a program a package with a function Main.
func asPackage(p Program) string {
	text := mainFunc.ReplaceAllString(packageMain.ReplaceAllString(p.Source, "package "+p.Name), "func Main()")
	return mainAgain.ReplaceAllString(text, "go Main()")
}

// dispatcher is a package main that runs the program that its argument names.
func dispatcher(programs []Program) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"os\"\n")
	for _, p := range programs {
		fmt.Fprintf(&b, "\t%q\n", "generated/"+p.Name)
	}
	b.WriteString(")\n\nfunc main() {\n\tswitch os.Args[1] {\n")
	for _, p := range programs {
		fmt.Fprintf(&b, "\tcase %q:\n\t\t%s.Main()\n", p.Name, p.Name)
	}
	b.WriteString("\t}\n}\n")
	return b.String()
}

// Detector compares the machine's outcomes of programs with those of real runs under
// the race detector: what either shows must be among them. Programs in which the machine
// finds a race are not run: the detector could only agree.
func Detector(ctx context.Context, dir string, programs []Program, lim Limits, runs int) ([]Difference, *Tally, error) {
	tally := newTally()
	machine, found, err := machineOutcomes(ctx, dir, programs, lim, tally)
	if err != nil {
		return nil, nil, err
	}
	var free []Program
	for _, p := range programs {
		switch m := machine[p.Name]; {
		case m == nil:
		case racing(m.outcomes):
			tally.compared(p.Source)
		case strings.Contains(p.Source, "func init()"):
			tally.Left["real runs: package initialisation"]++
		default:
			tally.compared(p.Source)
			free = append(free, p)
		}
	}
	if len(free) == 0 {
		return found, tally, nil
	}
	real, err := runNatively(ctx, filepath.Join(dir, "real"), free, runs)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range free {
		text := ""
		if real[i].Race != "" {
			text = "  only natively: race\n" + real[i].Race
		}
		text += differ(machine[p.Name].outcomes, real[i].Outcomes, false)
		switch {
		case text == "":
		case real[i].Race == "" && knownReason(p.Source, machine[p.Name], &second{outcomes: real[i].Outcomes}) != "":
			tally.Left["known: "+knownReason(p.Source, machine[p.Name], &second{outcomes: real[i].Outcomes})]++
		default:
			found = append(found, Difference{p.Name, "-race", p.Source, text})
		}
	}
	return found, tally, nil
}
