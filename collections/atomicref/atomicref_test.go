package atomicref_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"pangolin/collections/atomicref"
)

// The pairs of a pointer and a mark or stamp, by one goroutine and by many.

func TestMarkable_ZeroValueIsUnmarkedZero(t *testing.T) {
	var m atomicref.Markable[int]
	if v, mark := m.Get(); v != 0 || mark {
		t.Errorf("zero value holds (%d, %t)", v, mark)
	}
	if !m.CompareAndSet(0, 7, false, true) {
		t.Error("the zero pair is not (0, false)")
	}
	if v, mark := m.Get(); v != 7 || !mark {
		t.Errorf("holds (%d, %t), want (7, true)", v, mark)
	}
}

func TestMarkable_CompareAndSetComparesBothHalves(t *testing.T) {
	var m atomicref.Markable[int]
	m.Set(1, true)
	if m.CompareAndSet(1, 2, false, false) {
		t.Error("replaced a pair with another mark")
	}
	if m.CompareAndSet(2, 3, true, false) {
		t.Error("replaced a pair with another value")
	}
	if !m.CompareAndSet(1, 1, true, true) {
		t.Error("replacing a pair by itself failed")
	}
}

func TestMarkable_AttemptMarkSucceedsOnAMarkedValue(t *testing.T) {
	var m atomicref.Markable[int]
	m.Set(1, false)
	for range 2 {
		if !m.AttemptMark(1, true) {
			t.Error("AttemptMark must succeed whether or not the mark was set")
		}
	}
	if m.AttemptMark(2, true) {
		t.Error("AttemptMark succeeded for another value")
	}
}

func TestStamped_CompareAndSetComparesBothHalves(t *testing.T) {
	var s atomicref.Stamped[string]
	if !s.CompareAndSet("", "a", 0, 1) {
		t.Fatal("the zero pair is not (\"\", 0)")
	}
	if s.CompareAndSet("a", "b", 0, 1) || s.CompareAndSet("b", "c", 1, 2) {
		t.Error("replaced a different pair")
	}
	if v, stamp := s.Get(); v != "a" || stamp != 1 {
		t.Errorf("holds (%q, %d), want (\"a\", 1)", v, stamp)
	}
}

func TestMarkable_OneOfManyWinsEachTransition(t *testing.T) {
	const threads, rounds = 4, 1000
	var m atomicref.Markable[int]
	var wins atomic.Int64
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for i := range rounds {
				if m.CompareAndSet(i, i+1, false, false) {
					wins.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := wins.Load(); got != int64(m.Value()) {
		t.Errorf("%d transitions won, value %d", got, m.Value())
	}
}

// SPDX-License-Identifier: BSD-3-Clause
