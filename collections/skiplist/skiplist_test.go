package skiplist_test

import (
	"testing"

	"pangolin/collections/internal/trial"
	"pangolin/collections/skiplist"
)

var lists = []struct {
	name  string
	fresh func() trial.Set
}{
	{"LazySkipList", func() trial.Set { return skiplist.NewLazySkipList[int](3, nil) }},
	{"LazySkipListTall", func() trial.Set { return skiplist.NewLazySkipList[int](1, skiplist.Tall) }},
	{"LazySkipListRepaired", func() trial.Set { return skiplist.NewLazySkipListRepaired[int](3, nil) }},
	{"LazySkipListRepairedTall", func() trial.Set { return skiplist.NewLazySkipListRepaired[int](1, skiplist.Tall) }},
	{"LockFreeSkipList", func() trial.Set { return skiplist.NewLockFreeSkipList[int](3, nil) }},
	{"LockFreeSkipListTall", func() trial.Set { return skiplist.NewLockFreeSkipList[int](1, skiplist.Tall) }},
	{"LockFreeSkipListFlat", func() trial.Set { return skiplist.NewLockFreeSkipList[int](0, nil) }},
}

func TestSkipLists_BehaveLikeAMapSequentially(t *testing.T) {
	for _, l := range lists {
		t.Run(l.name, func(t *testing.T) { trial.SetAgainstModel(t, l.fresh) })
	}
}

func TestSkipLists_BalanceAddsAndRemovesUnderLoad(t *testing.T) {
	for _, l := range lists {
		t.Run(l.name, func(t *testing.T) { trial.SetStress(t, l.fresh()) })
	}
}

func TestCoin_DrawsEveryLevel(t *testing.T) {
	seen := [4]bool{}
	for range 1000 {
		seen[skiplist.Coin(3)] = true
	}
	if seen != [4]bool{true, true, true, true} {
		t.Errorf("levels drawn: %v", seen)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
