// SPDX-License-Identifier: BSD-3-Clause

package cmp_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What is proved, what must not be, and what a proof says of its bounds.

// proved are collections of which there is a proof. Those in testdata, but for none, and the hash
// sets are outside of what the engine unbounded treats.
var proved = []struct {
	dir, typ string
	items    int
	long     bool
}{
	{"../../../collections/stack", "LockFreeStack", 2, false},
	{"../../../collections/queue", "UnboundedQueue", 2, false},
	{"../../../collections/list", "CoarseList", 2, false},
	{"../../../collections/list", "FineList", 2, false},
	{"../../../collections/list", "FineList", 3, false},
	{"../../../collections/list", "OptimisticList", 1, false},
	{"../../../collections/list", "LazyList", 1, false},
	{"../../../collections/list", "LockFreeList", 2, false},
	{"../../../collections/list", "OptimisticList", 2, true},
	{"../../../collections/list", "LazyList", 2, true},
	{"../../../collections/list", "LockFreeList", 3, true},
	{"../../../collections/hashset", "CoarseHashSet", 2, false},
	{"../../../collections/hashset", "StripedHashSet", 2, false},
	{"testdata/subjects/right", "Ring", 2, false},
	{"testdata/subjects/right", "SPSC", 2, false},
	{"testdata/subjects/right", "Heap", 2, false},
	{"testdata/subjects/right", "Heap", 3, false},
	{"testdata/subjects/right", "Tree", 3, false},
	{"testdata/subjects/right", "BitSet", 2, false},
	{"testdata/subjects/right", "Map", 2, false},
	{"testdata/subjects/right", "CopySet", 2, false},
	{"testdata/subjects/right", "ArrayStack", 2, false},
	{"testdata/subjects/right", "CopyStack", 2, false},
	{"testdata/subjects/right", "Deque", 2, false},
	{"testdata/subjects/right", "Buckets", 2, false},
	{"testdata/subjects/right", "Owned", 2, false},
	{"testdata/subjects/right", "Nested", 2, false},
	{"testdata/subjects/right", "HandedOver", 2, false},
	{"testdata/subjects/right", "Notes", 2, false},
	{"testdata/subjects/right", "Spun", 2, false},
	{"testdata/subjects/right", "Striped", 2, false},
	{"testdata/subjects/right", "Mailbox", 2, false},
	{"testdata/subjects/right", "Nodes", 2, false},
	{"testdata/subjects/right", "Renewed", 2, false},
	{"testdata/subjects/right", "Listed", 2, false},
	{"testdata/subjects/right", "Waiting", 2, false},
	{"testdata/subjects/right", "Semaphore", 2, false},
	{"../../../collections/queue", "BoundedQueue", 2, true},
	{"../../../collections/lock", "Reentrant", 2, false},
	{"testdata/subjects/right", "Named", 2, false},
	{"testdata/subjects/right", "Words", 2, false},
	{"testdata/subjects/right", "Looked", 2, false},
	{"testdata/subjects/right", "Linked", 2, false},
	{"testdata/subjects/right", "Shards", 2, false},
	{"testdata/subjects/right", "Steady", 2, false},
}

// verify asks the engine about one type.
func verify(t *testing.T, dir, typ string, items int) verdict.Verdict {
	t.Helper()
	r := pangolin.Request{Dir: dir, Type: typ, Engine: "cmp", Scope: pangolin.Scope{Items: items}}
	r.Search.MaxStates = 400_000
	list, err := pangolin.Verify(repository, r)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestEngine_ProvesTheCollections(t *testing.T) {
	for i, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() && i > 0 {
				t.Skip("the first will do in short")
			}
			if c.long && !level.All() || i%3 != 0 && !level.More() {
				t.Skip("takes long (-level all), or every third will do (-level more)")
			}
			v := verify(t, c.dir, c.typ, c.items)
			if v.Status != verdict.Proved {
				t.Fatalf("%s: %s", v.Status, v.Reason)
			}
			t.Logf("%d views, %d effects, %.2fs: %s", v.Proof.Views, v.Proof.Effects, v.Seconds, v.Proof.Content)
		})
	}
}

