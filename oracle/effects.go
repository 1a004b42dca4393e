// SPDX-License-Identifier: BSD-3-Clause

package oracle

import "slices"

// effect is one way in which a role may act on a state: the abstract result and
// the next state. States here are flat lists of integers:
//
//	set: keys ascending · queue, stack, deque: items, front (bottom) first
//	pqueue: (priority, item) pairs ascending · map: (key, item) pairs ascending
//	register, counter: one integer
type effect struct {
	done     bool
	hasItem  bool
	item     int64 // also the count of Len and the new value of a register
	priority int64
	old      int64
	next     []int64
}

// acts gives the effects of a role of one kind, capacity and protocol aside; nil
// if the kind does not know the role.
type acts func(state []int64, role Role, a arguments) []effect

// Kind is a kind of collection with a specification of its own.
type Kind string

// The built-in kinds.
const (
	Set      Kind = "set"
	Queue    Kind = "queue"
	Stack    Kind = "stack"
	PQueue   Kind = "pqueue" // smallest priority first; ties in any order
	Deque    Kind = "deque"
	Map      Kind = "map"
	Counter  Kind = "counter"  // an integer, at first 0
	Register Kind = "register" // the same specification as a counter
)

// theory is what New needs to know about a kind.
type theory struct {
	initial []int64
	width   int // integers per thing held; 0 for a register
	acts    acts
	roles   []Role
}

// Rounds is the number of values of a counter that goes round.
const Rounds = 16

func theories() map[Kind]theory {
	containers := []Role{Len, IsEmpty, Clear}
	cells := []Role{Load, Store, Swap, CompareAndSwap, AddTo, SubOf, Inc, Round, Dec, Toggle, And, Or}
	return map[Kind]theory{
		Set:    {width: 1, acts: actSet, roles: append([]Role{Add, Remove, Contains}, containers...)},
		Queue:  {width: 1, acts: actQueue, roles: append([]Role{Put, Take, Peek}, containers...)},
		Stack:  {width: 1, acts: actStack, roles: append([]Role{Put, Take, Peek}, containers...)},
		PQueue: {width: 2, acts: actPQueue, roles: append([]Role{Put, Take, Peek}, containers...)},
		Deque: {width: 1, acts: actDeque, roles: append([]Role{PutFront, PutBack, TakeFront, TakeBack,
			PeekFront, PeekBack}, containers...)},
		Map: {width: 2, acts: actMap, roles: append([]Role{Contains, Load, Store, Swap, CompareAndSwap,
			LoadOrStore, LoadAndDelete, Delete, CompareAndDelete}, containers...)},
		Counter:  {initial: []int64{0}, acts: actCell, roles: cells},
		Register: {initial: []int64{0}, acts: actCell, roles: cells},
	}
}

func one(e effect) []effect { return []effect{e} }

// actContainer gives the effects of the roles that all containers share, such as Len and IsEmpty; width is the number of words that an
// element takes.
func actContainer(state []int64, role Role, width int) []effect {
	count := int64(len(state) / width)
	switch role {
	case Len:
		return one(effect{done: true, hasItem: true, item: count, next: state})
	case IsEmpty:
		return one(effect{done: count == 0, next: state})
	case Clear:
		return one(effect{done: true})
	}
	return nil
}

func actSet(state []int64, role Role, a arguments) []effect {
	at, found := slices.BinarySearch(state, a.key)
	switch role {
	case Add:
		if found {
			return one(effect{next: state})
		}
		return one(effect{done: true, next: slices.Insert(slices.Clone(state), at, a.key)})
	case Remove:
		if !found {
			return one(effect{next: state})
		}
		return one(effect{done: true, next: slices.Delete(slices.Clone(state), at, at+1)})
	case Contains:
		return one(effect{done: found, next: state})
	}
	return actContainer(state, role, 1)
}

func actQueue(state []int64, role Role, a arguments) []effect {
	front := map[Role]Role{Put: PutBack, Take: TakeFront, Peek: PeekFront}
	return actAs(front, state, role, a)
}

func actStack(state []int64, role Role, a arguments) []effect {
	top := map[Role]Role{Put: PutBack, Take: TakeBack, Peek: PeekBack}
	return actAs(top, state, role, a)
}

