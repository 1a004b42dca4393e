// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pangolin/internal/native"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// Faults that are planted in the machine, the compiler and the search: which of them the comparisons find.

var (
	reference = flag.String("reference", "", "a file with what the second opinion says; with -plant it is written unless it is there")
)

const root = "../../.."

// withFaults is the source in which faults are planted, and the faults.
func withFaults(t *testing.T) (planting.Sources, []planting.Fault) {
	t.Helper()
	texts := planting.Sources{}
	for _, dir := range []string{"internal", "oracle"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				strings.Contains(name, "testdata") || strings.Contains(name, "native") || strings.Contains(name, "prelude") {
				return err
			}
			text, err := os.ReadFile(name)
			texts[name] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var list []planting.Fault
	for _, f := range faults {
		list = append(list, planting.Fault{Name: f.name, Old: f.old, New: f.new})
	}
	return texts, list
}

// TestFaults_CanBePlanted fails if the source has changed so that a fault has no place.
func TestFaults_CanBePlanted(t *testing.T) {
	texts, list := withFaults(t)
	texts.Check(t, list)
	if len(faults) < 30 {
		t.Errorf("%d faults", len(faults))
	}
	for name := range unfound {
		if !slices.ContainsFunc(faults, func(f fault) bool { return f.name == name }) || caughtBy[name].name != "" {
			t.Errorf("%s: there is no such fault, or a test is named for it", name)
		}
	}
	for name, test := range caughtBy {
		if !slices.ContainsFunc(faults, func(f fault) bool { return f.name == name }) {
			t.Errorf("%s: there is no such fault", name)
		}
		if !test.exists(t) {
			t.Errorf("%s: there is no %s in internal/%s", name, test.name, test.dir)
		}
	}
}

// opinion is what the second opinion says of texts on which the sound machine agrees with
// it.
type opinion struct {
	Programs []Program
	Outcomes map[string][]string // by program
	Declined map[string]bool     // programs that the sound machine declines: so must the other
	Types    []Program
	Verified map[string]bool     // by type
	First    map[string][]string // by fault: what may be the text that found it when doc/planted-faults.md was written, which is tried first
}

// TestFaults_AreFound plants each fault, in one build for all, and compares.
func TestFaults_AreFound(t *testing.T) {
	if !flags.Plant() {
		t.Skip("minutes: -plant")
	}
	dir := t.TempDir()
	texts, list := withFaults(t)
	binary := filepath.Join(dir, "planted.test")
	texts.Build(t, list, binary)
	sound := *reference
	if sound == "" {
		sound = filepath.Join(dir, "opinion.json")
	}
	page := filepath.Join(root, "doc", "planted-faults.md")
	lines := plantedLines(t, page)
	if _, err := os.Stat(sound); err != nil {
		writeOpinion(t, sound, lines)
	}
	for i := range faults {
		f := &faults[i]
		if !flags.Only(f.name) {
			continue
		}
		by := foundBy(binary, sound, f)
		switch test := caughtBy[f.name]; {
		case by != "":
		case test.name != "":
			by = "not by these texts; " + test.name
		case unfound[f.name] != "":
			by = "**nothing**; " + unfound[f.name]
		default:
			by = "**nothing**"
			t.Errorf("fault %s (%s) is not found", f.name, f.wrong)
		}
		lines[f.name] = fmt.Sprintf("| %s | %s | %s | %s |\n", f.name, f.area, f.wrong, by)
		t.Logf("%s: %s", f.name, by)
		if !flags.Update() {
			continue
		}
		if err := os.WriteFile(page, []byte(plantedPage(lines)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// foundBy runs the comparisons with one fault switched on.
func foundBy(binary, sound string, f *fault) string {
	cmd := planting.Command(binary, f.name, "-test.run", "^TestFault_IsFound$", "-test.v", "-reference", sound)
	out, err := cmd.CombinedOutput()
	m := regexp.MustCompile(`FOUND (.*)`).FindStringSubmatch(string(out))
	switch {
	case m != nil:
		return m[1]
	case err != nil:
		return "the comparison ends with an error"
	}
	return ""
}

// plantedLines are the lines of the page that is there, by fault.
func plantedLines(t *testing.T, page string) map[string]string {
	t.Helper()
	lines := map[string]string{}
	text, err := os.ReadFile(page)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok {
			lines[name] = line
		}
	}
	return lines
}

func plantedPage(lines map[string]string) string {
	var b strings.Builder
	b.WriteString("# Planted faults\n\nFaults planted in the machine, one at a time, and the comparison with generated text that finds each first:\n" +
		"what the second opinion says of programs and types, and what the other ways of searching say.\n" +
		"Texts on which the sound machine and the second opinion do not agree are not used. Where they find nothing, the test of the\n" +
		"project that fails with the fault is named; the second command runs each of these with its fault and without.\n\n" +
		"    go test ./internal/test/agreement -run TestFaults_AreFound -plant -update -timeout 2h\n" +
		"    go test ./internal/test/agreement -run TestNamedTests_FailWithTheirFaults -plant -timeout 1h\n\n" +
		"In pieces: -only PATTERN keeps the other lines; -reference FILE keeps what the second opinion says; -programs,\n" +
		"-types, -seed and -situated say on which texts. The number of a program or type is its seed.\n\n" +
		"| fault | in | what is wrong | found by |\n|---|---|---|---|\n")
	for i := range faults {
		b.WriteString(lines[faults[i].name])
	}
	return b.String() + equivalent
}

// equivalent are changes that look like faults and are none, so that nothing can find them.
const equivalent = `
## No faults

What was planted, found by nothing, and taken out again, since it can change no verdict:

* To remember whether a thread can go on although other threads were looked at for it. They are looked at for one thing
  only: who is parked at the other end of an open channel without a buffer. A thread that is not parked has a step at such a
  channel whoever is there, for it may park. One that is parked finds nobody: a thread parks only if nobody is
  parked at the other end of any of its communications, which stay the same as long as it is parked, and whoever comes
  to its end later meets it in place of parking. So the answer depends on the heap and on the thread's own part, by which it is remembered.
`

// How many programs and types each fault is tried on, unless flags say it.
const (
	plantedPrograms = 60
	plantedTypes    = 20
)

var plantedLimits = Limits{States: 1000, Schedules: 4000}

// textOnPage is a text as the page names it: "(type 30)", "(program grown 12)".
var textOnPage = regexp.MustCompile(`\((program|type) (grown )?(\d+)\)`)

// writeOpinion asks the second opinion about texts of both grammars: the first of each, and those by which faults were found according to the page's lines.
func writeOpinion(t *testing.T, file string, lines map[string]string) {
	t.Helper()
	o := opinion{Outcomes: map[string][]string{}, Declined: map[string]bool{}, Verified: map[string]bool{}, First: map[string][]string{}}
	about := map[string]string{} // by fault: a construct of the grown grammar
	for _, b := range borderFaults {
		about[b.name] = b.about
	}
	defer func(g string) { *grammar = g }(*grammar)
	grammars := []string{"plain", "grown"}
	if slices.Contains(grammars, *grammar) {
		grammars = []string{*grammar}
	}
	for _, *grammar = range grammars {
		programs, types := generated(flags.Seed(), flags.Programs(plantedPrograms)), generatedTypes(flags.Seed(), flags.Types(plantedTypes))
		for _, fault := range slices.Sorted(maps.Keys(lines)) {
			for _, f := range textOfPage(t, lines[fault], about[fault]) {
				o.First[fault] = append(o.First[fault], f.Name)
				if strings.Contains(lines[fault], "(type ") {
					types = with(types, f)
				} else {
					programs = with(programs, f)
				}
			}
		}
		o.askAboutPrograms(t, programs)
		o.askAboutTypes(t, types)
	}
	t.Logf("%d programs, %d types", len(o.Programs), len(o.Types))
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// textOfPage writes the text that a line of the page names, if it is of the present grammar. With a construct it may have been written with all constructs, or with that one alone: these are two texts.
func textOfPage(t *testing.T, line, construct string) (list []Program) {
	t.Helper()
	m := textOnPage.FindStringSubmatch(line)
	if m == nil || (m[2] != "") != (*grammar == "grown") {
		return nil
	}
	seed, err := strconv.ParseUint(m[3], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	write := generated
	if m[1] == "type" {
		write = generatedTypes
	}
	list = write(seed, 1)
	if m[2] != "" && construct != "" {
		defer func(c string) { *withThese = c }(*withThese)
		*withThese = construct
		for _, p := range write(seed, 1) {
			list = append(list, Program{p.Name + construct, p.Source})
		}
	}
	return list
}

// with is a list of texts with another one, unless it has it.
func with(list []Program, p Program) []Program {
	if slices.Contains(list, p) {
		return list
	}
	return append(list, p)
}

// askAboutPrograms adds the programs on which both sides agree.
func (o *opinion) askAboutPrograms(t *testing.T, list []Program) {
	t.Helper()
	ctx := context.Background()
	var batch []native.Program
	for _, p := range list {
		batch = append(batch, native.Program{Name: p.Name, Files: map[string]string{p.Name + ".go": p.Source}})
	}
	reports, err := native.Outcomes(ctx, batch, native.Options{Schedules: plantedLimits.Schedules})
	if err != nil {
		t.Fatal(err)
	}
	tally := newTally()
	machine, diffs, err := machineOutcomes(ctx, t.TempDir(), list, plantedLimits, tally)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range reports {
		p := list[i]
		if tally.declines(p.Name) {
			o.Programs, o.Declined[p.Name] = append(o.Programs, p), true
			continue
		}
		disagree := slices.ContainsFunc(diffs, func(d Difference) bool { return d.Name == p.Name })
		if r.Fault == "" && r.TooBig == "" && machine[p.Name] != nil && !disagree && differ(machine[p.Name].outcomes, nativeOutcomes(r).outcomes, !isOpen(p.Source)) == "" {
			o.Programs = append(o.Programs, p)
			o.Outcomes[p.Name] = keys(nativeOutcomes(r).outcomes)
		}
	}
}

// askAboutTypes adds the types on which both sides agree.
func (o *opinion) askAboutTypes(t *testing.T, list []Program) {
	t.Helper()
	ctx := context.Background()
	diffs, _, err := Types(ctx, t.TempDir(), list, plantedLimits)
	if err != nil {
		t.Fatal(err)
	}
	claims, _, err := machineVerdicts(ctx, t.TempDir(), list, plantedLimits, newTally())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if !c.left && !slices.ContainsFunc(diffs, func(d Difference) bool { return d.Name == c.Name }) {
			o.Types = append(o.Types, c.Program)
			o.Verified[c.Name] = c.verified
		}
	}
}

// TestFault_IsFound runs in the binary with the faults and says what the one that is
// switched on is found by.
func TestFault_IsFound(t *testing.T) {
	if *reference == "" {
		t.Skip("a part of TestFaults_AreFound")
	}
	text, err := os.ReadFile(*reference)
	if err != nil {
		t.Fatal(err)
	}
	var o opinion
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	for _, b := range borderFaults {
		if b.name == planting.On() {
			o.sortBy(b.about)
		}
	}
	for _, name := range o.First[planting.On()] {
		named := func(p Program) bool { return p.Name == name }
		if i := slices.IndexFunc(o.Programs, named); i >= 0 && o.tryPrograms(t, o.Programs[i:i+1]) {
			return
		}
		if i := slices.IndexFunc(o.Types, named); i >= 0 && o.tryTypes(t, o.Types[i:i+1]) {
			return
		}
	}
	const step = 25
	for i := 0; i < max(len(o.Programs), len(o.Types)); i += step {
		if i < len(o.Programs) && o.tryPrograms(t, o.Programs[i:min(i+step, len(o.Programs))]) {
			return
		}
		if i < len(o.Types) && o.tryTypes(t, o.Types[i:min(i+step, len(o.Types))]) {
			return
		}
	}
}

// sortBy puts texts with a construct in front.
func (o *opinion) sortBy(construct string) {
	has := func(p Program) int {
		for _, c := range generator.Constructs() {
			if c.Name == construct && c.Has(p.Source) {
				return 0
			}
		}
		return 1
	}
	for _, list := range [][]Program{o.Programs, o.Types} {
		slices.SortStableFunc(list, func(a, b Program) int { return has(a) - has(b) })
	}
}

// seedOf is the seed of a text of that name, as "17", or "grown 17".
func seedOf(name string) string {
	return map[bool]string{true: "grown "}[name[0] == 'g'] + strings.TrimLeft(strings.TrimRight(name, "abcdefghijklmnopqrstuvwxyz"), "pg0")
}

func (o *opinion) tryPrograms(t *testing.T, list []Program) bool {
	machine, diffs, err := machineOutcomes(context.Background(), t.TempDir(), list, plantedLimits, newTally())
	if err != nil {
		t.Logf("FOUND run -all: an error")
		return true
	}
	for _, p := range list {
		if machine[p.Name] == nil {
			continue
		}
		if o.Declined[p.Name] {
			t.Logf("FOUND run -all: outcomes of what cannot be executed (program %s)", seedOf(p.Name))
			return true
		}
		got := keys(machine[p.Name].outcomes)
		for _, k := range got {
			if !isOpen(p.Source) && !slices.Contains(o.Outcomes[p.Name], k) {
				t.Logf("FOUND run -all and the second opinion: an outcome that cannot be (program %s)", seedOf(p.Name))
				return true
			}
		}
		for _, k := range o.Outcomes[p.Name] {
			if !slices.Contains(got, k) {
				t.Logf("FOUND run -all and the second opinion: an outcome is missing (program %s)", seedOf(p.Name))
				return true
			}
		}
	}
	for _, d := range diffs {
		t.Logf("FOUND run -all with reductions %s and with all (program %s)", d.Between, seedOf(d.Name))
		return true
	}
	return false
}

func (o *opinion) tryTypes(t *testing.T, list []Program) bool {
	claims, diffs, err := machineVerdicts(context.Background(), t.TempDir(), list, plantedLimits, newTally())
	if err != nil {
		t.Logf("FOUND verify: an error")
		return true
	}
	for _, c := range claims {
		is := map[bool]verdict.Status{true: verdict.Verified, false: verdict.Violated}
		switch right := o.Verified[c.Name]; {
		case c.left:
			t.Logf("FOUND verify and the second opinion: undecided, not %s (type %s)", is[right], seedOf(c.Name))
			return true
		case c.verified != right:
			t.Logf("FOUND verify and the second opinion: %s, not %s (type %s)", is[c.verified], is[right], seedOf(c.Name))
			return true
		}
	}
	for _, d := range diffs {
		t.Logf("FOUND verify and %s (type %s)", d.Between, seedOf(d.Name))
		return true
	}
	return false
}
