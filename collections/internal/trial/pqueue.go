package trial

import (
	"math/rand/v2"
	"testing"
)

// A PQueue is what the priority queues have in common.
type PQueue interface {
	Add(item, score int)
	RemoveMin() (int, bool)
}

// PQueueAgainstModel compares a new priority queue with a set of scores on random
// operations with distinct scores below span; an item equals its score. If
// emptyToo is false it never removes from an empty queue.
func PQueueAgainstModel(t *testing.T, fresh func() PQueue, span int, emptyToo bool) {
	t.Helper()
	for seed := range uint64(Times(8)) {
		rng := rand.New(rand.NewPCG(seed, 4))
		queue, model := fresh(), map[int]bool{}
		for range 400 {
			score := rng.IntN(span)
			switch add := rng.IntN(2) == 0; {
			case add && !model[score]:
				queue.Add(score, score)
				model[score] = true
			case !add && (emptyToo || len(model) > 0):
				removeBoth(t, queue, model, span)
			}
		}
	}
}

// removeBoth removes the minimum from the queue and from the model and compares.
func removeBoth(t *testing.T, queue PQueue, model map[int]bool, span int) {
	t.Helper()
	got, ok := queue.RemoveMin()
	for score := range span {
		if !model[score] {
			continue
		}
		if !ok || got != score {
			t.Fatalf("RemoveMin = (%d, %t), want %d", got, ok, score)
		}
		delete(model, score)
		return
	}
	if ok {
		t.Fatalf("RemoveMin = %d from an empty queue", got)
	}
}

// PQueueStress adds distinct scores below Threads*perThread in several threads,
// half of the threads also removing; what remains must come out in order, and
// every item exactly once.
func PQueueStress(t *testing.T, queue PQueue, perThread int) {
	t.Helper()
	taken := make([][]int, Threads+1)
	inParallel(Threads, func(thread int) {
		for i := range perThread {
			score := i*Threads + thread
			queue.Add(score, score)
			if thread%2 == 0 {
				if x, ok := queue.RemoveMin(); ok {
					taken[thread] = append(taken[thread], x)
				}
			}
		}
	})
	last := -1
	for {
		x, ok := queue.RemoveMin()
		if !ok {
			break
		}
		if x < last {
			t.Fatalf("%d came out after %d with nobody adding", x, last)
		}
		last = x
		taken[Threads] = append(taken[Threads], x)
	}
	checkOnce(t, taken, Threads*perThread)
}

// SPDX-License-Identifier: BSD-3-Clause
