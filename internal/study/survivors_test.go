package study

import (
	"strings"
	"testing"

	"pangolin"
)

func TestChanged_GivesTheFirstLineOfEachSide(t *testing.T) {
	old, now := changed("--- a.go\n+++ a.go\n@@ -1,3 +1,3 @@\n {\n-\tx--\n-\ty--\n+\t--z\n }\n")
	if old != "x--" || now != "--z" {
		t.Errorf("%q becomes %q", old, now)
	}
}

// TestExplanations_AreOfMutantsThatExist catches explanations of operators that there
// are not.
func TestExplanations_AreOfMutantsThatExist(t *testing.T) {
	e, err := newExplainer()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"*": true}
	for _, op := range pangolin.MutationOperators() {
		known[op[0]] = true
	}
	for _, r := range e {
		if !known[r[1]] || !strings.HasSuffix(r[0], ".go") || r[4] == "" {
			t.Errorf("explanation %q", r)
		}
	}
}

func TestMutantTable_CountsAndExplainsWhatIsLeft(t *testing.T) {
	diff := "--- a\n+++ a\n@@ -1,1 +1,0 @@\n-\truntime.Gosched()\n"
	left := func(file string, larger *pangolin.Mutant) LeftMutant {
		return LeftMutant{Larger: larger, Mutant: pangolin.Mutant{ID: 7, File: file, Line: 1, Operator: "call-dropped",
			Outcome: pangolin.Survived, Diff: diff}}
	}
	row := MutantRow{Row: "Some", Config: "D", Larger: "-steps 1..4", Sum: pangolin.MutationSummary{Property: "linear", Planted: 30, Mutants: 10, Killed: 7, Survived: 3, Seconds: 2}}
	row.Left = []LeftMutant{left("stack/stack.go", nil), left("nowhere.go", nil),
		left("nowhere.go", &pangolin.Mutant{Outcome: pangolin.Killed, Class: "race", Client: "1: F()"})}
	var b strings.Builder
	if err := MutantTable(&b, []MutantRow{row}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| Some | linear | 10 of 30 | 7 | 3 | 0 | 0 | 1 | 1 | 1 | 2 |\n",
		"**7 call-dropped**, stack/stack.go:1: Equivalent",
		"**7 call-dropped**, nowhere.go:1: Open.\n",
		"killed with -steps 1..4: race; `1: F()`.",
		"```diff\n-\truntime.Gosched()\n```\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
