// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"strings"
	"testing"

	"pangolin/verdict"
)

func TestMutantTable_CountsAndExplainsWhatIsLeft(t *testing.T) {
	hint := &MutantExplanation{Why: "Equivalent: a hint."}
	nine := &MutantExplanation{Why: "It takes nine.", Flags: "-steps 1..9"}
	diff := "--- a\n+++ a\n@@ -1,1 +1,0 @@\n-\truntime.Gosched()\n"
	left := func(file string, x *MutantExplanation, larger *verdict.Mutant) LeftMutant {
		flags := ""
		if x != nil {
			flags = x.Flags
		}
		return LeftMutant{Larger: larger, Explanation: x, Flags: flags, Mutant: verdict.Mutant{ID: 7, File: file, Line: 1, Operator: "call-dropped", Func: "F",
			Outcome: verdict.Survived, Diff: diff}}
	}
	row := MutantRow{Row: "Some", Config: "D", Larger: "-steps 1..4", Sum: verdict.MutationSummary{Property: "linear", Planted: 30, Mutants: 10, Killed: 5, Survived: 5, Seconds: 2}}
	row.Left = []LeftMutant{left("c/stack.go", hint, nil), left("c/nowhere.go", nil, nil),
		left("c/nowhere.go", nil, &verdict.Mutant{Outcome: verdict.Killed, Class: "race", Client: "1: F()"}),
		left("c/deep.go", nine, &verdict.Mutant{Outcome: verdict.Killed, Class: "infinite", Reason: "no end"}),
		left("c/deep.go", nine, &verdict.Mutant{Outcome: verdict.Survived})}
	b := printed(t, "mutants", []Line{&row})
	for _, want := range []string{
		"| Some | linear | 10 of 30 | 5 | 5 | 0 | 0 | 2 | 1 | 2 | 2 |\n",
		"**7 call-dropped**, c/stack.go:1: Equivalent: a hint.\n",
		"**7 call-dropped**, c/nowhere.go:1: Open.\n",
		"killed with -steps 1..4: race; `1: F()`.\n",
		"killed with -steps 1..9: infinite; no end. It takes nine.\n",
		"**7 call-dropped**, c/deep.go:1: Open: not killed with -steps 1..9. It takes nine.\n",
		"```diff\n-\truntime.Gosched()\n```\n",
	} {
		if !strings.Contains(b, want) {
			t.Errorf("%q is missing in\n%s", want, b)
		}
	}
}
