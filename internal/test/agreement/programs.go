// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/engine/outcomes"
	"pangolin/internal/front"
	"pangolin/internal/ir"
	"pangolin/internal/native"
	"pangolin/internal/test/corpus"
	"pangolin/internal/vm"
)

// Program is a program to compare.
type Program struct {
	Name   string // a name for a directory
	Source string // of its one file
}

// Limits bound the work on one text; what exceeds one is left out of the comparison.
type Limits struct {
	States    uint64 // of the machine, for each way of searching
	Schedules int    // of the second opinion
}

// variants are the sets of reductions that must find the same outcomes: all, none, and
// each alone.
func variants(applicable vm.Reductions) []vm.Reductions {
	list := []vm.Reductions{applicable, 0}
	for bit := vm.Reductions(1); bit != 0; bit <<= 1 {
		if applicable&bit != 0 {
			list = append(list, bit)
		}
	}
	return list
}

// Programs compares the machine's outcomes of programs with the second opinion's, and
// those of each reduction alone and of none.
func Programs(ctx context.Context, dir string, programs []Program, lim Limits) ([]Difference, *Tally, error) {
	tally := newTally()
	machine, found, err := machineOutcomes(ctx, dir, programs, lim, tally)
	if err != nil {
		return nil, nil, err
	}
	var batch []native.Program
	for _, p := range programs {
		if machine[p.Name] != nil {
			batch = append(batch, native.Program{Name: p.Name, Files: map[string]string{p.Name + ".go": p.Source}})
		}
	}
	reports, err := native.Outcomes(ctx, batch, native.Options{Schedules: lim.Schedules})
	if err != nil {
		return nil, nil, err
	}
	for i, r := range reports {
		switch {
		case unrepeatable(r.Fault) && tears(batch[i].Files[batch[i].Name+".go"], machine[batch[i].Name].races):
			tally.Left[torn]++
			continue
		case unrepeatable(r.Fault):
			found = append(found, Difference{batch[i].Name, "the second opinion's next execution", batch[i].Files[batch[i].Name+".go"], "  " + r.Fault + "\n"})
			continue
		case r.Fault != "":
			tally.Left["second opinion: "+firstLine(r.Fault)]++
			continue
		case r.TooBig != "":
			tally.Left["second opinion: "+r.TooBig]++ // what it has seen is compared all the same
		default:
			tally.compared(batch[i].Files[batch[i].Name+".go"])
		}
		p := Program{batch[i].Name, batch[i].Files[batch[i].Name+".go"]}
		other := nativeOutcomes(r)
		other.complete = other.complete && !isOpen(p.Source)
		text := differ(machine[p.Name].outcomes, other.outcomes, other.complete)
		if text == "" {
			continue
		}
		if reason := knownReason(p.Source, machine[p.Name], other); reason != "" {
			tally.Left["known: "+reason]++
			continue
		}
		found = append(found, Difference{p.Name, "native", p.Source, text})
	}
	return found, tally, nil
}

// unrepeatable says that the second opinion has lost its way, which is its own fault.
func unrepeatable(fault string) bool { return strings.HasPrefix(fault, "turn: ") }

// said is what the machine says of a program.
type said struct {
	outcomes []corpus.Outcome
	races    [][2]int // lines of both sides of each race
}

// machineOutcomes gives what the machine finds, by name, with all reductions; nil if
// that is left out. The differences are those among its own ways of searching. Whoever is
// asked besides it is compiled with instrumentation, so the machine evaluates in that order.
func machineOutcomes(ctx context.Context, dir string, programs []Program, lim Limits, tally *Tally) (map[string]*said, []Difference, error) {
	texts := map[string]string{}
	for _, p := range programs {
		texts[p.Name] = p.Source
	}
	if err := writeModule(dir, texts); err != nil {
		return nil, nil, err
	}
	listed, err := front.List(ctx, dir, []string{"./..."})
	if err != nil {
		return nil, nil, err
	}
	all := map[string]*said{}
	var found []Difference
	for _, l := range listed {
		name := path.Base(l.Path)
		outcomes, diff, err := oneMachine(ctx, l, lim, tally)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w\n%s", name, err, texts[name])
		}
		for i := range diff {
			diff[i].Name, diff[i].Source = name, texts[name]
		}
		found = append(found, diff...)
		all[name] = outcomes
	}
	return all, found, nil
}

// oneMachine explores one program in every way.
func oneMachine(ctx context.Context, l *front.Listed, lim Limits, tally *Tally) (*said, []Difference, error) {
	prog, err := l.Load(front.Instrumented(ctx), front.Request{Roots: []string{"main"}})
	if err != nil {
		return nil, nil, err
	}
	var first *outcomes.Report
	var found []Difference
	for _, set := range variants(outcomes.Applicable) {
		r, err := exploreGuarded(ctx, prog, outcomes.Options{Reductions: set, MaxStates: lim.States})
		switch {
		case err != nil:
			tally.Failed++
			found = append(found, Difference{Between: set.String(), Text: err.Error()})
			continue
		case r.Fault != nil:
			tally.Left["machine: "+firstLine(r.Fault.Error())]++
			return nil, found, nil
		case !r.Complete:
			tally.Left["machine, "+set.String()+": "+r.Limit]++
			if first == nil {
				return nil, found, nil
			}
			continue
		case first == nil:
			first = r
			continue
		}
		if !slices.Equal(racesOf(first), racesOf(r)) {
			tally.Kinds["races, each way of searching with some of its own"]++
		}
		if a, b := described(first), described(r); a != b {
			found = append(found, Difference{Between: set.String(), Text: "all reductions:\n" + a + "with " + set.String() + ":\n" + b})
		}
	}
	if first == nil {
		return nil, found, nil
	}
	for kind := range kinds(first) {
		tally.Kinds[kind]++
	}
	return &said{converted(first), raceLines(first)}, found, nil
}

