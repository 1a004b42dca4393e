// SPDX-License-Identifier: BSD-3-Clause

package client

// Recorded is the plan of a recording: it only knows the pre-adds, since the calls are
// made by whoever follows the recording.
type Recorded struct {
	pre []Step
	own []uint64
}

// NewRecorded makes the plan of a recording with so many threads.
func NewRecorded(pre []Step, threads int) *Recorded {
	return &Recorded{pre, make([]uint64, threads)}
}

// Variants is 1.
func (r *Recorded) Variants() int { return 1 }

// Start gives the pre-adds.
func (r *Recorded) Start(int) (pre []Step, all uint64, own []uint64) { return r.pre, 0, r.own }

// Calls appends nothing.
func (r *Recorded) Calls(dst []int, _, _ uint64) []int { return dst }

// Make must not be called.
func (r *Recorded) Make(int, uint64, uint64) (Step, uint64, uint64) {
	panic("client: a recording makes no calls")
}

// Done is always true.
func (r *Recorded) Done(uint64, []uint64, ThreadSet) bool { return true }
