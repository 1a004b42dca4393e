// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"slices"
	"strings"
)

// Transactions: calls of several steps on keys, each a read, a write or an append to a list.

// Step is one step of a transaction.
type Step struct {
	Op  Op // Read, Write or Append
	Key Value
	// Value is what is read, written or appended. What a transaction with an unknown result reads means nothing.
	Value Value
}

// SetSteps makes the call a transaction of these steps.
func (c *Call) SetSteps(vs *Values, steps []Step) {
	flat := make([]Value, 0, 3*len(steps))
	c.Op, c.B = Txn, 0
	for _, s := range steps {
		if s.Value.IsList() && len(vs.Items(s.Value)) == 0 {
			s.Value = Nil // a key that nothing was appended to, and one that was never written, are the same
		}
		flat = append(flat, Value(s.Op), s.Key, s.Value)
		if s.Op != Read {
			c.B = 1
		}
	}
	c.A = vs.List(flat)
}

// Steps are those of a transaction.
func (h *History) Steps(c *Call) []Step {
	flat := h.Values.Items(c.A)
	steps := make([]Step, 0, len(flat)/3)
	for ; len(flat) > 0; flat = flat[3:] {
		steps = append(steps, Step{Op(flat[0]), flat[1], flat[2]})
	}
	return steps
}

func (h *History) transactionText(c *Call) string {
	var all []string
	for _, s := range h.Steps(c) {
		key, value := h.Values.Format(s.Key), h.Values.Format(s.Value)
		switch s.Op {
		case Write:
			all = append(all, "put("+key+", "+value+")")
		case Append:
			all = append(all, "append("+key+", "+value+")")
		default:
			if c.Unknown {
				value = "?"
			}
			all = append(all, "get("+key+") = "+value)
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, "; ")
}

// unread lists transactions that write and of which no other one reads anything.
func unread(h *History, calls []Call) [][]int {
	readers := map[cellValue]int{} // the transaction that reads a value; -1: several do
	read := func(key, v Value, i int) {
		if of, ok := readers[cellValue{key, v}]; ok && of != i {
			i = -1
		}
		readers[cellValue{key, v}] = i
	}
	for i := range calls {
		if calls[i].Unknown {
			continue
		}
		for _, s := range h.Steps(&calls[i]) {
			if s.Op != Read {
				continue
			}
			read(s.Key, s.Value, i)
			for _, v := range h.Values.Items(s.Value) {
				read(s.Key, v, i)
			}
		}
	}
	var units [][]int
	for i := range calls {
		alone := calls[i].B != 0
		for _, s := range h.Steps(&calls[i]) {
			if of, ok := readers[cellValue{s.Key, s.Value}]; s.Op != Read && ok && of != i {
				alone = false
			}
		}
		if alone {
			units = append(units, []int{i})
		}
	}
	return units
}

// world is the specification of transactions: pairs of a key and its value, sorted by key, without keys that have their initial value.
type world struct {
	h *History
	lists
	before int64 // bytes of values that there were
}

func (m *world) initial() Value { return 0 }
func (m *world) bytes() int64   { return m.lists.bytes() + m.h.Values.bytes() - m.before }

func (m *world) step(s Value, c *Call, to []Value) []Value {
	pairs := slices.Clone(m.items[s])
	for _, step := range m.h.Steps(c) {
		at := 0
		for at < len(pairs) && pairs[at] < step.Key {
			at += 2
		}
		there := at < len(pairs) && pairs[at] == step.Key
		old := m.h.Initial
		if there {
			old = pairs[at+1]
		}
		next := step.Value
		switch {
		case step.Op == Read:
			if !c.Unknown && old != step.Value {
				return to
			}
			continue
		case step.Op == Append:
			next = m.h.appended(old, step.Value)
		}
		switch {
		case there && next == m.h.Initial:
			pairs = slices.Delete(pairs, at, at+2)
		case there:
			pairs[at+1] = next
		case next != m.h.Initial:
			pairs = slices.Insert(pairs, at, step.Key, next)
		}
	}
	return append(to, m.number(pairs))
}

// appended is the value of a key behind an append: to a list, or to what is none, which counts as the empty list.
func (h *History) appended(old, v Value) Value {
	return h.Values.List(append(slices.Clone(h.Values.Items(old)), v))
}
