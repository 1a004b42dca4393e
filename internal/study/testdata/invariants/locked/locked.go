// SPDX-License-Identifier: BSD-3-Clause

// Package locked has chains whose invariants take the lock, so that they are operations: pangolin prove proves them with the others, for any number of threads.
package locked

import "sync"

type cell struct {
	key  int
	next *cell
}

// chain has a lock, and its length.
type chain struct {
	mu   sync.Mutex
	head *cell
	size int
}

// Sorted says that each key is less than the next.
func (s *chain) Sorted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := s.head; c != nil && c.next != nil; c = c.next {
		if c.key >= c.next.key {
			return false
		}
	}
	return true
}

// Sized says that the size is the chain's length.
func (s *chain) Sized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for c := s.head; c != nil; c = c.next {
		n++
	}
	return n == s.size
}

// Ends says that no cell is reached twice: two fingers, of which one goes twice as fast, do not meet.
func (s *chain) Ends() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	slow := s.head
	for fast := s.head; fast != nil && fast.next != nil; {
		if slow, fast = slow.next, fast.next.next; slow == fast {
			return false
		}
	}
	return true
}

func (s *chain) at(key int) **cell {
	at := &s.head
	for *at != nil && (*at).key < key {
		at = &(*at).next
	}
	return at
}

func (s *chain) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at != nil && (*at).key == key {
		return false
	}
	*at = &cell{key, *at}
	s.size++
	return true
}

func (s *chain) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at == nil || (*at).key != key {
		return false
	}
	*at = (*at).next
	s.size--
	return true
}

// plain says what is right: the invariants are true.
type plain struct{ has [8]bool }

func (p *plain) put(key int, is bool) (was bool) {
	was, p.has[key] = p.has[key], is
	return was
}

func (p *plain) Add(key int) bool    { return !p.put(key, true) }
func (p *plain) Remove(key int) bool { return p.put(key, false) }
func (p *plain) Touch(key int) bool  { return p.has[key] }
func (p *plain) Sorted() bool        { return true }
func (p *plain) Sized() bool         { return true }
func (p *plain) Ends() bool          { return true }

// Kept is a set of keys in order, with its size.
//
//pangolin:kind object
//pangolin:ops Add,Remove,Sorted,Sized,Ends
//pangolin:oracle plain
type Kept struct{ chain }

// Appended puts a key at the end.
//
//pangolin:kind object
//pangolin:ops Add,Remove,Sorted,Sized,Ends
//pangolin:oracle plain
type Appended struct{ chain }

// find is the link to the key, or the last link.
func (s *Appended) find(key int) **cell {
	at := &s.head
	for *at != nil && (*at).key != key {
		at = &(*at).next
	}
	return at
}

func (s *Appended) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(key)
	if *at != nil {
		return false
	}
	*at = &cell{key, nil}
	s.size++
	return true
}

func (s *Appended) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.find(key)
	if *at == nil {
		return false
	}
	*at = (*at).next
	s.size--
	return true
}

// Forgot forgets to count where nothing is left.
//
//pangolin:kind object
//pangolin:ops Add,Remove,Sorted,Sized,Ends
//pangolin:oracle plain
type Forgot struct{ chain }

func (s *Forgot) Remove(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.at(key)
	if *at == nil || (*at).key != key {
		return false
	}
	*at = (*at).next
	if s.head != nil {
		s.size--
	}
	return true
}

// Touched knows the cell of each key, and brings it to the front; the others follow as they were.
//
//pangolin:kind object
//pangolin:ops Add,Touch,Ends
//pangolin:oracle plain
type Touched struct {
	chain
	of [8]*cell
}

func (s *Touched) Add(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[key] != nil {
		return false
	}
	s.head = &cell{key, s.head}
	s.of[key] = s.head
	return true
}

func (s *Touched) Touch(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.of[key]
	if c == nil {
		return false
	}
	at := &s.head
	for *at != c {
		at = &(*at).next
	}
	*at = c.next
	s.head, c.next = c, s.head
	return true
}

// Knotted does not take it out of its old place, unless that is the first.
//
//pangolin:kind object
//pangolin:ops Add,Touch,Ends
//pangolin:oracle plain
type Knotted struct{ Touched }

func (s *Knotted) Touch(key int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.of[key]
	if c == nil {
		return false
	}
	if c != s.head {
		s.head, c.next = c, s.head
	}
	return true
}
