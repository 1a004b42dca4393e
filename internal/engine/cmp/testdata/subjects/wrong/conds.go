package wrong

import "sync"

// Woken is a queue in which Take looks once whether there is an item: who is woken may find that another one has taken it.
//
//pangolin:kind queue
//pangolin:protocol bounded(2)
type Woken struct {
	mu       sync.Mutex
	notFull  *sync.Cond
	notEmpty *sync.Cond
	items    []int
}

func NewWoken() *Woken {
	q := &Woken{}
	q.notFull, q.notEmpty = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

func (q *Woken) Put(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 2 {
		q.notFull.Wait()
	}
	q.items = append(q.items, x)
	q.notEmpty.Signal()
}

func (q *Woken) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.notEmpty.Wait()
	}
	if len(q.items) == 0 {
		return 0
	}
	x := q.items[0]
	q.items = append([]int(nil), q.items[1:]...)
	q.notFull.Signal()
	return x
}

// Unheld is a set in which Remove waits for a condition without the lock that belongs to it.
type Unheld struct {
	mu   sync.Mutex
	cond *sync.Cond
	owned
}

func NewUnheld() *Unheld {
	s := &Unheld{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

func (s *Unheld) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.cond.Broadcast()
	return s.put(x, true)
}

func (s *Unheld) Remove(x int) bool {
	s.mu.Lock()
	was := s.put(x, false)
	s.mu.Unlock()
	if !was {
		s.cond.Wait()
	}
	return was
}

// Unlocks is a set whose Add relies on the lock that it has taken, across a condition for which it waits.
type Unlocks struct {
	mu   sync.Mutex
	cond *sync.Cond
	owned
}

func NewUnlocks() *Unlocks {
	s := &Unlocks{}
	s.cond = sync.NewCond(&s.mu)
	return s
}

func (s *Unlocks) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.here[x]
	if was {
		s.cond.Wait()
	}
	s.here[x] = true
	return !was
}

func (s *Unlocks) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.cond.Broadcast()
	return s.put(x, false)
}

// SPDX-License-Identifier: BSD-3-Clause
