// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"cmp"
	"fmt"
	"strings"
)

// Sampled are executions under schedules that were drawn at random, of clients that were drawn at random.
type Sampled struct {
	Schedules int      `json:"schedules"` // executions that were made
	Clients   int      `json:"clients"`   // different clients that were executed; 0 of a test
	Seed      uint64   `json:"seed"`
	Ways      []string `json:"ways"` // how schedules were drawn: "random", "pct 3" (its depth), "preempt 2" (preemptions at most)
	// Cut are executions that were not made to their ends, and CutBy is why the last of them was not: "20000 turns in one execution".
	Cut   int    `json:"cut,omitempty"`
	CutBy string `json:"cut_by,omitempty"`
	// Unrepeated are executions that seemed wrong and did not show that again under the same schedule.
	Unrepeated int `json:"unrepeated,omitempty"`
	// Asked is how many schedules were asked for, if the time was up before.
	Asked int `json:"asked,omitempty"`
	// Skipped are executions of a test that was skipped (t.Skip), and Unrun those that ended before its function was called.
	Skipped int `json:"skipped,omitempty"`
	Unrun   int `json:"unrun,omitempty"`
}

// Add adds the executions of another scope.
func (s *Sampled) Add(before *Sampled) *Sampled {
	if before == nil {
		return s
	}
	sum := *s
	sum.Schedules += before.Schedules
	sum.Clients += before.Clients
	sum.Cut += before.Cut
	sum.CutBy = cmp.Or(s.CutBy, before.CutBy)
	sum.Unrepeated += before.Unrepeated
	sum.Skipped += before.Skipped
	sum.Unrun += before.Unrun
	if s.Asked > 0 || before.Asked > 0 {
		sum.Asked = cmp.Or(s.Asked, s.Schedules) + cmp.Or(before.Asked, before.Schedules)
	}
	return &sum
}

// String is the reason of an unknown verdict: what was tried, and that this proves nothing.
func (s *Sampled) String() string {
	var b strings.Builder
	b.WriteString(s.untested())
	what := "violation in " + counted(s.Schedules, "schedule")
	if s.Clients > 0 {
		what += " of " + counted(s.Clients, "client")
	}
	fmt.Fprintf(&b, "no %s, seed %d: this is testing, not proof", what, s.Seed)
	if s.Asked > 0 {
		fmt.Fprintf(&b, "; the time was up before %d", s.Asked)
	}
	if s.Cut > 0 {
		fmt.Fprintf(&b, "; %d of them were cut off (%s)", s.Cut, s.CutBy)
	}
	if s.Unrepeated > 0 {
		fmt.Fprintf(&b, "; %d looked wrong and did not repeat itself, so nothing is said of it", s.Unrepeated)
	}
	return b.String()
}

// untested says in how many executions the test was skipped, or was not run at all.
func (s *Sampled) untested() string {
	var list []string
	switch {
	case s.Skipped > 0 && s.Skipped == s.Schedules:
		list = append(list, "the test is skipped")
	case s.Skipped > 0:
		list = append(list, fmt.Sprintf("in %s the test is skipped", counted(s.Skipped, "schedule")))
	}
	switch {
	case s.Unrun > 0 && s.Unrun == s.Schedules:
		list = append(list, "the test was not run: an initialiser or TestMain ends the program before, or TestMain does not call Run")
	case s.Unrun > 0:
		list = append(list, fmt.Sprintf("in %s it was not run", counted(s.Unrun, "schedule")))
	}
	return strings.Join(append(list, ""), "; ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
