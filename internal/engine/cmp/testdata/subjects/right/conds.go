package right

import "sync"

// Waiting is a queue for two items under one lock, in which who finds it full or empty waits for a condition.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
type Waiting struct {
	mu       sync.Mutex
	notFull  sync.Cond
	notEmpty *sync.Cond
	items    []int
}

func NewWaiting() *Waiting {
	q := &Waiting{}
	q.notFull.L = &q.mu
	q.notEmpty = sync.NewCond(&q.mu)
	return q
}

func (q *Waiting) Put(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 2 {
		q.notFull.Wait()
	}
	q.items = append(q.items, x)
	q.notEmpty.Signal()
}

func (q *Waiting) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.notEmpty.Wait()
	}
	x := q.items[0]
	q.items = append([]int(nil), q.items[1:]...)
	q.notFull.Signal()
	return x
}

// Semaphore has one permit, which its own code says.
//
//pangolin:kind object
//pangolin:oracle self
type Semaphore struct {
	mu    sync.Mutex
	free  *sync.Cond
	taken int
}

func NewSemaphore() *Semaphore {
	s := &Semaphore{}
	s.free = sync.NewCond(&s.mu)
	return s
}

// Acquire waits for the permit.
func (s *Semaphore) Acquire() {
	s.mu.Lock()
	for s.taken == 1 {
		s.free.Wait()
	}
	s.taken = 1
	s.mu.Unlock()
}

// TryAcquire takes the permit if it is free.
func (s *Semaphore) TryAcquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == 1 {
		return false
	}
	s.taken = 1
	return true
}

// Release gives the permit back, and says whether it was taken.
func (s *Semaphore) Release() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.taken
	s.taken = 0
	s.free.Broadcast()
	return was == 1
}

// SPDX-License-Identifier: BSD-3-Clause
