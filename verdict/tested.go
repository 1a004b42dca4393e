// SPDX-License-Identifier: BSD-3-Clause

package verdict

// TestKind is a sort of test.
type TestKind string

// The sorts of tests.
const (
	ATest     TestKind = "test"
	AnExample TestKind = "example"
	AFuzzTest TestKind = "fuzz" // with its seeds
)

// TestResult is how far a test was explored, and with what result.
type TestResult string

// The results.
const (
	TestWhole         TestResult = "whole"          // every interleaving was explored, and all pass
	TestToLimit       TestResult = "to a limit"     // all that were explored, or tried, pass
	TestFound         TestResult = "found"          // some interleaving fails, panics, races, deadlocks, leaks or never ends
	TestNotExecutable TestResult = "not executable" // the machine does not support something that the test does
	TestNotBegun      TestResult = "not begun"      // the time for all tests was over
)

// Tested is what was found out about one test of a package.
type Tested struct {
	Type    string     `json:"type"` // "test"
	Package string     `json:"package"`
	Name    string     `json:"test"`
	Kind    TestKind   `json:"kind"`
	Result  TestResult `json:"result"`
	// Why is the limit that was reached, or what is not supported and where; else "".
	Why   string        `json:"why,omitempty"`
	Found []TestFinding `json:"found,omitempty"` // the abnormal outcomes, once each
	// Again: a witness that was kept shows it still, and nothing was explored.
	Again bool `json:"again,omitempty"`
	// Cached: the result was kept, and nothing was computed. Seconds are those of the run that computed it.
	Cached  bool    `json:"cached,omitempty"`
	States  uint64  `json:"states"`
	Seconds float64 `json:"seconds"`
	// Sampled is what was tried, if the test was executed as gc compiles it; there are no states then.
	Sampled *Sampled `json:"sampled,omitempty"`
	// Assumptions are those of the exploration.
	Assumptions []string `json:"assumptions,omitempty"`
	Schema      int      `json:"schema"` // the constant Schema
	Verdict     *Verdict `json:"-"`      // the whole exploration; nil: there was none
}

// TestFinding is an abnormal outcome of a test.
type TestFinding struct {
	As      string `json:"as"`      // "failure", "panic", "deadlock", "race", "leak" or "endless"
	Text    string `json:"text"`    // what the test printed, the panic, the two accesses, or who waits for what
	Witness string `json:"witness"` // the file with a shortest execution, or ""
	// Alike is the number of other outcomes that the same lines report, or whose texts differ in numbers only.
	Alike int `json:"alike,omitempty"`
}

// Shows is the outcome with the execution that a finding's witness holds; nil if there is none.
func (t *Tested) Shows(f *TestFinding) *Outcome {
	if t.Verdict == nil || f.Witness == "" {
		return nil
	}
	for i := range t.Verdict.Outcomes.List {
		if o := &t.Verdict.Outcomes.List[i]; o.Witness == f.Witness && o.Execution != nil {
			return o
		}
	}
	return nil
}

// Status is the result as a status, for exit codes.
func (t *Tested) Status() Status {
	switch t.Result {
	case TestWhole:
		return Verified
	case TestFound:
		return Violated
	}
	return Unknown
}
