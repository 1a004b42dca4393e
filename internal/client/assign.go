package client

import (
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// clone copies a client deeply, so that a consumer may keep it.
func (c Client) clone() Client {
	out := Client{Pre: slices.Clone(c.Pre), Threads: make([][]Step, len(c.Threads))}
	for i, steps := range c.Threads {
		out.Threads[i] = slices.Clone(steps)
	}
	return out
}

// numberItems gives generic items their numbers: pre-adds first (they have
// theirs already), then thread by thread.
func (sp *Space) numberItems(c Client) {
	if !sp.Scope.GenericValues {
		return
	}
	next := int64(len(c.Pre))
	for _, steps := range c.Threads {
		for i := range steps {
			if at := slices.Index(sp.Ops[steps[i].Op].Params, oracle.ParamItem); at >= 0 {
				steps[i].Args = steps[i].Args.With(at, history.IntValue(next))
				next++
			}
		}
	}
}

// prioritise emits the client with every assignment of priorities that is still
// open: rankings of all adds, or free priorities of the pre-adds.
func (e *enumeration) prioritise(c Client) bool {
	open := e.sp.openPriorities(c)
	if len(open) == 0 {
		return e.yield(c.clone())
	}
	if !e.sp.Scope.DistinctPriorities {
		return e.free(c, open)
	}
	return e.rank(c, open, make([]bool, len(open)), 0)
}

// openPriorities are the steps whose priority is not chosen yet, in order.
func (sp *Space) openPriorities(c Client) []*Step {
	var open []*Step
	all := [][]Step{c.Pre}
	if sp.Scope.DistinctPriorities {
		all = append(all, c.Threads...)
	}
	for _, steps := range all {
		for i := range steps {
			if slices.Contains(sp.Ops[steps[i].Op].Params, oracle.ParamPriority) {
				open = append(open, &steps[i])
			}
		}
	}
	return open
}

func (sp *Space) setPriority(s *Step, priority int64) {
	at := slices.Index(sp.Ops[s.Op].Params, oracle.ParamPriority)
	s.Args = s.Args.With(at, history.IntValue(priority))
}

func (e *enumeration) free(c Client, open []*Step) bool {
	if len(open) == 0 {
		return e.yield(c.clone())
	}
	for v := range e.sp.Scope.Values {
		e.sp.setPriority(open[0], int64(v))
		if !e.free(c, open[1:]) {
			return false
		}
	}
	return true
}

// rank tries every ranking of the steps open[at:] with the unused ranks, and
// emits those that are least among equal threads.
func (e *enumeration) rank(c Client, open []*Step, used []bool, at int) bool {
	if at == len(open) {
		return !e.leastRanking(c) || e.yield(c.clone())
	}
	for r := range used {
		if used[r] {
			continue
		}
		used[r] = true
		e.sp.setPriority(open[at], int64(r))
		if !e.rank(c, open, used, at+1) {
			return false
		}
		used[r] = false
	}
	return true
}

// leastRanking reports whether threads with the same sequence, which are
// neighbours in their group, have ascending first ranks.
func (e *enumeration) leastRanking(c Client) bool {
	if !e.sp.Scope.ThreadSymmetry {
		return true
	}
	for _, g := range e.groups {
		for k := 1; k < len(g.threads); k++ {
			a, b := g.threads[k-1], g.threads[k]
			if b >= len(c.Threads) || !slices.Equal(e.threads[a].letters, e.threads[b].letters) {
				continue
			}
			if e.sp.firstRank(c.Threads[a]) > e.sp.firstRank(c.Threads[b]) {
				return false
			}
		}
	}
	return true
}

func (sp *Space) firstRank(steps []Step) int64 {
	for _, s := range steps {
		if at := slices.Index(sp.Ops[s.Op].Params, oracle.ParamPriority); at >= 0 {
			return s.Args.At(at).Int
		}
	}
	return 0
}
