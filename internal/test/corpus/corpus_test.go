// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

const moduleRoot = "../../.."

func corpus(t *testing.T) []Program {
	t.Helper()
	programs, err := Programs(".")
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// TestCorpus_NativeOutcomesAreDeclared runs the programs natively. With
// -runs it runs them all and lists the declared outcomes that never
// showed, which is no failure, but a hint to read the argument again.
func TestCorpus_NativeOutcomesAreDeclared(t *testing.T) {
	level.SkipShort(t, "builds and runs programs natively")
	programs := corpus(t)
	opt := NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: flags.Runs(0), Timeout: 5e9}
	if flags.Runs(0) == 0 {
		programs = programs[:6]
		opt.Runs = 6
	}
	var chosen []Program
	for _, p := range programs {
		if flags.Only(p.Name) {
			chosen = append(chosen, p)
		}
	}
	outcomes, err := RunNative(chosen, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range chosen {
		checkNative(t, p, outcomes[i])
	}
}

func checkNative(t *testing.T, p Program, native []Outcome) {
	report := Compare(p, native, p.Expect.Outcomes)
	if p.Expect.Exact && !report.OK() {
		t.Errorf("%s", report)
	}
	if unseen := minus(p.Expect.Outcomes, native); len(unseen) > 0 && !p.Expect.Racy() && flags.Runs(0) > 0 {
		t.Logf("%s: declared but never seen: %v", p.Name, unseen)
	}
}
