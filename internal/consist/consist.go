// SPDX-License-Identifier: BSD-3-Clause

// Package consist judges concurrent histories against a sequential
// specification: linearizability (L), sequential consistency (SC) and quiescent
// consistency (QC), each for complete and for stuck histories, as COLLECT,
// definition 2.1, has them.
//
// It does so twice. Check takes one history and looks for a permutation, as the
// definition says; it is slow, and explains why none fits. Monitor follows a
// history event by event and is what a search carries in its states: small
// numbers that stand for sets of configurations, with every transition
// remembered.
//
// The package produces no histories, knows nothing about threads being blocked
// or about cycles (whoever asks StuckOK must know that the threads never return),
// and does not decide which values are interchangeable.
package consist

import (
	"fmt"

	"pangolin/oracle"
	"pangolin/verdict"
)

// Property is a consistency property.
type Property = verdict.Property

// The properties.
const (
	Linear     = verdict.Linear
	Sequential = verdict.Sequential
	Quiescent  = verdict.Quiescent
)

// MaxThreads is the most threads a monitor can follow.
const MaxThreads = 8

// ThreadSet is a set of threads, counted from 0, one bit each.
type ThreadSet uint8

// Has reports whether a thread is in the set.
func (s ThreadSet) Has(thread int) bool { return s>>thread&1 != 0 }

// With is the set with a thread added.
func (s ThreadSet) With(thread int) ThreadSet { return s | 1<<thread }

// Without is the set with a thread removed.
func (s ThreadSet) Without(thread int) ThreadSet { return s &^ (1 << thread) }

// Perm is a permutation of threads, packed three bits a thread.
type Perm uint32

// NewPerm packs a permutation: thread i becomes to[i].
func NewPerm(to []int) Perm {
	var p Perm
	for i := range MaxThreads {
		j := i
		if i < len(to) {
			j = to[i]
		}
		p |= Perm(j) << (3 * i)
	}
	return p
}

// To is the thread that a thread becomes: NewPerm([]int{1, 0}).To(0) is 1.
func (p Perm) To(thread int) int { return int(p >> (3 * thread) & 7) }

func newJudge(a *oracle.Automaton, p Property, threads int) (judge, error) {
	switch p {
	case Linear:
		return newLinear(a, threads), nil
	case Sequential:
		return sequential{auto: a, threads: threads}, nil
	case Quiescent:
		return quiescent{auto: a, threads: threads}, nil
	}
	return nil, fmt.Errorf("unknown property %q", p)
}
