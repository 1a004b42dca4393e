package bounded_test

import (
	"context"
	"testing"

	"pangolin"
	"pangolin/verdict"
)

// A thread that spins when the bound on preemptions is used up must not be taken for
// one that keeps the others out for ever: the set is correct, and waits by spinning.
func TestPreemptionBound_MakesNoLivelock(t *testing.T) {
	bound := 1
	list, err := pangolin.Verify(context.Background(), pangolin.Request{
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
