// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"encoding/binary"
	"slices"
)

// What calls do to states. A state is a number: of a register its value, of a counter its sum, of
// one key of a set 0 or 1; states of queues, stacks and priority queues have numbers in the order
// in which they are first met.

// model is the specification of one kind.
type model interface {
	initial() Value
	// step appends the states behind the call; none if it cannot return what it did in state s.
	step(s Value, c *Call, to []Value) []Value
	// bytes is how much the states that were met take, about.
	bytes() int64
}

// newModel makes the specification of a history's kind. For a map or a set it is that of one key,
// or of the whole.
func newModel(h *History, whole bool) model {
	var one model
	switch h.Kind {
	case Register, Map:
		one = &cell{start: h.Initial, values: h.Values, before: h.Values.bytes()}
	case Set:
		one = member{}
	case Counter:
		return sum{}
	case Object:
		return &object{h.spec, map[[2]Value]objectStep{}}
	case Bank:
		return &accounts{h, h.Values.bytes()}
	case Transactions:
		return &world{h: h, lists: newLists(), before: h.Values.bytes()}
	default:
		return &container{kind: h.Kind, lists: newLists()}
	}
	if whole && (h.Kind == Map || h.Kind == Set) {
		return &keys{one: one, lists: newLists()}
	}
	return one
}

// lists numbers lists of values.
type lists struct {
	numbers map[string]Value
	items   [][]Value
	buf     []byte
	size    int64
}

func newLists() lists {
	l := lists{numbers: map[string]Value{}}
	l.number(nil)
	return l
}

func (l *lists) number(items []Value) Value {
	l.buf = l.buf[:0]
	for _, v := range items {
		l.buf = binary.LittleEndian.AppendUint64(l.buf, uint64(v))
	}
	if n, ok := l.numbers[string(l.buf)]; ok {
		return n
	}
	n := Value(len(l.items))
	l.numbers[string(l.buf)] = n
	l.items = append(l.items, items)
	l.size += 2*int64(len(l.buf)) + perState
	return n
}

// perState is about what is remembered of a state beside its values, in bytes.
const perState = 96

func (l *lists) bytes() int64 { return l.size }

// keys is a map or a set as a whole: pairs of a key and its state, sorted by key, without keys in
// their initial state.
type keys struct {
	one model
	lists
	next []Value
}

func (m *keys) initial() Value { return 0 }
func (m *keys) bytes() int64   { return m.lists.bytes() + m.one.bytes() }

func (m *keys) step(s Value, c *Call, to []Value) []Value {
	pairs := m.items[s]
	at := 0
	for at < len(pairs) && pairs[at] < c.Key {
		at += 2
	}
	old, rest := m.one.initial(), at
	if at < len(pairs) && pairs[at] == c.Key {
		old, rest = pairs[at+1], at+2
	}
	m.next = m.one.step(old, c, m.next[:0])
	for _, v := range m.next {
		if v == old {
			to = append(to, s)
			continue
		}
		all := append(make([]Value, 0, len(pairs)+2), pairs[:at]...)
		if v != m.one.initial() {
			all = append(all, c.Key, v)
		}
		to = append(to, m.number(append(all, pairs[rest:]...)))
	}
	return to
}

// cell is a register, or one key of a map.
type cell struct {
	start  Value
	values *Values
	before int64 // bytes of values that there were
	buf    []byte
}

func (m *cell) initial() Value { return m.start }
func (m *cell) bytes() int64   { return m.values.bytes() - m.before }

func (m *cell) step(s Value, c *Call, to []Value) []Value {
	switch c.Op {
	case Read:
		if c.Unknown || c.R == s {
			return append(to, s)
		}
	case Write:
		return append(to, c.A)
	case Delete:
		return append(to, Nil)
	case CAS:
		same := s == c.A
		switch {
		case !c.Unknown && (c.R != 0) != same:
		case same:
			return append(to, c.B)
		default:
			return append(to, s)
		}
	case Swap:
		if c.Unknown || c.R == s {
			return append(to, c.A)
		}
	case Append:
		m.buf = append(append(m.buf[:0], m.values.Text(s)...), m.values.Text(c.A)...)
		return append(to, m.values.Bytes(m.buf))
	}
	return to
}

// member is one key of a set: 1 if it is present.
type member struct{}

func (member) initial() Value { return 0 }
func (member) bytes() int64   { return 0 }

func (member) step(s Value, c *Call, to []Value) []Value {
	var done, next Value
	switch c.Op {
	case Add:
		done, next = 1-s, 1
	case Remove:
		done, next = s, 0
	default:
		done, next = s, s
	}
	if c.Unknown || c.R == done {
		return append(to, next)
	}
	return to
}

// sum is a counter.
type sum struct{}

func (sum) initial() Value { return 0 }
func (sum) bytes() int64   { return 0 }

func (sum) step(s Value, c *Call, to []Value) []Value {
	switch {
	case c.Op == Plus:
		return append(to, s+c.A)
	case c.Op == PlusGet && (c.Unknown || c.R == s+c.A):
		return append(to, s+c.A)
	case c.Op == Read && (c.Unknown || c.R == s):
		return append(to, s)
	}
	return to
}

// accounts is a bank; the state is a list.
type accounts struct {
	h      *History
	before int64 // bytes of values that there were
}

func (m *accounts) initial() Value { return m.h.Initial }
func (m *accounts) bytes() int64   { return m.h.Values.bytes() - m.before }

func (m *accounts) step(s Value, c *Call, to []Value) []Value {
	switch {
	case c.Op == Transfer:
		next := slices.Clone(m.h.Values.Items(s))
		next[c.Key] -= c.B
		next[c.A] += c.B
		return append(to, m.h.Values.List(next))
	case c.Unknown || c.R == s:
		return append(to, s)
	}
	return to
}

// container is a queue, a stack or a priority queue. Its items are listed with the next one to be
// taken first; those of a priority queue are pairs of priority and item, in ascending order.
type container struct {
	kind Kind
	lists
}

func (m *container) initial() Value { return 0 }

func (m *container) step(s Value, c *Call, to []Value) []Value {
	items := m.items[s]
	if c.Op == Put {
		return append(to, m.number(m.with(items, c)))
	}
	width := 1
	if m.kind == PQueue {
		width = 2
	}
	if len(items) == 0 {
		if c.Unknown || c.R == Nil {
			return append(to, s)
		}
		return to
	}
	for at := 0; at < len(items); at += width {
		if width == 2 && items[at] != items[0] || width == 1 && at > 0 {
			break // not among the items that may be first
		}
		if !c.Unknown && c.R != items[at+width-1] {
			continue
		}
		if c.Op == Peek {
			return append(to, s)
		}
		to = append(to, m.number(slices.Delete(slices.Clone(items), at, at+width)))
		if !c.Unknown {
			break // an equal item leads to the same state
		}
	}
	return to
}

func (m *container) with(items []Value, c *Call) []Value {
	out := make([]Value, 0, len(items)+2)
	switch m.kind {
	case Queue:
		return append(append(out, items...), c.A)
	case Stack:
		return append(append(out, c.A), items...)
	}
	at := 0
	for at < len(items) && (items[at] < c.B || items[at] == c.B && items[at+1] < c.A) {
		at += 2
	}
	return append(append(append(out, items[:at]...), c.B, c.A), items[at:]...)
}
