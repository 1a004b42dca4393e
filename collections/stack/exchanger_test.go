package stack

import (
	"sync"
	"testing"
)

func TestExchanger_GivesUpAloneAndLeavesTheSlotFree(t *testing.T) {
	var e exchanger[int]
	one := 1
	if other, ok := e.exchange(&one, 3); ok {
		t.Errorf("exchanged with nobody for %v", other)
	}
	if _, stamp := e.slot.Get(); stamp != slotFree {
		t.Errorf("slot left with stamp %d", stamp)
	}
}

func TestExchanger_SwapsOffersOfTwoThreads(t *testing.T) {
	var e exchanger[int]
	var got [2]int
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			for {
				if other, ok := e.exchange(&i, 100); ok {
					got[i] = *other
					return
				}
			}
		})
	}
	wg.Wait()
	if got != [2]int{1, 0} {
		t.Errorf("threads 0 and 1 got %v", got)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
