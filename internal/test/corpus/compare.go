// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// Report says where the enumerated outcomes of one program depart from the
// native and from the declared ones. The zero lists mean agreement.
type Report struct {
	Program    string
	Missing    []Outcome // seen natively but not enumerated
	Lost       []Outcome // declared but not enumerated
	Unexpected []Outcome // enumerated, but the declared set is exact and lacks them, or a race that is not expected
	Refuted    []Outcome // seen natively although the declared set is exact and lacks them: the header is wrong
	Repeated   []Outcome // enumerated more than once
	WrongWaits []string  // deadlocks whose goroutines wait for other things
}

// Compare judges the enumerated outcomes of p: those seen natively and those
// declared must be among them, and if the declared set is exact, no others. A
// data race that is not expected is a difference in any case.
//
// A program with an enumerated and expected data race makes no promise about native outcomes:
// the machine may stop at the race, while a native run goes on.
func Compare(p Program, native, enumerated []Outcome) Report {
	r := Report{Program: p.Name}
	races := slices.DeleteFunc(slices.Clone(enumerated), func(o Outcome) bool { return !o.Race })
	r.Lost = minus(p.Expect.Outcomes, enumerated)
	r.WrongWaits = wrongWaits("declared", p.Expect.Outcomes, enumerated)
	if p.Expect.Exact {
		r.Unexpected = minus(enumerated, p.Expect.Outcomes)
	} else if !p.Expect.Racy() {
		r.Unexpected = Distinct(races)
	}
	r.Repeated = repeated(enumerated)
	if p.Expect.Racy() && len(races) > 0 {
		return r
	}
	r.Missing = minus(native, enumerated)
	if p.Expect.Exact {
		r.Refuted = minus(native, p.Expect.Outcomes)
	}
	r.WrongWaits = append(r.WrongWaits, wrongWaits("native", native, enumerated)...)
	return r
}

// OK says whether nothing departs.
func (r Report) OK() bool {
	return len(r.Missing)+len(r.Lost)+len(r.Unexpected)+len(r.Refuted)+len(r.Repeated)+len(r.WrongWaits) == 0
}

// String lists the differences, a line each; one line if there are none.
func (r Report) String() string {
	if r.OK() {
		return r.Program + ": agrees\n"
	}
	var b strings.Builder
	for _, part := range []struct {
		title    string
		outcomes []Outcome
	}{
		{"seen natively, not enumerated", r.Missing},
		{"declared, not enumerated", r.Lost},
		{"enumerated, not expected", r.Unexpected},
		{"seen natively, not in the exact set (the header is wrong)", r.Refuted},
		{"enumerated more than once", r.Repeated},
	} {
		for _, o := range part.outcomes {
			fmt.Fprintf(&b, "%s: %s: %s\n", r.Program, part.title, o)
		}
	}
	for _, line := range r.WrongWaits {
		fmt.Fprintf(&b, "%s: %s\n", r.Program, line)
	}
	return b.String()
}

// minus returns the outcomes of a that are not in b, by identity, each once.
func minus(a, b []Outcome) []Outcome {
	seen := map[string]bool{}
	for _, o := range b {
		seen[o.identity()] = true
	}
	var left []Outcome
	for _, o := range a {
		if !seen[o.identity()] {
			seen[o.identity()] = true
			left = append(left, o)
		}
	}
	return Distinct(left)
}

func repeated(outcomes []Outcome) []Outcome {
	count := map[string]int{}
	var twice []Outcome
	for _, o := range outcomes {
		key := o.identity() + "\x00" + strings.Join(o.Waits, ",")
		if count[key]++; count[key] == 2 {
			twice = append(twice, o)
		}
	}
	return Distinct(twice)
}

// wrongWaits looks for deadlocks that both sides have, in which no enumerated
// one has the goroutines waiting as the known one does.
func wrongWaits(who string, known, enumerated []Outcome) []string {
	var lines []string
	for _, k := range known {
		if !k.Deadlock || k.Waits == nil {
			continue
		}
		var others []string
		for _, e := range enumerated {
			if e.identity() != k.identity() || e.Waits == nil {
				continue
			}
			if slices.Equal(e.Waits, k.Waits) {
				others = nil
				break
			}
			others = append(others, "["+strings.Join(e.Waits, ", ")+"]")
		}
		if len(others) > 0 {
			lines = append(lines, fmt.Sprintf("deadlock waits for [%s] (%s), but is enumerated with %s",
				strings.Join(k.Waits, ", "), who, strings.Join(others, " and ")))
		}
	}
	return lines
}

// CompareAll enumerates the outcomes of each program and compares them with the
// native ones, which are in the order of the programs; native may be nil. A
// program whose enumeration fails ends the comparison with its error.
func CompareAll(programs []Program, native [][]Outcome, enumerate Enumerate) ([]Report, error) {
	var reports []Report
	for i, p := range programs {
		enumerated, err := enumerate(p.File)
		if err != nil {
			return reports, fmt.Errorf("%s: %w", p.Name, err)
		}
		var seen []Outcome
		if native != nil {
			seen = native[i]
		}
		reports = append(reports, Compare(p, seen, enumerated))
	}
	return reports, nil
}
