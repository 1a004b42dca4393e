// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"reflect"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The second time a row of the study thesis is taken from the directory, unless a limit on states or the row is another one; a line behind a limit is
// not kept.
func TestThesis_KeepsItsLines(t *testing.T) {
	level.SkipShort(t, "generates transition systems")
	o := &Options{Cache: t.TempDir()}
	ask := func(calls int, states uint64) *Refinement {
		t.Helper()
		r := thesisRow{caseStudy: caseStudies["Treiber stack"], name: "Treiber stack", threads: 2, calls: calls, expected: string(verdict.Verified)}
		o.MaxStates = states
		line, err := r.keep(repository, o)
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	first, second := ask(2, 0), ask(2, 0)
	if first.Cached || !second.Cached {
		t.Errorf("cached %t, then %t", first.Cached, second.Cached)
	}
	second.Cached = false
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%+v\nthen\n%+v", first, second)
	}
	if ask(1, 0).Cached {
		t.Error("another row is cached")
	}
	for range 2 {
		if l := ask(2, 20); l.Cached || l.Verdict != verdict.Unknown {
			t.Errorf("behind a limit: cached %t, %s", l.Cached, l.Verdict)
		}
	}
}

// The points of an algorithm are kept, with the time that it took to find them.
func TestPolicies_KeepTheirPoints(t *testing.T) {
	level.SkipShort(t, "finds points")
	o := &Options{Cache: t.TempDir()}
	var cells [2]*Cell
	for i := range cells {
		c, err := policyRows[0].ask(repository, "points", o)
		if err != nil {
			t.Fatal(err)
		}
		cells[i] = c
	}
	first, second := *cells[0], *cells[1]
	if first.Cached || !second.Cached || second.Seconds == 0 || second.Verdict != verdict.Verified {
		t.Errorf("cached %t in %g s, then %t: %s in %g s", first.Cached, first.Seconds, second.Cached, second.Verdict, second.Seconds)
	}
	first.Seconds, second.Seconds, second.Cached = 0, 0, false
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%+v\nthen\n%+v", first, second)
	}
}
