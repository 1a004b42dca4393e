// SPDX-License-Identifier: BSD-3-Clause

package client

import (
	"iter"
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
	next := int64(len(c.Pre)) + 1
	for _, steps := range c.Threads {
		for i := range steps {
			if at := slices.Index(sp.Ops[steps[i].Op].Params, oracle.ParamItem); at >= 0 {
				steps[i].Args = steps[i].Args.With(at, history.IntValue(next))
				next++
			}
		}
	}
}

// prioritise emits the client with every assignment that is still open: rankings of all
// adds, free priorities and items of the pre-adds.
func (e *enumeration) prioritise(c Client) bool {
	free := e.sp.openPreAdds(c)
	if !e.sp.Scope.DistinctPriorities {
		return e.free(free, func() bool { return e.yield(c.clone()) })
	}
	open := e.sp.openPriorities(c)
	return e.free(free, func() bool { return e.rank(c, open, make([]bool, len(open)), 0) })
}

// argument is a place for an argument: number at of a step.
type argument struct {
	step *Step
	at   int
}

// PreAddItems gives p pre-adds with every choice of their items, if they are not generic.
func (sp *Space) PreAddItems(p int) iter.Seq[[]Step] {
	return func(yield func([]Step) bool) {
		c := Client{Pre: sp.PreAdds(p)}
		open := slices.DeleteFunc(sp.openPreAdds(c), func(a argument) bool {
			return a.step.param(sp, a.at) != oracle.ParamItem
		})
		e := enumeration{sp: sp}
		e.free(open, func() bool { return yield(slices.Clone(c.Pre)) })
	}
}

// openPreAdds are the arguments of the pre-adds that range over the scope's values: items
// that are not generic, priorities that are not ranked.
func (sp *Space) openPreAdds(c Client) []argument {
	var open []argument
	for i := range c.Pre {
		for at, p := range sp.Ops[c.Pre[i].Op].Params {
			if p != oracle.ParamKey && sp.enumerated(p) {
				open = append(open, argument{&c.Pre[i], at})
			}
		}
	}
	return open
}

// openPriorities are the steps that are ranked, in order.
func (sp *Space) openPriorities(c Client) []*Step {
	var open []*Step
	for _, steps := range append([][]Step{c.Pre}, c.Threads...) {
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

// free goes on with every choice of the open arguments.
func (e *enumeration) free(open []argument, goOn func() bool) bool {
	if len(open) == 0 {
		return goOn()
	}
	a := open[0]
	for _, v := range e.sp.domain(a.step.param(e.sp, a.at)) {
		a.step.Args = a.step.Args.With(a.at, history.IntValue(v))
		if !e.free(open[1:], goOn) {
			return false
		}
	}
	return true
}

func (s *Step) param(sp *Space, at int) oracle.Param { return sp.Ops[s.Op].Params[at] }

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
