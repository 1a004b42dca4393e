// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// If a search renames items and keys, their names change from one saved state to the next. A witness needs values that stay. They are
// assigned while its path is followed: items in the order of their invocations; keys so that their final order is the one on which all
// states along the path agree.

// numbering assigns these values along one path.
type numbering struct {
	sys   *system
	items int // number of items so far
	// Keys are numbered in order of appearance; order lists them from the least to the
	// greatest, and named by their names in the present state.
	order, named []int
	fresh        int // the new key of the last call, or -1
}

func (s *system) numbering(pre []client.Step) *numbering {
	n := &numbering{sys: s, fresh: -1}
	for _, step := range pre {
		params := s.subject.Operations[step.Op].Client.Params
		if slices.Contains(params, oracle.ParamItem) {
			n.items++
		}
		if slices.Contains(params, oracle.ParamKey) {
			n.named = append(n.named, len(n.order))
			n.order = append(n.order, len(n.order))
		}
	}
	return n
}

// call replaces the item and the key in a call of the plan by their values.
func (n *numbering) call(s client.Step) client.Step {
	for i, p := range n.sys.subject.Operations[s.Op].Client.Params {
		switch {
		case p == oracle.ParamItem && n.sys.opt.Items:
			n.items++
			s.Args = s.Args.With(i, history.IntValue(int64(n.items)))
		case p == oracle.ParamKey && n.sys.opt.Keys:
			s.Args = s.Args.With(i, history.IntValue(int64(n.key(int(s.Args.At(i).Int)))))
		}
	}
	return s
}

// key is the number of the key that a call takes: one of the state's, or a new one.
func (n *numbering) key(choice int) int {
	if choice >= 0 {
		return n.named[choice]
	}
	before := -choice - 1
	n.fresh = len(n.order)
	at := len(n.order)
	if before < len(n.named) {
		at = slices.Index(n.order, n.named[before])
	}
	n.order = slices.Insert(n.order, at, n.fresh)
	return n.fresh
}

// settle follows the renaming of a state that has just been saved.
func (n *numbering) settle(c *cursor) {
	if !n.sys.opt.Keys {
		return
	}
	named := make([]int, 0, len(c.names.Before))
	for _, name := range c.names.Before {
		if name < len(n.named) {
			named = append(named, n.named[name])
		} else {
			named = append(named, n.fresh)
		}
	}
	n.named, n.fresh = named, -1
}

// finish replaces the numbers of keys in a recording by values in their order.
func (n *numbering) finish(rec *Recording) {
	if !n.sys.opt.Keys {
		return
	}
	for _, list := range [][]client.Step{rec.Pre, rec.Calls} {
		for i, s := range list {
			if at := slices.Index(n.sys.subject.Operations[s.Op].Client.Params, oracle.ParamKey); at >= 0 {
				value := slices.Index(n.order, int(s.Args.At(at).Int))
				list[i].Args = s.Args.With(at, history.IntValue(int64(value)))
			}
		}
	}
}

// tellsThreads reports whether the code may distinguish threads by their numbers.
func (v *verification) tellsThreads() bool {
	return v.img.UsesThreadIDs() && !v.numbers || v.subject.Asks() && v.told ||
		slices.ContainsFunc(v.subject.Operations, func(o subject.Operation) bool { return !o.Asks && slices.Contains(o.Client.Params, oracle.ParamThread) })
}
