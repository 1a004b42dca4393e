// SPDX-License-Identifier: BSD-3-Clause

package wrong

import (
	"fmt"
	"sync"
)

// Constructors that put what they make where package variables lead, and operations that find it there.

type roll struct {
	enrolled *Enrolled
	rows     []int
	cell     *Cell
	atomic   *EnrolledAtomic
}

var holding = &roll{}

// Enrolled is found without its lock through a package variable that nobody writes.
type Enrolled struct {
	mu sync.Mutex
	n  int
}

func NewEnrolled() *Enrolled {
	e := &Enrolled{}
	holding.enrolled = e
	return e
}

func (e *Enrolled) Change(n int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.n += n
	return e.n
}

func (e *Enrolled) Last(n int) int { return holding.enrolled.n + n }

// EnrolledCell has a cell that is found there, and read behind the lock.
type EnrolledCell struct {
	mu   sync.Mutex
	cell *Cell
}

func NewEnrolledCell() *EnrolledCell {
	e := &EnrolledCell{cell: &Cell{}}
	holding.cell = e.cell
	return e
}

func (e *EnrolledCell) Change(n int) int {
	e.mu.Lock()
	e.cell.N += n
	e.mu.Unlock()
	return holding.cell.N
}

// EnrolledPrinted is formatted without the lock, by what the package variable leads to.
type EnrolledPrinted struct {
	mu   sync.Mutex
	rows []int
}

func NewEnrolledPrinted() *EnrolledPrinted {
	e := &EnrolledPrinted{rows: make([]int, 1)}
	holding.rows = e.rows
	return e
}

func (e *EnrolledPrinted) Change(n int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rows[0] += n
	return e.rows[0]
}

func (e *EnrolledPrinted) Text() string { return fmt.Sprintf("%+v", holding) }

// EnrolledAtomic is changed through the package variable, under the lock of the one that is asked.
type EnrolledAtomic struct {
	mu sync.Mutex
	n  int
}

func NewEnrolledAtomic() *EnrolledAtomic {
	e := &EnrolledAtomic{}
	holding.atomic = e
	return e
}

func (e *EnrolledAtomic) Change(n int) int {
	e.n++
	holding.atomic.mu.Lock()
	defer holding.atomic.mu.Unlock()
	holding.atomic.n += n
	return holding.atomic.n
}
