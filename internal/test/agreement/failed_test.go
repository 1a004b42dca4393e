// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"errors"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/verdict"
)

// A failure within Pangolin is counted and is a difference: if every way to search has it, and if one went on without what has failed.
func TestTally_FailuresAreDifferences(t *testing.T) {
	broken := engine.Recovered("a step asked for 2 decisions").Error()
	fine := &verdict.Verdict{Status: verdict.Verified}
	goesOn := &verdict.Verdict{Status: verdict.Verified, Assumptions: []string{"searched without remembered steps (-reduce), with which " + broken}}
	source := "// T is a object with the operations A//0/A\nfunc (t *T) A() {}\n"
	for _, tc := range []struct {
		name   string
		ways   []way
		failed int
	}{
		{"all of them", []way{{"all", nil, errors.New(broken)}, {"none", nil, errors.New(broken)}}, 2},
		{"one goes on", []way{{"all", goesOn, nil}, {"none", fine, nil}}, 1},
		{"none", []way{{"all", fine, nil}, {"none", fine, nil}}, 0},
	} {
		tally := newTally()
		text := newClaim(Program{"p000001", source}).take(tc.ways, tally)
		if tally.Failed != tc.failed || strings.Contains(text, engine.Failed) != (tc.failed > 0) {
			t.Errorf("%s: %d failures, %q", tc.name, tally.Failed, text)
		}
	}
}