// refused are collections of which there may be no proof, with what is said in its place.
var refused = []struct {
	typ    string
	status verdict.Status
	reason string
}{
	{"SPSC", verdict.Violated, "no order"},
	{"Early", verdict.Violated, "no order"},
	{"Bits", verdict.Violated, "no order"},
	{"OneLock", verdict.Violated, "data race"},
	{"Unread", verdict.Violated, "data race"},
	{"Busy", verdict.Violated, "no order"},
	{"Shy", verdict.Violated, "no order"},
	{"Three", verdict.Unknown, "has not taken effect"},
	{"Handed", verdict.Unknown, "the constructor leaves a lock taken"},
	{"HandedOn", verdict.Unknown, "given back by a thread that has not taken it"},
	{"Nonzero", verdict.Violated, "no order"},
	{"Spins", verdict.Violated, "for ever"},
	{"Reread", verdict.Violated, "no order"},
	{"Repeats", verdict.Violated, "no order"},
	{"Readers", verdict.Violated, "no order"},
	{"Sneaks", verdict.Violated, "no order"},
	{"Cells", verdict.Violated, "data race"}, // cells of two threads had the same number, and were taken for one that is locked
	{"Back", verdict.Violated, "no order"},
	{"Many", verdict.Unknown, "more with the number of a thread than compare it"},
	{"Maker", verdict.Unknown, "the constructor asks for the number of its thread"},
	{"Signed", verdict.Unknown, "Pop() returns the number of a thread"},
	{"GivenTwice", verdict.Violated, "data race"},
	{"Inherits", verdict.Violated, "data race"},
	{"Greeted", verdict.Violated, "no order"},
	{"Remembered", verdict.Violated, "no order"},
	{"TakenBack", verdict.Violated, "no order"},
	{"Woken", verdict.Violated, "no order"},
	{"Unlocks", verdict.Violated, "wait for ever"},
	{"Unheld", verdict.Unknown, ""},
	{"Loose", verdict.Violated, "data race"},
	{"Steals", verdict.Violated, "data race"},
	{"TwoWords", verdict.Violated, "data race"},
	{"Again", verdict.Violated, "data race"},
	{"Hasty", verdict.Violated, "data race"},
	{"Replaced", verdict.Violated, "data race"},
	{"Born", verdict.Violated, "data race"},
	{"Impostor", verdict.Violated, "no order"},
	{"Entries", verdict.Violated, "data race"},
	{"Deposed", verdict.Violated, "no order"},
	{"WritesReading", verdict.Violated, "data race"},
	{"Upgrades", verdict.Violated, "wait for ever"},
	{"LeavesEarly", verdict.Violated, "data race"},
	{"WritesLate", verdict.Violated, "data race"},
	{"ReadsTwice", verdict.Violated, "wait for ever"},
	{"Unlooked", verdict.Violated, "no order"},
	{"LeavesTwice", verdict.Unknown, "given back by a thread that has not taken it"},
	{"LeavesAsWriter", verdict.Unknown, "given back by a thread that has not taken it"},
	{"Stays", verdict.Unknown, "may hold a lock for reading more than 4 times"},
	{"Copied", verdict.Unknown, "overwritten"},
	{"Counts", verdict.Unknown, "overwritten"},
	{"Tries", verdict.Violated, "no order"},
	{"TriesToWrite", verdict.Violated, "no order"},
	{"Bottom", verdict.Violated, "no order"},
	{"Between", verdict.Violated, "no order"},
	{"LostUpdate", verdict.Violated, "no order"},
	{"Crossed", verdict.Violated, "wait for ever"},
	{"OtherShard", verdict.Violated, "data race"},
	{"LinkedEarly", verdict.Violated, "no order"},
	{"Wavers", verdict.Violated, "panic"},
}

func TestEngine_ProvesNothingThatIsWrong(t *testing.T) {
	for i, c := range refused {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() && i > 0 {
				t.Skip("the first will do in short")
			}
			v := verify(t, "testdata/subjects/wrong", c.typ, 2)
			if v.Status != c.status || !strings.Contains(v.Reason, c.reason) {
				t.Errorf("%s: %s, want %s: %s", v.Status, v.Reason, c.status, c.reason)
			}
			// Of these a deadlock alone is wrong, which a proof does not speak of, or the table has no end.
			if unalarmed := slices.Contains([]string{"ReadsTwice", "Crossed", "Stays"}, c.typ); !unalarmed && (v.Proof == nil || v.Proof.Alarm == nil) {
				t.Errorf("nothing says what stands in the way of a proof")
			}
		})
	}
}

