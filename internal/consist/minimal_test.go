// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/oracle"
)

// pairwise is minimal as its definition reads: every two configurations are compared.
func (l linear) pairwise(pending *calls, all []config) []config {
	return slices.DeleteFunc(slices.Clone(all), func(c config) bool {
		return slices.ContainsFunc(all, func(d config) bool { return d != c && l.leadsTo(pending, d, c) })
	})
}

// leadsTo says whether d becomes c when some more calls take effect.
func (l linear) leadsTo(pending *calls, d, c config) bool {
	if d == c {
		return true
	}
	for t := range l.threads {
		if pending[t] == 0 || d.done[t] != 0 || c.done[t] == 0 {
			continue
		}
		for _, e := range l.edges(pending, &d, t) {
			next := d
			next.state, next.done[t] = e.Next, uint16(e.Result)+1
			if l.leadsTo(pending, next, c) {
				return true
			}
		}
	}
	return false
}

func TestMinimal_DropsWhatAPairwiseComparisonDrops(t *testing.T) {
	const threads = 4
	rng := rand.New(rand.NewPCG(1, 2))
	dropped := 0
	all := subjects(t)
	for round := range 3000 {
		s := all[round%len(all)]
		auto := oracle.NewAutomaton(s.spec)
		l := newLinear(auto, threads)
		var pending calls
		for thread := range threads {
			if rng.IntN(4) > 0 {
				pending.set(thread, auto.CallID(s.randomCall(rng)))
			}
		}
		configs := l.randomConfigs(rng, &pending)
		slices.SortFunc(configs, compareConfigs)
		configs = slices.Compact(configs)
		want := l.pairwise(&pending, configs)
		dropped += len(configs) - len(want)
		state := &linearState{calls: pending, configs: slices.Clone(configs)}
		if l.minimal(state); !slices.Equal(state.configs, want) {
			t.Fatalf("%s: pending %v: of %v minimal keeps %v, want %v", s.name, pending, configs, state.configs, want)
		}
	}
	if dropped == 0 {
		t.Error("nothing was ever dropped")
	}
}

// randomConfigs walks some steps from a few states and keeps some of what it meets.
func (l linear) randomConfigs(rng *rand.Rand, pending *calls) []config {
	all := []config{{}}
	for range rng.IntN(20) {
		c := all[rng.IntN(len(all))]
		t := rng.IntN(l.threads)
		if pending[t] == 0 || c.done[t] != 0 {
			continue
		}
		if edges := l.edges(pending, &c, t); len(edges) > 0 {
			e := edges[rng.IntN(len(edges))]
			c.state = e.Next
			if rng.IntN(3) > 0 {
				c.done[t] = uint16(e.Result) + 1
			}
			all = append(all, c)
		}
	}
	return slices.DeleteFunc(all, func(config) bool { return rng.IntN(3) == 0 })
}
