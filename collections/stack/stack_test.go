package stack_test

import (
	"testing"

	"pangolin/collections/internal/trial"
	"pangolin/collections/stack"
)

var stacks = []struct {
	name  string
	fresh func() trial.Pool
}{
	{"LockFreeStack", func() trial.Pool {
		s := stack.NewLockFreeStack[int]()
		return trial.Pool{Put: s.Push, Take: s.Pop}
	}},
	{"EliminationBackoffStack", func() trial.Pool {
		s := stack.NewEliminationBackoffStack[int](2, 8)
		return trial.Pool{Put: s.Push, Take: s.Pop}
	}},
}

func TestStacks_BehaveLikeASliceSequentially(t *testing.T) {
	for _, s := range stacks {
		t.Run(s.name, func(t *testing.T) {
			trial.PoolAgainstModel(t, s.fresh, trial.LIFO, 1000, false)
		})
	}
}

func TestStacks_LoseAndDuplicateNothingUnderLoad(t *testing.T) {
	for _, s := range stacks {
		t.Run(s.name, func(t *testing.T) {
			trial.PoolStress(t, s.fresh(), trial.LIFO)
			trial.MixedStress(t, s.fresh())
		})
	}
}

// SPDX-License-Identifier: BSD-3-Clause
