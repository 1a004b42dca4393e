// SPDX-License-Identifier: BSD-3-Clause

// Package lists has chains of cells that are walked along while others change them.
package lists

import "sync"

// cell has a lock for its link.
type cell struct {
	mu   sync.Mutex
	key  int
	next *cell
}

// follow is the cell behind.
func (c *cell) follow() *cell {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.next
}

// Walked is a chain in the order of its keys; who changes it is alone, and locks the link that it changes. Keys goes along it cell by cell.
//
//pangolin:kind object
//pangolin:overlaps Keys:parts
type Walked struct {
	mu   sync.Mutex // of those that change something
	head cell
}

// before is the last cell whose key is less, and that behind it.
func (l *Walked) before(key int) (at, next *cell) {
	at = &l.head
	for next = at.follow(); next != nil && next.key < key; next = at.follow() {
		at = next
	}
	return at, next
}

func (l *Walked) Add(key int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, next := l.before(key)
	if next != nil && next.key == key {
		return false
	}
	at.mu.Lock()
	at.next = &cell{key: key, next: next}
	at.mu.Unlock()
	return true
}

func (l *Walked) Remove(key int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, next := l.before(key)
	if next == nil || next.key != key {
		return false
	}
	behind := next.follow()
	at.mu.Lock()
	at.next = behind
	at.mu.Unlock()
	return true
}

// Keys are the keys as the digits of a number, so that it ends in the greatest one.
func (l *Walked) Keys() (digits int) {
	for c := l.head.follow(); c != nil; c = c.follow() {
		digits = 10*digits + 1 + c.key
	}
	return digits
}

// Cut is Walked whose removed cells lead nowhere: who stands on one misses all keys behind it.
//
//pangolin:kind object
//pangolin:overlaps Keys:parts
type Cut struct{ Walked }

func (l *Cut) Remove(key int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, next := l.before(key)
	if next == nil || next.key != key {
		return false
	}
	behind := next.follow()
	at.mu.Lock()
	at.next = behind
	at.mu.Unlock()
	next.mu.Lock()
	next.next = nil
	next.mu.Unlock()
	return true
}
