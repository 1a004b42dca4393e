// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// A thread that spins when the bound on preemptions is used up must not be taken for
// one that keeps the others out for ever: the set is correct, and waits by spinning.
func TestPreemptionBound_MakesNoLivelock(t *testing.T) {
	level.SkipShort(t, "verifies a hash set")
	bound := 1
	list, err := pangolin.Verify(repository, pangolin.Request{
		Packages: []string{"pangolin/collections/hashset"}, Type: "RefinableHashSetRepaired",
		Scope: pangolin.Scope{Config: "B"}, Search: pangolin.Search{Preempt: &bound},
	})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Status != verdict.Verified {
		t.Errorf("%s: %s", list[0].Status, list[0].Reason)
	}
}

// Beyond the bound, where only cycles are looked for, the queue's defect is within reach.
func TestPreemptionBound_HidesAViolationAndNothingBreaks(t *testing.T) {
	level.SkipShort(t, "verifies a queue twice")
	for bound, want := range map[int]verdict.Status{1: verdict.Verified, 2: verdict.Violated} {
		list, err := pangolin.Verify(repository, pangolin.Request{
			Packages: []string{"pangolin/collections/queue"}, Type: "SynchronousDualQueue",
			Scope: pangolin.Scope{Config: "D"}, Search: pangolin.Search{Preempt: &bound},
		})
		if err != nil {
			t.Fatal(err)
		}
		if list[0].Status != want {
			t.Errorf("within %d preemptions: %s: %s", bound, list[0].Status, list[0].Reason)
		}
	}
}
