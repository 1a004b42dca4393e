// SPDX-License-Identifier: BSD-3-Clause

package right

import (
	"sync"
	"sync/atomic"
)

// Constructors that put what they make where package variables lead. Nobody but the operations uses it.

var (
	enrolling sync.Mutex
	enrolled  = map[string]*Enrolled{}
	inOrder   []*Enrolled
	tallies   sync.Map
)

// Enrolled is in a map and in a slice under another lock.
type Enrolled struct {
	mu    sync.Mutex
	marks map[string]int
}

func NewEnrolled() *Enrolled {
	enrolling.Lock()
	defer enrolling.Unlock()
	e := &Enrolled{marks: map[string]int{}}
	enrolled["e"] = e
	inOrder = append(inOrder, e)
	return e
}

func (e *Enrolled) Mark(subject string, n int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	was := e.marks[subject]
	e.marks[subject] = n
	return was
}

// Tallied is in a sync.Map, and its operations are atomic.
type Tallied struct{ n atomic.Int64 }

func NewTallied() *Tallied {
	t := &Tallied{}
	tallies.Store("t", t)
	t.n.Store(1)
	return t
}

func (t *Tallied) Add(n int) int { return int(t.n.Add(int64(n))) }