func actAs(as map[Role]Role, state []int64, role Role, a arguments) []effect {
	if other, ok := as[role]; ok {
		role = other
	}
	return actDeque(state, role, a)
}

func actDeque(state []int64, role Role, a arguments) []effect {
	switch role {
	case PutFront:
		return one(effect{done: true, next: slices.Insert(slices.Clone(state), 0, a.item)})
	case PutBack:
		return one(effect{done: true, next: append(slices.Clone(state), a.item)})
	case TakeFront, TakeBack, PeekFront, PeekBack:
		return one(takeEnd(state, role))
	}
	return actContainer(state, role, 1)
}

func takeEnd(state []int64, role Role) effect {
	last := len(state) - 1
	if last < 0 {
		return effect{next: state}
	}
	e := effect{done: true, hasItem: true, next: state}
	switch role {
	case TakeFront:
		e.item, e.next = state[0], state[1:]
	case PeekFront:
		e.item = state[0]
	case TakeBack:
		e.item, e.next = state[last], state[:last]
	case PeekBack:
		e.item = state[last]
	}
	return e
}

func actPQueue(state []int64, role Role, a arguments) []effect {
	switch role {
	case Put:
		i := 0
		for i < len(state) && (state[i] < a.priority || state[i] == a.priority && state[i+1] < a.item) {
			i += 2
		}
		return one(effect{done: true, next: slices.Insert(slices.Clone(state), i, a.priority, a.item)})
	case Take, Peek:
		return takeMin(state, role)
	}
	return actContainer(state, role, 2)
}

// takeMin has one effect per different item of least priority.
func takeMin(state []int64, role Role) []effect {
	if len(state) == 0 {
		return one(effect{next: state})
	}
	var out []effect
	for i := 0; i < len(state) && state[i] == state[0]; i += 2 {
		if i > 0 && state[i+1] == state[i-1] {
			continue
		}
		e := effect{done: true, hasItem: true, priority: state[i], item: state[i+1], next: state}
		if role == Take {
			e.next = slices.Delete(slices.Clone(state), i, i+2)
		}
		out = append(out, e)
	}
	return out
}

func actMap(state []int64, role Role, a arguments) []effect {
	at, found := 0, false
	for at < len(state) && state[at] < a.key {
		at += 2
	}
	found = at < len(state) && state[at] == a.key
	e := effect{done: found, hasItem: found, next: state}
	if found {
		e.item, e.old = state[at+1], state[at+1]
	}
	without := func() []int64 { return slices.Delete(slices.Clone(state), at, at+2) }
	with := func() []int64 {
		if found {
			next := slices.Clone(state)
			next[at+1] = a.item
			return next
		}
		return slices.Insert(slices.Clone(state), at, a.key, a.item)
	}
	same := found && e.item == a.old
	switch role {
	case Contains, Load:
	case Store:
		e.done, e.next = true, with()
	case Swap:
		e.next = with()
	case LoadOrStore:
		if !found {
			e.hasItem, e.item, e.next = true, a.item, with()
		}
	case CompareAndSwap:
		if e.done = same; same {
			e.next = with()
		}
	case CompareAndDelete:
		if e.done = same; same {
			e.next = without()
		}
	case LoadAndDelete, Delete:
		if found {
			e.next = without()
		}
	default:
		return actContainer(state, role, 2)
	}
	return one(e)
}

func actCell(state []int64, role Role, a arguments) []effect {
	old := state[0]
	next, done := old, true
	switch role {
	case Load:
	case Store, Swap:
		next = a.item
	case CompareAndSwap:
		if done = old == a.old; done {
			next = a.item
		}
	case AddTo:
		next = old + a.delta
	case SubOf:
		next = old - a.delta
	case Inc:
		next = old + 1
	case Round:
		next = (old + 1) % Rounds
	case Dec:
		next = old - 1
	case Toggle:
		next = 1 - old
	case And:
		next = old & a.item
	case Or:
		next = old | a.item
	default:
		return nil
	}
	return one(effect{done: done, hasItem: true, item: next, old: old, next: []int64{next}})
}
