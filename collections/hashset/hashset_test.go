package hashset_test

import (
	"testing"

	"pangolin/collections/hashset"
	"pangolin/collections/internal/trial"
	"pangolin/internal/test/level"
)

// sets names every set with two constructors: one so small that it grows, one so
// large that it does not. A published defect in growing, or in general, is the
// reason for which a stress test may fail.
var sets = []struct {
	name         string
	small, large func() trial.Set
	growing      string
	always       string
}{
	{"CoarseHashSet",
		func() trial.Set { return hashset.NewCoarseHashSet[int](1, 1, nil) },
		func() trial.Set { return hashset.NewCoarseHashSet[int](16, 4, nil) }, "", ""},
	{"StripedHashSet",
		func() trial.Set { return hashset.NewStripedHashSet[int](2, 1, nil) },
		func() trial.Set { return hashset.NewStripedHashSet[int](16, 4, nil) }, "", ""},
	{"RefinableHashSet",
		func() trial.Set { return hashset.NewRefinableHashSet[int](1, 1, nil) },
		func() trial.Set { return hashset.NewRefinableHashSet[int](16, 4, nil) },
		"as published, a lock may be used before it exists (COLLECT 5.4, item 3)", ""},
	{"LockFreeHashSet",
		func() trial.Set { return hashset.NewLockFreeHashSet(tight) },
		func() trial.Set { return hashset.NewLockFreeHashSet(hashset.SplitOrder[int]{}) },
		"", "as published, Remove may report one removal twice (COLLECT 5.4, item 4)"},
	{"LockFreeHashSetPatched",
		func() trial.Set { return hashset.NewLockFreeHashSetPatched(tight) },
		func() trial.Set { return hashset.NewLockFreeHashSetPatched(hashset.SplitOrder[int]{}) },
		"", "the patch leaves lost additions (COLLECT table 2, configuration D)"},
	{"RefinableHashSetRepaired",
		func() trial.Set { return hashset.NewRefinableHashSetRepaired[int](1, 1, nil) },
		func() trial.Set { return hashset.NewRefinableHashSetRepaired[int](16, 4, nil) }, "", ""},
	{"LockFreeHashSetRepaired",
		func() trial.Set { return hashset.NewLockFreeHashSetRepaired(tight) },
		func() trial.Set { return hashset.NewLockFreeHashSetRepaired(hashset.SplitOrder[int]{}) }, "", ""},
	{"StripedCuckooHashSet",
		func() trial.Set { return hashset.NewStripedCuckooHashSet(crowded) },
		func() trial.Set { return hashset.NewStripedCuckooHashSet(hashset.Cuckoo[int]{}) },
		"as published, relocate may read tables that resize has replaced (COLLECT 5.4, item 5)", ""},
	{"RefinableCuckooHashSet",
		func() trial.Set { return hashset.NewRefinableCuckooHashSet(crowded) },
		func() trial.Set { return hashset.NewRefinableCuckooHashSet(hashset.Cuckoo[int]{}) },
		"as published, a lock may be used before it exists (COLLECT 5.4, item 3)", ""},
	{"StripedCuckooHashSetRepaired",
		func() trial.Set { return hashset.NewStripedCuckooHashSetRepaired(crowded) },
		func() trial.Set { return hashset.NewStripedCuckooHashSetRepaired(hashset.Cuckoo[int]{}) }, "", ""},
	{"RefinableCuckooHashSetRepaired",
		func() trial.Set { return hashset.NewRefinableCuckooHashSetRepaired(crowded) },
		func() trial.Set { return hashset.NewRefinableCuckooHashSetRepaired(hashset.Cuckoo[int]{}) }, "", ""},
}

// tight makes a lock-free set use all its buckets soon.
var tight = hashset.SplitOrder[int]{WordSize: 6, Capacity: 8, Buckets: 2, Threshold: 1}

// crowded makes a cuckoo set relocate and resize soon.
var crowded = hashset.Cuckoo[int]{
	Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8,
	Hash0: hashset.Identity, Hash1: hashset.Identity,
}

func TestHashSets_BehaveLikeAMapSequentially(t *testing.T) {
	for _, s := range sets {
		t.Run(s.name+"/small", func(t *testing.T) { trial.SetAgainstModel(t, s.small) })
		t.Run(s.name+"/large", func(t *testing.T) { trial.SetAgainstModel(t, s.large) })
	}
}

func TestHashSets_BalanceAddsAndRemovesUnderLoad(t *testing.T) {
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			if s.always != "" {
				t.Skip(s.always)
			}
			trial.SetStress(t, s.large())
		})
	}
}

func TestHashSets_BalanceAddsAndRemovesWhileGrowing(t *testing.T) {
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			if defect := s.growing + s.always; defect != "" {
				t.Skip(defect)
			}
			level.SkipShort(t, "takes a second for each set")
			times := 1
			if level.More() {
				times = 8
			}
			for range trial.Times(times) {
				trial.SetStress(t, s.small())
			}
		})
	}
}

func TestLockFreeHashSet_TakesValuesOfEqualHashForOneAnother(t *testing.T) {
	same := func(int) uint { return 1 }
	published := hashset.NewLockFreeHashSet(hashset.SplitOrder[int]{Hash: same})
	published.Add(1)
	if published.Add(2) {
		t.Error("two values of equal hash, which the published set cannot tell apart")
	}
	repaired := hashset.NewLockFreeHashSetRepaired(hashset.SplitOrder[int]{Hash: same})
	if !repaired.Add(1) || !repaired.Add(2) || !repaired.Remove(1) || !repaired.Contains(2) {
		t.Error("the repaired set must tell values of equal hash apart")
	}
}

func TestRepairedCuckooSets_HoldAnyNumberOfValuesOfEqualHash(t *testing.T) {
	equal := crowded
	equal.Hash0 = func(int) uint { return 0 }
	equal.Hash1 = nil // derived, so equal as well
	for name, fresh := range map[string]func() trial.Set{
		"striped":   func() trial.Set { return hashset.NewStripedCuckooHashSetRepaired(equal) },
		"refinable": func() trial.Set { return hashset.NewRefinableCuckooHashSetRepaired(equal) },
	} {
		t.Run(name, func(t *testing.T) {
			trial.SetAgainstModel(t, fresh)
			trial.SetStress(t, fresh())
		})
	}
}

func TestRefinableHashSet_ReleasesItsOwnerAfterGrowing(t *testing.T) {
	s := hashset.NewRefinableHashSet[int](1, 1, nil)
	for x := range 100 {
		if !s.Add(x) {
			t.Fatalf("Add(%d) = false", x)
		}
	}
	done := make(chan bool)
	go func() { done <- s.Contains(99) }()
	if !<-done {
		t.Error("another thread misses a value")
	}
}

// SPDX-License-Identifier: BSD-3-Clause
