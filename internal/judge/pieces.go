// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"slices"
	"sort"
	"strings"
)

// Registers of strings that are written and appended to, in time that is linear in the history's
// length but for sorting.
//
// Let every string that is written or appended be another one, none the beginning of another, and
// let them be called pieces. A read returns a string; it falls into pieces in one way at most. If
// its pieces are p, a, b, then p was written, or appended to the empty string at the beginning; a
// was appended when the register held p, and b when it held pa: nothing else leads to pab. So an
// append of a piece that a read shows is a read-modify-write of known values, and these are never
// written twice. It is a linked block (register.go).
//
// A piece that no read shows: if it was written, its block has no reads. If it was appended, no
// read came behind it before the next write, as that would show it. So it came behind all blocks of
// the chain that it was appended to, and before the next chain. And it can be there behind any
// chain: the next one begins with a write. So it is a chain of its own, of one call.
//
// What comes of that is a register in which each value is written once, with the same orders;
// registerZones decides it.

// pieces reads a history of strings as one of pieces; collect is false if it cannot be read so.
type pieces struct {
	h      *History
	calls  []Call
	text   []string // sorted
	writer []int32  // by piece: the call that writes or appends it
	before []int32  // by piece: the one that it was appended to; -1: the empty string, -2: unknown
	shown  []int32  // by piece: a read that shows it; -1: none
	paths  map[int32]*path
}

// path is the longest string read so far that begins with a piece.
type path struct {
	text string
	read int32
	at   []int   // offsets at which its pieces end
	is   []int32 // numbers of its pieces
}

func cellPieces(h *History, calls []Call) (broken []Call, ok bool) {
	p := &pieces{h: h, calls: calls, paths: map[int32]*path{}}
	if !p.collect() {
		return nil, false
	}
	as := slices.Clone(calls)
	for i := range calls {
		if calls[i].Op != Read {
			continue
		}
		n, conflict := p.read(int32(i))
		if conflict != nil {
			return conflict, true
		}
		as[i].R = Value(n + 1)
	}
	for n, i := range p.writer {
		c := &as[i]
		if p.before[n] != -2 && c.Op == Append {
			c.Op, c.A, c.B, c.R = CAS, Value(p.before[n]+1), Value(n+1), 1
			continue
		}
		c.Op, c.A, c.R = Write, Value(n+1), 0
	}
	z := &zones{calls: as, numbers: newIndex(as)}
	if !z.collect(0) {
		return nil, false
	}
	return p.original(z.judge()), true
}

// original are the history's calls that calls of the register of pieces stand for.
func (p *pieces) original(as []Call) []Call {
	if as == nil {
		return nil
	}
	need := map[int32]bool{}
	for _, c := range as {
		need[c.Begin] = true
		if c.Op == CAS {
			need[p.calls[p.shown[c.B-1]].Begin] = true
		}
	}
	return p.closed(need)
}

// closed are the calls that begin at the positions in need, with the writers of all pieces that
// reads among them show.
func (p *pieces) closed(need map[int32]bool) []Call {
	show := map[int32]bool{}
	for i := range p.calls {
		if c := &p.calls[i]; need[c.Begin] && c.Op == Read {
			p.each(p.h.Values.Text(c.R), func(n int32, _ int) { show[p.writer[n]] = true })
		}
	}
	var out []Call
	for i := range p.calls {
		if need[p.calls[i].Begin] || show[int32(i)] {
			out = append(out, p.calls[i])
		}
	}
	return out
}