// exploreGuarded is outcomes.Explore; a panic of the tool is a failure.
func exploreGuarded(ctx context.Context, prog *ir.Program, opt outcomes.Options) (r *outcomes.Report, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = engine.Recovered(e)
		}
	}()
	return outcomes.Explore(ctx, prog, prog.Roots[0], opt)
}

// racesOf lists the races of a report. Whether there is one is the same in each way of searching. Which ones need not be: a search
// that meets an operation which tells without ordering looks for races that show in no state, and finds more; and without
// reductions it may meet one that cannot matter.
func racesOf(r *outcomes.Report) (list []string) {
	for _, o := range r.Outcomes {
		if o.Kind == outcomes.Race {
			list = append(list, fmt.Sprint(o.Accesses))
		}
	}
	slices.Sort(list)
	return list
}

// described lists a report's outcomes so that any difference shows, but which races there are.
func described(r *outcomes.Report) string {
	var lines []string
	for _, o := range r.Outcomes {
		o.Schedule = nil
		if o.Kind == outcomes.Race {
			o = outcomes.Outcome{Kind: o.Kind}
		}
		lines = append(lines, unaddressed(fmt.Sprintf("  %+v\n", o))) // two may differ in addresses alone
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "")
}

func kinds(r *outcomes.Report) map[string]bool {
	names := map[outcomes.Kind]string{outcomes.Exited: "exit", outcomes.Panicked: "panic", outcomes.Deadlock: "deadlock",
		outcomes.Endless: "endless", outcomes.Race: "race"}
	set := map[string]bool{}
	for _, o := range r.Outcomes {
		set[names[o.Kind]] = true
	}
	if len(r.Outcomes) > 1 {
		set["several outcomes"] = true
	}
	return set
}

var (
	signalLine = regexp.MustCompile(`(?m)^\[signal .*\]\n?`)
	address    = regexp.MustCompile(`\b0x[0-9a-f]+\b`)
)

// panicText is a panic's report without what no two runs share.
func panicText(text string) string {
	return strings.TrimSpace(unaddressed(signalLine.ReplaceAllString(text, "")))
}

// unaddressed is a text without its addresses, which no two runs share.
func unaddressed(text string) string { return address.ReplaceAllString(text, "0x?") }

// converted gives a report's outcomes the form in which they are compared.
func converted(r *outcomes.Report) []corpus.Outcome {
	var list []corpus.Outcome
	for _, o := range r.Outcomes {
		f := corpus.Outcome{Stdout: unaddressed(o.Stdout), Stderr: unaddressed(o.Stderr), Exit: o.Exit, Deadlock: o.Kind == outcomes.Deadlock,
			Race: o.Kind == outcomes.Race, Endless: o.Kind == outcomes.Endless}
		switch o.Kind {
		case outcomes.Panicked:
			f.Panic = panicText(o.Panic)
		case outcomes.Deadlock:
			f.Waits = slices.Clone(o.Waits)
		}
		list = append(list, f)
	}
	return corpus.Distinct(list)
}

func raceLines(r *outcomes.Report) [][2]int {
	var list [][2]int
	for _, o := range r.Outcomes {
		if len(o.Accesses) == 2 {
			list = append(list, [2]int{o.Accesses[0].Line, o.Accesses[1].Line})
		}
	}
	return list
}

func nativeOutcomes(r native.Report) *second {
	s := &second{complete: r.TooBig == ""}
	for _, o := range r.Outcomes {
		f := corpus.Outcome{Stdout: unaddressed(o.Stdout), Stderr: unaddressed(o.Stderr), Exit: o.Exit, Deadlock: o.Kind == native.Deadlock,
			Race: o.Kind == native.Race, Endless: o.Kind == native.Endless}
		switch o.Kind {
		case native.Panic:
			f.Panic = panicText(o.Panic)
			f.Exit = 2
		case native.Deadlock:
			f.Waits = slices.Clone(o.Waits)
			f.Exit = 2
		}
		s.outcomes = append(s.outcomes, f)
		if o.Free {
			s.free = append(s.free, f)
		}
	}
	s.outcomes = corpus.Distinct(s.outcomes)
	return s
}

// differ says what one side has and the other has not; if the second opinion is not
// complete, only what it has counts.
func differ(machine, native []corpus.Outcome, complete bool) string {
	var b strings.Builder
	m, n := keys(machine), keys(native)
	for _, k := range n {
		if !slices.Contains(m, k) {
			fmt.Fprintf(&b, "  only natively:   %s\n", k)
		}
	}
	for _, k := range m {
		if complete && !slices.Contains(n, k) {
			fmt.Fprintf(&b, "  only the machine: %s\n", k)
		}
	}
	return b.String()
}

func racing(list []corpus.Outcome) bool {
	return slices.ContainsFunc(list, func(o corpus.Outcome) bool { return o.Race })
}

// race is the text of all races.
const race = "race"

// keys are the outcomes as text; a race is one, whatever happens before and after.
func keys(list []corpus.Outcome) []string {
	var out []string
	for _, o := range list {
		k := o.String()
		if o.Race {
			k = race
		}
		if o.Deadlock {
			k += " waits " + strings.Join(o.Waits, ", ")
		}
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