// TestEngine_SaysWhatIsBounded looks at the scope of a proof, which names every bound.
func TestEngine_SaysWhatIsBounded(t *testing.T) {
	level.SkipShort(t, "proves a set")
	v := verify(t, "testdata/subjects/right", "BitSet", 2)
	want := []verdict.Limit{{Name: "threads, calls", Value: "any number"}, {Name: "values", Value: "0..1", Range: true}}
	if !reflect.DeepEqual(v.Scope.Limits, want) {
		t.Errorf("the scope is %v, want %v", v.Scope.Limits, want)
	}
}

// TestProve_IsAboutSeveralInstances tries collections that share package variables: a table has only one of them, so that nothing is proved
// unless variables are only read. One sets finalizers, which nothing in a table runs.
func TestProve_IsAboutSeveralInstances(t *testing.T) {
	for i, c := range []struct{ typ, why string }{
		{"Scratch", "writes the package variable shared.scratch"},
		{"Restored", "writes the package variable shared.restored"},
		{"Numbered", "the constructor writes the package variable shared.made"},
		{"Behind", "writes memory to which package variables lead"},
		{"Locked", "writes the package variable shared.lock"},
		{"Finalized", "finalizers may run at any time"},
		{"Reading", ""},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() && i > 0 {
				t.Skip("the first will do in short")
			}
			v := verify(t, "testdata/subjects/shared", c.typ, 2)
			switch {
			case c.why == "" && v.Status != verdict.Proved, c.why != "" && (v.Status != verdict.Unknown || !strings.Contains(v.Reason, c.why)):
				t.Errorf("%s: %s, want %q", v.Status, v.Reason, c.why)
			}
		})
	}
}

// TestEngine_AgreesWithTheOthers asks the bounded engine about what is proved, with up to three
// calls, and the engine that bounds nothing about what may be in its fragment.
func TestEngine_AgreesWithTheOthers(t *testing.T) {
	level.SkipShort(t, "takes long")
	ask := func(r pangolin.Request) verdict.Verdict {
		t.Helper()
		r.Search.MaxStates = 100_000
		list, err := pangolin.Verify(repository, r)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	for i, c := range proved {
		if c.long || i%5 != 0 && !level.More() {
			continue
		}
		bounds := pangolin.Scope{Config: "2x3x0"}
		if slices.Contains([]string{"BitSet", "Nested", "HandedOver", "Spun", "Striped", "Renewed"}, c.typ) { // keys beyond its words
			bounds.Values = 2
		}
		v := ask(pangolin.Request{Dir: c.dir, Type: c.typ, Scope: bounds})
		if v.Status == verdict.Violated {
			t.Errorf("%s is proved, and violated in %s: %s", c.typ, bounds.Config, v.Reason)
		}
		if !slices.Contains([]string{"LockFreeStack", "UnboundedQueue", "CoarseList", "FineList"}, c.typ) {
			continue
		}
		if v := ask(pangolin.Request{Dir: c.dir, Type: c.typ, Engine: "unbounded"}); v.Status != verdict.Proved {
			t.Errorf("%s is proved by one engine, and by the other %s: %s", c.typ, v.Status, v.Reason)
		}
	}
	for i, c := range refused {
		if i%4 != 0 && !level.More() {
			continue
		}
		if v := ask(pangolin.Request{Dir: "testdata/subjects/wrong", Type: c.typ, Engine: "unbounded"}); v.Status == verdict.Proved {
			t.Errorf("%s is not correct, and the engine unbounded proves it", c.typ)
		}
	}
}

// TestEngine_SaysWhatItHasNotReached looks at a ring that grows when it holds more than three
// elements.
func TestEngine_SaysWhatItHasNotReached(t *testing.T) {
	level.SkipShort(t, "proves a ring")
	v := verify(t, "testdata/subjects/right", "Ring", 2)
	want := []string{"right.go:27", "right.go:28", "right.go:29", "right.go:31"}
	if !slices.Equal(v.Proof.Unreached, want) {
		t.Errorf("never reached are %q, want %q", v.Proof.Unreached, want)
	}
}