// collect finds the pieces. It is false if two may be confused, or if there are calls of other
// sorts.
func (p *pieces) collect() bool {
	if p.h.Initial != Nil && p.h.Values.Text(p.h.Initial) != "" || p.h.Initial != Nil && !p.h.Initial.IsString() {
		return false
	}
	appends := false
	var order []int32
	for i := range p.calls {
		c := &p.calls[i]
		switch c.Op {
		case Read:
			if !c.R.IsString() && c.R != Nil {
				return false
			}
			if p.h.Values.Text(c.R) == "" && c.R != p.h.Initial {
				return false
			}
			continue
		case Append:
			appends = true
		case Write:
		default:
			return false
		}
		if p.h.Values.Text(c.A) == "" {
			return false
		}
		order = append(order, int32(i))
	}
	if !appends {
		return false
	}
	slices.SortFunc(order, func(a, b int32) int {
		return strings.Compare(p.h.Values.Text(p.calls[a].A), p.h.Values.Text(p.calls[b].A))
	})
	for n, i := range order {
		text := p.h.Values.Text(p.calls[i].A)
		if n > 0 && strings.HasPrefix(text, p.text[n-1]) {
			return false
		}
		p.text = append(p.text, text)
		p.before = append(p.before, -2)
	}
	p.writer, p.shown = order, slices.Repeat([]int32{-1}, len(order))
	return true
}

// first is the piece with which a string begins; -1 if there is none.
func (p *pieces) first(s string) int32 {
	n := sort.Search(len(p.text), func(i int) bool { return p.text[i] > s }) - 1
	if n < 0 || !strings.HasPrefix(s, p.text[n]) {
		return -1
	}
	return int32(n)
}

// each calls f with the pieces of a string and their ends, until the rest begins with no piece.
func (p *pieces) each(s string, f func(n int32, end int)) {
	for at := 0; at < len(s); {
		n := p.first(s[at:])
		if n < 0 {
			return
		}
		at += len(p.text[n])
		f(n, at)
	}
}

// read is the last piece of what a read returned, -1 for the initial value; or it returns calls
// that contradict each other.
func (p *pieces) read(i int32) (last int32, conflict []Call) {
	s := p.h.Values.Text(p.calls[i].R)
	if s == "" {
		return -1, nil
	}
	root := p.first(s)
	if root < 0 {
		return 0, p.closed(map[int32]bool{p.calls[i].Begin: true})
	}
	to := p.paths[root]
	if to == nil {
		to = &path{read: i}
		p.paths[root] = to
	}
	if strings.HasPrefix(to.text, s) {
		if k, ok := slices.BinarySearch(to.at, len(s)); ok {
			return to.is[k], nil
		}
	}
	if !strings.HasPrefix(s, to.text) {
		return 0, p.closed(map[int32]bool{p.calls[i].Begin: true, p.calls[to.read].Begin: true})
	}
	for at := len(to.text); at < len(s); {
		n := p.first(s[at:])
		before := int32(-1)
		if len(to.is) > 0 {
			before = to.is[len(to.is)-1]
		}
		// A written piece can only be the first, and an appended piece has one predecessor.
		if n < 0 || p.calls[p.writer[n]].Op == Write && at > 0 || p.before[n] != -2 {
			need := map[int32]bool{p.calls[i].Begin: true}
			if n >= 0 && p.before[n] != -2 {
				for _, other := range p.paths {
					if slices.Contains(other.is, n) {
						need[p.calls[other.read].Begin] = true
					}
				}
			}
			return 0, p.closed(need)
		}
		at += len(p.text[n])
		p.before[n], p.shown[n] = before, i
		to.at, to.is = append(to.at, at), append(to.is, n)
	}
	to.text, to.read = s, i
	return to.is[len(to.is)-1], nil
}

// unseen lists the calls whose pieces no read shows. Without one of them an order stays right, as
// only a chain, or a call behind one, is gone.
func (p *pieces) unseen() [][]int {
	for i := range p.calls {
		if p.calls[i].Op == Read {
			p.each(p.h.Values.Text(p.calls[i].R), func(n int32, _ int) { p.shown[n] = int32(i) })
		}
	}
	var units [][]int
	for n, i := range p.writer {
		if p.shown[n] < 0 {
			units = append(units, []int{int(i)})
		}
	}
	return units
}
