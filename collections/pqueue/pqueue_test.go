package pqueue_test

import (
	"testing"

	"pangolin/collections/internal/trial"
	"pangolin/collections/pqueue"
)

// The priority queues, in order by one goroutine and complete under load.

const span = 64 // scores of the sequential tests

// queues names every queue; a published defect is the reason for which the stress
// test may fail, and nonempty says that the queue must not be asked when empty.
var queues = []struct {
	name     string
	fresh    func(scores int) trial.PQueue
	nonempty bool
	defect   string
}{
	{"SimpleLinear", func(n int) trial.PQueue { return pqueue.NewSimpleLinear[int](n) }, false, ""},
	{"SimpleTree", func(n int) trial.PQueue { return pqueue.NewSimpleTree[int](log(n)) }, false, ""},
	{"SimpleTreeRepaired", func(n int) trial.PQueue { return pqueue.NewSimpleTreeRepaired[int](log(n)) }, false, ""},
	{"FineGrainedHeap", func(n int) trial.PQueue { return pqueue.NewFineGrainedHeap[int](n) }, true, heapDefect},
	{"FineGrainedHeapFair", func(n int) trial.PQueue { return pqueue.NewFineGrainedHeapFair[int](n) }, true, heapDefect},
	{"FineGrainedHeapPatched", func(n int) trial.PQueue { return pqueue.NewFineGrainedHeapPatched[int](n) }, false, ""},
	{"SkipQueue", func(int) trial.PQueue { return pqueue.NewSkipQueue[int](4, nil) }, false, ""},
	{"SkipQueueTall", func(int) trial.PQueue { return pqueue.NewSkipQueue[int](1, pqueue.Tall) }, false, ""},
	{"SkipQueueOriginal", func(int) trial.PQueue { return pqueue.NewSkipQueueOriginal[int](4, nil) }, false,
		"as published, RemoveMin may spin on a marked node (COLLECT 5.4, item 9)"},
}

const heapDefect = "as published, Add and RemoveMin may deadlock, and the queue must not be empty (COLLECT 5.4, item 8)"

// log returns the least k with 2^k >= n.
func log(n int) int {
	k := 0
	for 1<<k < n {
		k++
	}
	return k
}

func TestQueues_RemoveInOrderOfScoreSequentially(t *testing.T) {
	for _, q := range queues {
		t.Run(q.name, func(t *testing.T) {
			fresh := func() trial.PQueue { return q.fresh(span) }
			trial.PQueueAgainstModel(t, fresh, span, !q.nonempty)
		})
	}
}

func TestQueues_LoseAndDuplicateNothingUnderLoad(t *testing.T) {
	const perThread = 100
	for _, q := range queues {
		t.Run(q.name, func(t *testing.T) {
			if q.defect != "" {
				t.Skip(q.defect)
			}
			for range 3 {
				trial.PQueueStress(t, q.fresh(trial.Threads*perThread), perThread)
			}
		})
	}
}

func TestSimpleLinear_KeepsItemsOfEqualScore(t *testing.T) {
	q := pqueue.NewSimpleLinear[string](1)
	q.Add("a", 0)
	q.Add("b", 0)
	first, _ := q.RemoveMin()
	second, ok := q.RemoveMin()
	if !ok || first == second {
		t.Errorf("removed %q and %q", first, second)
	}
}

// The second removal of an empty heap goes below its array, as published.
func TestFineGrainedHeap_BreaksWhenEmptyAsPublished(t *testing.T) {
	q := pqueue.NewFineGrainedHeap[int](4)
	if x, ok := q.RemoveMin(); ok {
		t.Fatalf("removed %d from an empty heap", x)
	}
	q.Add(1, 1)
	if x, ok := q.RemoveMin(); ok {
		t.Errorf("found %d, which the published heap loses", x)
	}
}

func TestCoin_DrawsEveryLevel(t *testing.T) {
	seen := [4]bool{}
	for range 1000 {
		seen[pqueue.Coin(3)] = true
	}
	if seen != [4]bool{true, true, true, true} {
		t.Errorf("levels drawn: %v", seen)
	}
}

// SPDX-License-Identifier: BSD-3-Clause
