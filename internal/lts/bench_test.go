// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// publishedStates is how many states a system has that mCRL2 202307.1 compared with one of 187,159, on one
// machine: the fine-grained list under three threads with two calls each. It took 4.94 s of CPU time
// for branching bisimulation, 6.95 s for weak traces, and 344 MiB, reading included. The same with
// systems of our own is in engine/refine.
const publishedStates = 1_000_865

// unfolded is a system of about so many states that is branching bisimilar to a smaller one: each state
// of a random acyclic system stands for a diamond of internal steps, as local steps of several
// threads make them.
func unfolded(states int, inner int) *System {
	r := rand.New(rand.NewPCG(7, 7))
	core := states / inner
	b := NewBuilder(0)
	labels := make([]Label, 24)
	for i := range labels {
		labels[i] = b.Label(fmt.Sprintf("call(%d, Add(%d))", i%3+1, i/3))
	}
	for i := range core {
		first := i * inner
		for k := range inner {
			for _, to := range []int{k + 1, k + 2} {
				if to < inner {
					b.Add(State(first+k), Tau, State(first+to))
				}
			}
		}
		for range 2 {
			to := min(core-1, i+1+r.IntN(core/20+1))
			for k := max(0, inner-2); k < inner && to != i; k++ {
				b.Add(State(first+k), labels[to%len(labels)], State(to*inner))
			}
		}
	}
	return b.Build()
}

// BenchmarkCompare compares systems of that size.
func BenchmarkCompare(b *testing.B) {
	large, small := unfolded(publishedStates, 5), unfolded(publishedStates/5, 1)
	for _, e := range []Equivalence{Branching, WeakTrace} {
		b.Run(string(e), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !Equivalent(large, small, e) {
					b.Fatal("not equivalent")
				}
			}
			b.ReportMetric(float64(large.States()+small.States()), "states")
			b.ReportMetric(float64(large.Transitions()+small.Transitions()), "transitions")
		})
	}
}
