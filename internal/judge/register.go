// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"cmp"
	"slices"
)

// Registers in which each value is written once, in O(n log n). The zones are those of Gibbons and
// Korach, Testing shared memories (SIAM J. Comput. 26, 1997); what follows proves what is used, for
// chains of read-modify-writes as well.
//
// The calls that write and read a value form its block: in an order of all calls they are next to
// each other, the writer first, because a read comes behind the last write, and no value is written
// twice. A successful cas(a, b), or a swap(b) = a, is the writer of b, and reads a: the block of b
// comes at once behind that of a. Blocks that are so linked form a chain; a chain begins with a
// write that reads nothing, or with the initial value. An order of all calls is therefore an order
// of chains, and within each chain its blocks in turn.
//
// Within a chain (inside): the order of blocks is given, and reads of one block can be in the order
// of their Begin. It must not put x before y if y returned before x began.
//
// Between chains: let f be the least End of a chain's calls, and s the greatest Begin. Chain X has
// to come before Y if and only if a call of X returned before one of Y began: f(X) < s(Y). An order
// exists if and only if this relation has no cycle. If X1, …, Xk is a cycle and f(X1) the least f
// in it, then f(X1) < s(Xj) for all j, because f(X1) <= f(Xj-1) < s(Xj): so X1 precedes Xk, and Xk
// precedes X1. Thus only cycles of two matter. With f(X) < f(Y) they are: s(X) > f(Y) and s(Y) >
// f(X). If s(Y) > f(Y), Y is a forward zone, and it overlaps that of X. If not, Y lies within X's
// forward zone.

// chain are the linked blocks that begin with one write.
type chain struct {
	first, last int32 // f and s of the comment above
	early, late int32 // the calls with these positions; -1 for the initial write
	block       int32 // the first block
}

// block are the calls that write and read one value.
type block struct {
	value  Value
	writer int32 // -1: unknown, -2: the initial value
	next   int32 // the block whose writer reads this value; -1: none
	reads  []int32
}

func registerZones(h *History, calls []Call) (broken []Call, ok bool) {
	z := &zones{calls: calls}
	if !z.links() {
		return cellPieces(h, calls)
	}
	z.numbers = newIndex(calls)
	if !z.collect(h.Initial) {
		return nil, false
	}
	return z.judge(), true
}

type zones struct {
	calls   []Call
	numbers index
	blocks  []block
	chains  []chain
	broken  []Call
}

// reads is the value that a call reads; false if it reads none.
func (c *Call) reads() (Value, bool) {
	switch c.Op {
	case Read:
		return c.R, true
	case CAS:
		return c.A, true
	case Swap:
		return c.R, !c.Unknown
	}
	return 0, false
}

// writes is the value that a call writes; false if it writes none.
func (c *Call) writes() (Value, bool) {
	switch c.Op {
	case Write, Swap:
		return c.A, true
	case Delete:
		return Nil, true
	case CAS:
		return c.B, true
	}
	return 0, false
}

// links reports whether each call reads a known value, or is known to have written one, or both.
func (z *zones) links() bool {
	for i := range z.calls {
		c := &z.calls[i]
		if c.Op == Append || c.Op == CAS && (c.Unknown || c.R == 0 || c.Pending() || c.A == c.B) || c.Op == Swap && (c.Pending() || !c.Unknown && c.A == c.R) {
			return false
		}
	}
	return true
}

// collect makes the blocks. It is false if a value is written twice.
func (z *zones) collect(initial Value) bool {
	z.blocks = append(make([]block, 0, len(z.calls)/2+1), block{value: initial, writer: -2, next: -1})
	z.numbers.put(initial, 0)
	for i := range z.calls {
		c := &z.calls[i]
		if v, is := c.writes(); is {
			b := z.block(v)
			if b.writer != -1 {
				return false
			}
			b.writer = int32(i)
		}
	}
	for i := range z.calls {
		if v, is := z.calls[i].reads(); is {
			if z.calls[i].Op == Read {
				b := z.block(v)
				b.reads = append(b.reads, int32(i))
			} else {
				w, _ := z.calls[i].writes()
				to := z.numbers.get(w)
				b := z.block(v)
				if b.next >= 0 && z.broken == nil {
					z.broken = z.pick(b.writer, z.blocks[b.next].writer, int32(i)) // two calls read the value that only one can have replaced
				}
				b.next = to
			}
		}
	}
	return true
}

func (z *zones) block(v Value) *block {
	n := z.numbers.get(v)
	if n < 0 {
		n = int32(len(z.blocks))
		z.numbers.put(v, n)
		z.blocks = append(z.blocks, block{value: v, writer: -1, next: -1})
	}
	return &z.blocks[n]
}

