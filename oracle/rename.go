// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"slices"

	"pangolin/history"
)

// MapState maps the values that a state holds. Counters and registers hold
// items, whatever was done to them; renaming is meaningful only if the
// operations in use merely store and compare.
func (b *builtin) MapState(s State, f NameMap) State {
	state := decode(s)
	switch b.kind {
	case Set:
		for i := range state {
			state[i] = f(Keys, state[i])
		}
		slices.Sort(state)
	case Map:
		for i := 0; i < len(state); i += 2 {
			state[i], state[i+1] = f(Keys, state[i]), f(Items, state[i+1])
		}
		sortPairs(state)
	case PQueue:
		items := b.items()
		for i := 0; i < len(state); i += 2 {
			state[i], state[i+1] = f(Priorities, state[i]), f(items, state[i+1])
		}
		sortPairs(state)
	default:
		for i := range state {
			state[i] = f(Items, state[i])
		}
	}
	return encode(state)
}

// items is the domain of items; of a priority queue whose items are their own
// priorities, that of priorities.
func (b *builtin) items() Domain {
	if b.kind == PQueue && slices.ContainsFunc(b.ops, func(op Op) bool { return op.Role == Put && len(op.Params) == 1 }) {
		return Priorities
	}
	return Items
}

func sortPairs(state []int64) {
	pairs := make([][2]int64, 0, len(state)/2)
	for i := 0; i < len(state); i += 2 {
		pairs = append(pairs, [2]int64{state[i], state[i+1]})
	}
	slices.SortFunc(pairs, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	for i, p := range pairs {
		state[2*i], state[2*i+1] = p[0], p[1]
	}
}

// MapCall maps the names among the arguments.
func (b *builtin) MapCall(c Call, f NameMap) Call {
	for i, p := range b.ops[c.Op].Params {
		v := c.Args.At(i)
		switch p {
		case ParamKey:
			v.Int = f(Keys, v.Int)
		case ParamItem, ParamOld:
			v.Int = f(b.items(), v.Int)
		case ParamPriority:
			v.Int = f(Priorities, v.Int)
		}
		c.Args = c.Args.With(i, v)
	}
	return c
}

// MapResult maps the items among the results. The zero that stands for "no
// item" stays, as far as the other results tell; where nothing tells them apart,
// renaming must keep 0.
func (b *builtin) MapResult(c Call, result history.Tuple, f NameMap) history.Tuple {
	op := &b.ops[c.Op]
	if done, known := op.wasDone(result); result.IsPanic() || known && !done && !keepsItem(op.Role) {
		return result
	}
	for i, s := range op.Results {
		v := result.At(i)
		switch {
		case v.Kind != history.Int:
		case s == SlotItem || s == SlotItemOrNil || s == SlotOld || s == SlotNew:
			v.Int = f(b.items(), v.Int)
		case s == SlotPriority:
			v.Int = f(Priorities, v.Int)
		}
		result = result.With(i, v)
	}
	return result
}

// keepsItem tells the roles whose result holds an item also when not done.
func keepsItem(role Role) bool { return role == LoadOrStore || role == CompareAndSwap }
