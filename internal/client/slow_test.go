// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// slowClients is the definition of a scope, taken literally: every assignment of
// step sequences (possibly empty ones) to all threads, with every priority, and
// of those that differ by a permutation of threads one.
func slowClients(sp *Space) map[string]bool {
	out := make(map[string]bool)
	for p := sp.Scope.PreAdds.From; p <= sp.Scope.PreAdds.To; p++ {
		for _, threads := range slowThreads(sp, 0, sp.maxSteps()) {
			slowAssign(sp, p, threads, out)
		}
	}
	return out
}

// slowThreads lists the sequences of the threads from the given one on.
func slowThreads(sp *Space, thread, left int) [][][]Step {
	if thread == sp.Scope.Threads.To {
		return [][][]Step{nil}
	}
	var out [][][]Step
	for _, steps := range slowSequences(sp.Steps(thread), left) {
		if per := sp.Scope.PerThread; per > 0 && len(steps) != per && len(steps) != 0 {
			continue
		}
		for _, rest := range slowThreads(sp, thread+1, left-len(steps)) {
			out = append(out, append([][]Step{steps}, rest...))
		}
	}
	return out
}

func slowSequences(alphabet []Step, longest int) [][]Step {
	out := [][]Step{nil}
	if longest == 0 {
		return out
	}
	for _, first := range alphabet {
		for _, rest := range slowSequences(alphabet, longest-1) {
			out = append(out, append([]Step{first}, rest...))
		}
	}
	return out
}

func slowAssign(sp *Space, p int, threads [][]Step, out map[string]bool) {
	active, length, adds, removes, once := 0, 0, p, 0, 0
	for i, steps := range threads {
		length += len(steps)
		if len(steps) > 0 {
			active++
		} else if slowLaterPeerActive(sp, threads, i) {
			return // threads of equal roles are filled from the first on
		}
		for k, s := range steps {
			if sp.Ops[s.Op].Who.Last && k < len(steps)-1 {
				return // no thread calls anything behind what is last
			}
			if sp.Ops[s.Op].Who.First && slices.ContainsFunc(steps[:k], func(b Step) bool { return !sp.Ops[b.Op].Who.First }) {
				return // what is first comes behind nothing else
			}
			if sp.Ops[s.Op].Who.Once {
				once++
			}
			switch sp.Ops[s.Op].Effect {
			case Adds:
				adds++
			case Removes:
				removes++
			}
		}
	}
	s := sp.Scope
	steps := s.Steps
	if s.PerThread > 0 {
		steps = Range{active * s.PerThread, active * s.PerThread}
	}
	if active < s.Threads.From || active > s.Threads.To || length < steps.From || length > steps.To ||
		s.AddsDominant && adds < removes || once > 1 {
		return
	}
	c := Client{Pre: sp.PreAdds(p), Threads: threads}.clone()
	sp.slowPreAdds(c, 0, out)
}

func slowLaterPeerActive(sp *Space, threads [][]Step, i int) bool {
	for j := i + 1; j < len(threads); j++ {
		if len(threads[j]) > 0 && slices.Equal(sp.Steps(i), sp.Steps(j)) {
			return true
		}
	}
	return false
}

// slowPreAdds chooses the items and the free priorities of the pre-adds from index i on.
func (sp *Space) slowPreAdds(c Client, i int, out map[string]bool) {
	if i == len(c.Pre) {
		if sp.Scope.DistinctPriorities {
			sp.slowRanks(c, sp.openPriorities(c), nil, out)
		} else {
			out[canonical(sp, c)] = true
		}
		return
	}
	values := func(p oracle.Param, chosen bool) []int64 {
		at := slices.Index(sp.Ops[sp.add].Params, p)
		if at < 0 || !chosen {
			return []int64{-1}
		}
		var out []int64
		for v := range sp.Scope.Values {
			out = append(out, int64(v))
		}
		return out
	}
	for _, item := range values(oracle.ParamItem, !sp.Scope.GenericValues) {
		for _, priority := range values(oracle.ParamPriority, !sp.Scope.DistinctPriorities) {
			next := c.clone()
			for p, v := range map[oracle.Param]int64{oracle.ParamItem: item, oracle.ParamPriority: priority} {
				if v >= 0 {
					next.Pre[i].Args = next.Pre[i].Args.With(slices.Index(sp.Ops[sp.add].Params, p), history.IntValue(v))
				}
			}
			sp.slowPreAdds(next, i+1, out)
		}
	}
}

// slowRanks chooses all rankings.
func (sp *Space) slowRanks(c Client, open []*Step, given []int64, out map[string]bool) {
	if len(given) == len(open) {
		out[canonical(sp, c)] = true
		return
	}
	for v := range int64(len(open)) {
		if !slices.Contains(given, v) {
			sp.setPriority(open[len(given)], v)
			sp.slowRanks(c, open, append(slices.Clone(given), v), out)
		}
	}
}

// canonical is the least text of a client under the permutations of threads that
// the scope allows, generic items numbered anew.
func canonical(sp *Space, c Client) string {
	threads := slices.Clone(c.Threads)
	for len(threads) < sp.Scope.Threads.To {
		threads = append(threads, nil)
	}
	best := ""
	permute(len(threads), nil, func(perm []int) {
		moved := Client{Pre: c.Pre, Threads: make([][]Step, len(threads))}
		for from, to := range perm {
			same := slices.Equal(sp.Steps(from), sp.Steps(to))
			if from != to && (!same || !sp.Scope.ThreadSymmetry) {
				return
			}
			moved.Threads[to] = threads[from]
		}
		moved = moved.clone()
		renumber(sp, moved)
		if text := sp.Format(moved); best == "" || text < best {
			best = text
		}
	})
	return best
}

func renumber(sp *Space, c Client) {
	if !sp.Scope.GenericValues {
		return
	}
	next := int64(len(c.Pre)) + 1
	for _, steps := range c.Threads {
		for i := range steps {
			for at, p := range sp.Ops[steps[i].Op].Params {
				if p == oracle.ParamItem {
					steps[i].Args = steps[i].Args.With(at, history.IntValue(next))
					next++
				}
			}
		}
	}
}

func permute(n int, prefix []int, visit func([]int)) {
	if len(prefix) == n {
		visit(prefix)
		return
	}
	for i := range n {
		if !slices.Contains(prefix, i) {
			permute(n, append(slices.Clone(prefix), i), visit)
		}
	}
}