// pick copies the calls with the numbers, those below 0 left out.
func (z *zones) pick(of ...int32) []Call { return pick(z.calls, of...) }

func pick(calls []Call, of ...int32) []Call {
	slices.Sort(of)
	var out []Call
	for _, i := range slices.Compact(of) {
		if i >= 0 {
			out = append(out, calls[i])
		}
	}
	return out
}

func (z *zones) judge() []Call {
	if z.broken != nil {
		return z.broken
	}
	linked := 0
	for n := range z.blocks {
		b := &z.blocks[n]
		if b.writer == -1 {
			if len(b.reads) > 0 {
				return z.pick(b.reads[0]) // a value that is read and was never written
			}
			return z.pick(z.blocks[b.next].writer)
		}
		if b.writer >= 0 {
			if _, reads := z.calls[b.writer].reads(); reads {
				continue // both blocks are in one chain
			}
			if len(b.reads) == 0 && b.next < 0 && z.calls[b.writer].Pending() {
				linked++
				continue // the call need not have taken effect
			}
		}
		if z.chain(int32(n), &linked); z.broken != nil {
			return z.broken
		}
	}
	if linked < len(z.blocks) {
		return z.ring()
	}
	return z.cycle()
}

// ring finds blocks in a circle, each of whose values was made from the one before.
func (z *zones) ring() []Call {
	var of []int32
	for n := range z.blocks {
		of = append(of, z.blocks[n].writer)
	}
	return z.pick(of...)
}

// chain follows the blocks from block n on, counts them in linked, and checks their order against
// the times.
func (z *zones) chain(n int32, linked *int) {
	c := chain{first: Never, last: -1, early: -1, late: -1, block: n}
	before, beforeCall := int32(-1), int32(-1) // the greatest Begin of the calls before, and the call that has it
	see := func(i int32) {
		call := &z.calls[i]
		if call.End < before && z.broken == nil {
			z.broken = append(z.writers(n, i, beforeCall), z.pick(i, beforeCall)...)
			z.broken = sorted(z.broken)
		}
		if call.End < c.first {
			c.first, c.early = call.End, i
		}
		if call.Begin > c.last {
			c.last, c.late = call.Begin, i
		}
	}
	for ; n >= 0; n = z.blocks[n].next {
		*linked++
		b := &z.blocks[n]
		if b.writer >= 0 {
			see(b.writer)
			if w := z.calls[b.writer].Begin; w > before {
				before, beforeCall = w, b.writer
			}
		} else {
			c.first = -1
		}
		most, mostCall := before, beforeCall
		for _, i := range b.reads {
			see(i)
			if r := z.calls[i].Begin; r > most {
				most, mostCall = r, i
			}
		}
		before, beforeCall = most, mostCall
		if *linked > len(z.blocks) {
			return // two blocks with one successor, which collect reports
		}
	}
	z.chains = append(z.chains, c)
}

// writers are the writers of the chain from block n on, except the calls a and b.
func (z *zones) writers(n, a, b int32) []Call {
	var of []int32
	for ; n >= 0 && len(of) <= len(z.blocks); n = z.blocks[n].next {
		if w := z.blocks[n].writer; w != a && w != b {
			of = append(of, w)
		}
	}
	return z.pick(of...)
}

// cycle looks for two chains each of which has to come before the other.
func (z *zones) cycle() []Call {
	forward := make([]chain, 0, len(z.chains))
	for _, c := range z.chains {
		if c.first < c.last {
			forward = append(forward, c)
		}
	}
	slices.SortFunc(forward, func(a, b chain) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(forward); i++ {
		if forward[i-1].last > forward[i].first {
			return z.both(forward[i-1], forward[i])
		}
	}
	for _, c := range z.chains {
		if c.first < c.last || len(forward) == 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(forward, c.last, func(x chain, s int32) int { return cmp.Compare(x.first, s) })
		if i > 0 && forward[i-1].last > c.first {
			return z.both(forward[i-1], c)
		}
	}
	return nil
}

// both are calls of two chains that show that each has to come before the other.
func (z *zones) both(x, y chain) []Call {
	out := append(z.writers(x.block, x.early, x.late), z.pick(x.early, x.late)...)
	out = append(append(out, z.writers(y.block, y.early, y.late)...), z.pick(y.early, y.late)...)
	return sorted(out)
}

func sorted(calls []Call) []Call {
	slices.SortFunc(calls, func(a, b Call) int { return cmp.Compare(a.Begin, b.Begin) })
	return calls
}
