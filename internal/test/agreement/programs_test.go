// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/generator"
	"pangolin/internal/test/level"
)

// Generated programs and types are executed by the machine and by compiled code, and compared.

var (
	detected   = flag.Int("detected", 3, "number of generated programs to run under the race detector")
	shown      = flag.Int("shown", 3, "differences of each nature to print in full")
	shrink     = flag.String("shrink", "", "shrink differences and write them into this directory")
	situated   = flag.Bool("situated", false, "compare situations only")
	states     = flag.Uint64("states", 2000, "limit on the states of each search")
	schedules  = flag.Int("schedules", 4000, "limit on the schedules of the second opinion")
	containing = flag.String("containing", "", "compare only the generated texts that contain this")
	grammar    = flag.String("grammar", "both", "the grammar of generated texts: plain, grown by constructs, or both: every third of them grown")
	withThese  = flag.String("constructs", "", "of the grown grammar, the constructs to put into texts, by their names; \"\" is all")
)

// batch is how many texts are built into one binary.
const batch = 100

// grown is the grown grammar, with the constructs that are asked for, or else all.
func grown() (g generator.Constructed) {
	for _, c := range generator.Constructs() {
		if *withThese == "" || slices.Contains(strings.Split(*withThese, ","), c.Name) {
			g.On = append(g.On, c.Name)
		}
	}
	return g
}

// nameOf is the name of a text: its seed, and its grammar if that is the grown one.
func nameOf(seed uint64) string {
	if *grammar == "grown" {
		return fmt.Sprintf("g%06d", seed)
	}
	return fmt.Sprintf("p%06d", seed)
}

// generated are programs of random statements and, every third, of a situation.
func generated(first uint64, n int) []Program {
	var list []Program
	for i := range n {
		seed := first + uint64(i)
		write := generator.Program
		if *grammar == "grown" {
			write = grown().Program
		} else if seed%3 == 0 || *situated {
			write = generator.Situated
		}
		if text := write(seed); strings.Contains(text, *containing) {
			list = append(list, Program{nameOf(seed), text})
		}
	}
	return list
}

// comparison is a way to compare generated texts.
type comparison struct {
	write   func(first uint64, n int) []Program
	compare Comparison
	// real says that what is compared are some real runs, which may be others the next time: so no farm does them.
	real bool
}

// comparisons are all of them, by the names by which workers of a farm know them.
var comparisons = map[string]comparison{
	"detector": {generated, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return Detector(ctx, dir, list, Limits{States: 2000}, flags.Runs(10))
	}, true},
	"programs": {generated, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return Programs(ctx, dir, list, Limits{States: *states, Schedules: *schedules})
	}, false},
	"types": {generatedTypes, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return Types(ctx, dir, list, Limits{States: *states, Schedules: *schedules})
	}, false},
	"respelled types": {generatedTypes, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return RespelledTypes(ctx, dir, list, Limits{States: *states}, *spellings)
	}, false},
	"respelled programs": {generated, func(ctx context.Context, dir string, list []Program) ([]Difference, *Tally, error) {
		return RespelledPrograms(ctx, dir, list, Limits{States: *states}, *spellings)
	}, false},
}

func TestDetector_FindsNothingThatTheMachineDoesNot(t *testing.T) {
	level.SkipShort(t, "compiles generated texts natively")
	compareAll(t, *detected, "detector")
}

func TestPrograms_EndAsTheSecondOpinionSays(t *testing.T) {
	level.SkipShort(t, "compiles generated texts natively")
	compareAll(t, flags.Programs(12), "programs")
}

func TestTypes_AreJudgedAsTheSecondOpinionSays(t *testing.T) {
	level.SkipShort(t, "compiles generated texts natively")
	compareAll(t, flags.Types(4), "types")
}

// generatedTypes are types with a specification and without one by turns, and now and then one
// of an encounter.
func generatedTypes(first uint64, n int) []Program {
	var list []Program
	for i := range n {
		seed := first + uint64(i)
		write, from := generator.Object, seed/2
		switch {
		case *grammar == "grown":
			write, from = grown().Type, seed
		case seed%20 == 12 || *situated:
			write, from = generator.Encounter, seed
		case seed%2 == 0:
			write = generator.Patterned
		}
		if text := write(from).Source; strings.Contains(text, *containing) {
			list = append(list, Program{nameOf(seed), text})
		}
	}
	return list
}

// compareAll compares generated texts, here or on a farm, and fails for each difference, shrunk if that
// is asked for.
func compareAll(t *testing.T, count int, name string) {
	t.Helper()
	if *grammar == "both" {
		defer func() { *grammar = "both" }()
		*grammar = "grown"
		compareAll(t, count/3, name)
		*grammar = "plain"
		count -= count / 3
	}
	c := comparisons[name]
	type pending struct {
		end  int
		wait func() ([]Difference, *Tally, error)
	}
	var batches []pending
	for i := 0; i < count; i += batch {
		first, n := flags.Seed()+uint64(i), min(batch, count-i)
		if *on != "" && !c.real {
			batches = append(batches, pending{i + n, elsewhere(t, name, first, n)})
		} else if list := c.write(first, n); len(list) > 0 {
			batches = append(batches, pending{i + n, func() ([]Difference, *Tally, error) { return c.compare(context.Background(), t.TempDir(), list) }})
		}
	}
	total := newTally()
	for _, b := range batches {
		diffs, tally, err := b.wait()
		if err != nil {
			t.Fatal(err)
		}
		total.Add(tally)
		report(t, diffs, c.compare)
		t.Logf("%d from %d on: %v", b.end, flags.Seed(), total) // a long run may be cut short
	}
}

// report fails the test with the differences; of each nature, one is printed in full.
func report(t *testing.T, diffs []Difference, compare Comparison) {
	t.Helper()
	for _, d := range diffs {
		t.Errorf("%s: %s", d.Name, d.nature())
		if natures[d.nature()]++; natures[d.nature()] > *shown {
			continue
		}
		if *shrink != "" {
			var err error
			if d, err = Shrink(context.Background(), t.TempDir(), d, compare); err != nil {
				t.Log(err)
			}
			file := filepath.Join(*shrink, d.Name+"_"+strings.ReplaceAll(strings.ReplaceAll(d.nature(), " ", "_"), "!", "")+".go")
			if err := os.WriteFile(file, []byte("/*\n"+strings.ReplaceAll(d.Text, "*/", "* /")+"*/\n"+d.Source), 0o666); err != nil {
				t.Error(err)
			}
		}
		t.Log(d)
	}
}

// natures counts the differences that were reported.
var natures = map[string]int{}
