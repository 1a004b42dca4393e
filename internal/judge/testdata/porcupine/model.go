// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"hash/maphash"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"

	"pangolin/internal/judge"
)

// Histories and kinds as Porcupine has them.

type input struct {
	op   judge.Op
	key  judge.Value
	a, b judge.Value
	// text is what is appended or written, of kinds with strings.
	text string
}

type output struct {
	r       judge.Value
	text    string
	unknown bool
}

// theirs is a history with its model.
func theirs(h *judge.History) (porcupine.Model, []porcupine.Operation) {
	ops := make([]porcupine.Operation, len(h.Calls))
	appended := false
	for i := range h.Calls {
		c := &h.Calls[i]
		appended = appended || c.Op == judge.Append
		end := int64(c.End)
		if c.Pending() {
			end = math.MaxInt32
		}
		ops[i] = porcupine.Operation{
			ClientId: int(c.Client), Call: int64(c.Begin), Return: end,
			Input:  input{c.Op, c.Key, c.A, c.B, h.Values.Text(c.A)},
			Output: output{c.R, h.Values.Text(c.R), c.Unknown},
		}
	}
	m := porcupine.Model{}
	switch h.Kind {
	case judge.Register, judge.Map:
		m = cells(h.Initial)
		if appended {
			m = texts()
		}
	case judge.Set:
		m = members()
	case judge.Counter:
		m = counters()
	case judge.Bank:
		m = bank(h)
	default:
		m = containers(h.Kind)
	}
	if h.Kind == judge.Map || h.Kind == judge.Set {
		m.Partition = byKey
	}
	return m, ops
}

func byKey(all []porcupine.Operation) [][]porcupine.Operation {
	parts := map[judge.Value][]porcupine.Operation{}
	for _, o := range all {
		k := o.Input.(input).key
		parts[k] = append(parts[k], o)
	}
	var list [][]porcupine.Operation
	for _, p := range parts {
		list = append(list, p)
	}
	return list
}

// hashed spreads a number.
func hashed(v judge.Value) uint64 { return uint64(v) * 0x9e3779b97f4a7c15 }

func cells(initial judge.Value) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(s, in, out any) (bool, any) {
			v, i, o := s.(judge.Value), in.(input), out.(output)
			switch i.op {
			case judge.Read:
				return o.unknown || o.r == v, s
			case judge.Write:
				return true, i.a
			case judge.Swap:
				return o.unknown || o.r == v, i.a
			}
			if v == i.a {
				return o.unknown || o.r == 1, i.b
			}
			return o.unknown || o.r == 0, s
		},
		Hash: func(s any) uint64 { return hashed(s.(judge.Value)) },
	}
}

var hashSeed = maphash.MakeSeed()

func texts() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(s, in, out any) (bool, any) {
			i, o := in.(input), out.(output)
			switch i.op {
			case judge.Read:
				return o.unknown || o.text == s.(string), s
			case judge.Write:
				return true, i.text
			}
			return true, s.(string) + i.text
		},
		Hash: func(s any) uint64 { return maphash.String(hashSeed, s.(string)) },
	}
}

func members() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return false },
		Step: func(s, in, out any) (bool, any) {
			there, i, o := s.(bool), in.(input), out.(output)
			yes := o.r == 1
			switch i.op {
			case judge.Add:
				return o.unknown || yes == !there, true
			case judge.Remove:
				return o.unknown || yes == there, false
			}
			return o.unknown || yes == there, s
		},
		Hash: func(s any) uint64 {
			if s.(bool) {
				return 0x9e3779b97f4a7c15
			}
			return 0
		},
	}
}

func counters() porcupine.Model {
	m := cells(0)
	m.Step = func(s, in, out any) (bool, any) {
		v, i, o := s.(judge.Value), in.(input), out.(output)
		switch i.op {
		case judge.Read:
			return o.unknown || o.r == v, s
		case judge.PlusGet:
			return o.unknown || o.r == v+i.a, v + i.a
		}
		return true, v + i.a
	}
	return m
}

func bank(h *judge.History) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return h.Values.Items(h.Initial) },
		Step: func(s, in, out any) (bool, any) {
			balances, i, o := s.([]judge.Value), in.(input), out.(output)
			if i.op == judge.Read {
				return o.unknown || slices.Equal(balances, h.Values.Items(o.r)), s
			}
			balances = slices.Clone(balances)
			balances[i.key] -= i.b
			balances[i.a] += i.b
			return true, balances
		},
		Equal: func(a, b any) bool { return slices.Equal(a.([]judge.Value), b.([]judge.Value)) },
		Hash: func(s any) uint64 {
			h := uint64(0)
			for _, v := range s.([]judge.Value) {
				h = (h ^ hashed(v)) * 0x100000001b3
			}
			return h
		},
	}
}

func containers(kind judge.Kind) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return []judge.Value(nil) },
		Step: func(s, in, out any) (bool, any) {
			items, i, o := s.([]judge.Value), in.(input), out.(output)
			if i.op == judge.Put {
				if kind != judge.PQueue {
					return true, append(items[:len(items):len(items)], i.a)
				}
				at, _ := slices.BinarySearch(items, i.b<<32|i.a)
				return true, slices.Insert(slices.Clone(items), at, i.b<<32|i.a)
			}
			switch {
			case len(items) == 0:
				return o.r == judge.Nil, s
			case kind == judge.Stack:
				return o.r == items[len(items)-1], items[:len(items)-1]
			case kind == judge.Queue:
				return o.r == items[0], items[1:]
			}
			for at, x := range items {
				if x>>32 != items[0]>>32 {
					break
				}
				if x&0xffffffff == o.r {
					return true, slices.Delete(slices.Clone(items), at, at+1)
				}
			}
			return false, s
		},
		Equal: func(a, b any) bool { return slices.Equal(a.([]judge.Value), b.([]judge.Value)) },
		Hash: func(s any) uint64 {
			h := uint64(0)
			for _, v := range s.([]judge.Value) {
				h = (h ^ hashed(v)) * 0x100000001b3
			}
			return h
		},
	}
}
