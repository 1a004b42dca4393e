// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"fmt"
	"slices"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// toldOf verifies, and lists what is told on the way, in the form of results without seconds and bytes.
func toldOf(t *testing.T, r pangolin.Request) (told []string) {
	t.Helper()
	at := 0
	r.Events = pangolin.Events{
		Note:     func(text string) { told = append(told, "note "+text) },
		Position: func(p verdict.Position) { at = int(p) },
		Verdict: func(v verdict.Verdict) {
			v.Seconds, v.PeakBytes = 0, 0
			for i := range v.Asked {
				v.Asked[i].Seconds = 0
			}
			text, err := verdict.Encode(&v)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, fmt.Sprintf("verdict %d %s", at, text))
		}}
	if _, err := pangolin.Verify(repository, r); err != nil {
		t.Fatal(err)
	}
	return told
}

// Of several collections at the same time the same is told as of one after the other, in the same order.
func TestVerify_TellsOfSeveralCollectionsInTheirOrder(t *testing.T) {
	level.SkipShort(t, "verifies 19 collections three times")
	r := pangolin.Request{Packages: []string{"./collections/stack", "./collections/queue", "./collections/deque"}, Property: "all"}
	r.Scope.Config = "B"
	want := toldOf(t, r)
	for _, workers := range []int{2, 5} {
		r.Search.Workers = workers
		if got := toldOf(t, r); !slices.Equal(got, want) {
			t.Errorf("%d workers: %d texts, want %d", workers, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%s\nwant\n%s", got[i], want[i])
				}
			}
		}
	}
}

// The limit on memory is that of each search, also where several collections are verified at the same time: no verdict is unknown because of the others.
func TestVerify_GivesSeveralCollectionsTheMemoryOfOne(t *testing.T) {
	level.SkipShort(t, "verifies three collections twice")
	r := pangolin.Request{Packages: []string{"./collections/list.LazyList", "./collections/list.MichaelList", "./collections/list.HarrisList"}}
	r.Scope.Config = "D"
	list, err := pangolin.Verify(repository, r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		r.Search.MaxMemory = max(r.Search.MaxMemory, list[i].PeakBytes*5/4)
	}
	r.Search.Workers = 3
	again, err := pangolin.Verify(repository, r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range again {
		if v := &again[i]; v.Status != verdict.Verified || v.States != list[i].States {
			t.Errorf("%s: %s, %d states, want %d: %s", v.Collection, v.Status, v.States, list[i].States, v.Reason)
		}
	}
}
