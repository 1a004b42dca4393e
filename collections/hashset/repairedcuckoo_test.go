package hashset

import "testing"

// The tables of the repaired cuckoo sets stay within twice the number of values,
// however bad the hashes are. The published striped set resizes without end here.
func TestCuckooRepair_BoundsTablesByTheNumberOfValues(t *testing.T) {
	const values = 100
	same := Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8, Hash0: func(int) uint { return 0 }}
	striped := NewStripedCuckooHashSetRepaired(same)
	refinable := NewRefinableCuckooHashSetRepaired(same)
	for x := range values {
		if !striped.Add(x) || !refinable.Add(x) {
			t.Fatalf("Add(%d) = false", x)
		}
	}
	for _, s := range []*phased[int]{&striped.phased, &refinable.phased} {
		if capacity := s.capacity.Load(); capacity > 2*values {
			t.Errorf("%d values in tables of %d places", values, capacity)
		}
	}
	for x := range values {
		if !striped.Remove(x) || striped.Contains(x) || !refinable.Remove(x) || refinable.Contains(x) {
			t.Fatalf("%d is there still", x)
		}
	}
}

// Values that fill their probe sets in a table that is not sparse make it grow, until
// they are apart.
func TestCuckooRepair_GrowsUntilTheValuesAreApart(t *testing.T) {
	s := NewRefinableCuckooHashSetRepaired(Cuckoo[int]{Capacity: 1, ProbeSize: 2, Threshold: 1, Limit: 8,
		Hash0: Identity, Hash1: Identity})
	const values = 64
	for x := range values {
		s.Add(x)
	}
	for i := range s.table.Load() {
		for j := range s.table.Load()[i] {
			if n := s.probe(i, j).len(); n > 1 {
				t.Errorf("%d values in one probe set, want at most 1", n)
			}
		}
	}
}

// A thread whose tables were replaced between two rounds of relocation has no more to
// do there.
func TestCuckooRepair_LeavesReplacedTablesAlone(t *testing.T) {
	s := NewStripedCuckooHashSetRepaired(Cuckoo[int]{Capacity: 1, ProbeSize: 3, Threshold: 1, Limit: 8,
		Hash0: Identity, Hash1: Identity})
	s.Add(0)
	s.Add(1)
	outcome, crowded := s.repair.put(2)
	if outcome != putCrowded {
		t.Fatalf("outcome %d, want a crowded probe set", outcome)
	}
	s.resize()
	if s.capacity.Load() != 2 {
		t.Fatalf("tables of %d places, want 2", s.capacity.Load())
	}
	if !s.repair.relocate(crowded) {
		t.Error("relocate gave up on tables that are no longer there")
	}
	for x := range 3 {
		if !s.Remove(x) || s.Remove(x) {
			t.Errorf("%d was not there exactly once", x)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
