package corpus

import (
	"flag"
	"strings"
	"testing"
)

const moduleRoot = "../../.."

var (
	nativeRuns = flag.Int("native.runs", 0, "run every corpus program this many times natively, instead of a few programs a few times")
	nativeOnly = flag.String("native.only", "", "with -native.runs, only the programs whose names contain this")
)

func corpus(t *testing.T) []Program {
	t.Helper()
	programs, err := Programs(".")
	if err != nil {
		t.Fatal(err)
	}
	return programs
}

// TestCorpus_NativeOutcomesAreDeclared runs the programs natively. With
// -native.runs it runs them all and lists the declared outcomes that never
// showed, which is no failure, but a hint to read the argument again.
func TestCorpus_NativeOutcomesAreDeclared(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs programs natively")
	}
	programs := corpus(t)
	opt := NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: *nativeRuns, Timeout: 5e9}
	if *nativeRuns == 0 {
		programs = programs[:6]
		opt.Runs = 6
	}
	var chosen []Program
	for _, p := range programs {
		if strings.Contains(p.Name, *nativeOnly) {
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
	if unseen := minus(p.Expect.Outcomes, native); len(unseen) > 0 && !p.Expect.Racy() && *nativeRuns > 0 {
		t.Logf("%s: declared but never seen: %v", p.Name, unseen)
	}
}
