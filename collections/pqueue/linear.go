package pqueue

// A SimpleLinear is an array of bins; RemoveMin looks into one after the other
// (section 15.2). It is quiescently consistent, not linearizable: RemoveMin may pass
// a bin just before an item is put into it.
//
//pangolin:new NewSimpleLinear[int](8)
//pangolin:property quiescent
type SimpleLinear[T any] struct {
	bins []bin[T]
}

// NewSimpleLinear returns an empty queue for scores from 0 to limit-1.
func NewSimpleLinear[T any](limit int) *SimpleLinear[T] {
	return &SimpleLinear[T]{make([]bin[T], limit)}
}

// Add inserts item; it panics if the score is out of range.
func (q *SimpleLinear[T]) Add(item T, score int) {
	q.bins[score].put(item)
}

// RemoveMin removes an item of the least score it finds, or says that it found none.
func (q *SimpleLinear[T]) RemoveMin() (T, bool) {
	for i := range q.bins {
		if item, ok := q.bins[i].take(); ok {
			return item, true
		}
	}
	var none T
	return none, false
}

// SPDX-License-Identifier: BSD-3-Clause
