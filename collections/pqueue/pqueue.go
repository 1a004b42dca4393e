// Package pqueue holds the priority queues of Herlihy, Shavit, Luchangco and Spear,
// The Art of Multiprocessor Programming (2nd ed. 2020), chapter 15:
//
//	SimpleLinear          15.2    an array of bins, one for each score
//	SimpleTree            15.3    bins below a tree of counters
//	SimpleTreeRepaired            the same with our repair: locks, hand over hand
//	FineGrainedHeap       15.4.2  a heap with a lock per node (Hunt et al. 1996)
//	FineGrainedHeapFair           the same with fair locks
//	FineGrainedHeapPatched        the same with our repairs
//	SkipQueue             15.5    a lock-free skip list (Lotan and Shavit 2000)
//	SkipQueueOriginal             the same as first printed (2008)
//
// Add inserts an item with a score, RemoveMin removes an item of the least score or
// says false if it found the queue empty. None of them waits for anything but locks.
//
// SimpleLinear, SimpleTree and SkipQueue are meant to be quiescently consistent
// only; SimpleTree is not even that, and the published heaps deadlock (see the types).
// SimpleLinear and the trees take scores below a fixed range; SkipQueue takes each score at most
// once; the heaps have a fixed capacity. There is no way to change a score.
//
// Faithful are the steps and the order of locks. Fields that a thread may read
// while another writes them without a common lock are atomic.
package pqueue

import "sync"

// A bin holds the items of one score, in no particular order.
type bin[T any] struct {
	mu    sync.Mutex
	items []T
}

func (b *bin[T]) put(x T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, x)
}

// take removes an item, or says that there is none.
func (b *bin[T]) take() (item T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.items) - 1
	if last < 0 {
		return item, false
	}
	item = b.items[last]
	b.items = b.items[:last]
	return item, true
}

// SPDX-License-Identifier: BSD-3-Clause
