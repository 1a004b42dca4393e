// SPDX-License-Identifier: BSD-3-Clause

package planting

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Tests are some of the tests of a build that has faults in it.
type Tests struct {
	Binary string
	Dir    string   // in which they run; "": the working directory
	Args   []string // of the binary, such as -test.run=^TestOrder_
}

// FindEach fails t unless the tests pass without a fault and fail with each of the faults.
func (x *Tests) FindEach(t *testing.T, faults []Fault) {
	t.Helper()
	began := time.Now()
	if out, err := x.run(""); err != nil || strings.Contains(out, "no tests to run") {
		t.Fatalf("%q without a fault: %v\n%s", x.Args, err, out)
	}
	sound := time.Since(began)
	for _, f := range faults {
		if shown, err := x.finds(f.Name, sound); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else {
			t.Logf("%s: %s", f.Name, shown)
		}
	}
}

var (
	failure = regexp.MustCompile(`(?m)^\s*--- FAIL: \S+|^panic: .*|^fatal error: .*`)
	timeout = "panic: test timed out"
)

// finds says what fails with a fault. A timeout shows a fault that makes the code go on for ever only if the time would have been enough for ten runs
// without a fault, which take so long; else it may be the machine that is busy.
func (x *Tests) finds(fault string, sound time.Duration) (string, error) {
	began := time.Now()
	out, err := x.run(fault)
	switch shown := strings.TrimSpace(failure.FindString(out)); {
	case err == nil:
		return "", errors.New("is not found")
	case shown == "":
		return "", fmt.Errorf("%w, but no test fails\n%s", err, out)
	case strings.HasPrefix(shown, timeout) && time.Since(began) < 10*sound:
		return "", fmt.Errorf("no test has failed after %s; without the fault they take %s", time.Since(began), sound)
	default:
		return shown, nil
	}
}

func (x *Tests) run(fault string) (string, error) {
	cmd := Command(x.Binary, fault, append([]string{"-test.failfast"}, x.Args...)...) // one case that fails is enough
	cmd.Dir = x.Dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
