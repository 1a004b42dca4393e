// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"strings"
	"sync"
	"testing"

	"pangolin/internal/test/level"
)

// What is generated compiles, depends on nothing but its seed, and reaches the whole grammar.

// checker checks for all tests: it has to find what is imported once.
var checker = sync.OnceValue(NewChecker)

// some is how many of so many programs are made: all with -level more.
func some(all int) int {
	switch {
	case level.More():
		return all
	case level.Short():
		return all / 30
	}
	return all / 8
}

func TestProgram_Compiles(t *testing.T)  { programsCompile(t, Program) }
func TestSituated_Compiles(t *testing.T) { programsCompile(t, Situated) }

func programsCompile(t *testing.T, write func(uint64) string) {
	c := checker()
	failed := 0
	for seed := range uint64(some(300)) {
		source := write(seed)
		if err := c.Check(source); err != nil {
			t.Errorf("program %d: %v\n%s", seed, err, source)
			if failed++; failed > 3 {
				t.FailNow()
			}
		}
	}
}

func TestProgram_IsDeterministic(t *testing.T) {
	for seed := range uint64(50) {
		for _, write := range []func(uint64) string{Program, Situated} {
			if first, again := write(seed), write(seed); first != again {
				t.Errorf("seed %d gives two programs", seed)
			}
		}
	}
}

// Every production is reached, and every object and helper is used.
func TestProgram_ReachesTheWholeGrammar(t *testing.T) {
	if !level.More() {
		t.Skip("makes some thousand programs: -level more")
	}
	var all strings.Builder
	var grown Constructed
	for _, c := range Constructs() {
		grown.On = append(grown.On, c.Name)
	}
	for seed := range uint64(2500) {
		all.WriteString(Program(seed))
		all.WriteString(grown.Program(seed))
	}
	text := all.String()
	for _, o := range append(objects(), special(packageVariables)...) {
		if !usesWord(text, o.name+"0") {
			t.Errorf("no program uses %s", o.name)
		}
	}
	for _, h := range append(helpers(), freeHelpers...) {
		if !usesWord(text, h.name) {
			t.Errorf("no program uses %s", h.name)
		}
	}
}

func TestShrink_KeepsWhatIsAskedFor(t *testing.T) {
	const kept = "bump()"
	source := ""
	for seed := range uint64(50) {
		if p := Program(seed); strings.Contains(p, kept) && len(p) > len(source) {
			source = p
		}
	}
	tried := 0
	got := Shrink(source, func(list []string) int {
		tried += len(list)
		for i, s := range list {
			if strings.Contains(s, kept) {
				return i
			}
		}
		return -1
	})
	if !strings.Contains(got, kept) || len(got) > len(source)/2 {
		t.Errorf("%d candidates led to\n%s", tried, got)
	}
	if err := checker().Check(got); err != nil {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestObject_Compiles(t *testing.T)    { collectionsCompile(t, Object) }
func TestPatterned_Compiles(t *testing.T) { collectionsCompile(t, Patterned) }
func TestEncounter_Compiles(t *testing.T) { collectionsCompile(t, Encounter) }

func collectionsCompile(t *testing.T, write func(uint64) Collection) {
	c := checker()
	for seed := range uint64(some(800)) {
		source := write(seed).Source
		if err := c.Check(source); err != nil {
			t.Fatalf("type %d: %v\n%s", seed, err, source)
		}
		if again := write(seed).Source; again != source {
			t.Fatalf("seed %d gives two types", seed)
		}
	}
}
