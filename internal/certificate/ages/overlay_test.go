// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
)

// These tests make real lists, in which each cell is known, and look whether what the checker computes of views of them is true of them. They share
// with the checker the types of views alone: what a view is of a list is written down here once more, with the list at hand.

// real is a list, the youngest cell first.
type real []realCell

type realCell struct {
	is   bool
	kind int // None: it does not count
	by   int // the thread whose call has linked it in: writing, other, or nobody that is looked at
}

const (
	writing = iota + 1
	other
)

// first is the kind of the first cell that counts from cell i on.
func (l real) first(i int) int {
	for ; i < len(l); i++ {
		if l[i].kind != None {
			return l[i].kind
		}
	}
	return None
}

// above is the first cell above cell i that counts, or -1.
func (l real) above(i int) int {
	for i--; i >= 0 && l[i].kind == None; i-- {
	}
	return i
}

// view is what there is to know of a list for a thread that names some of its cells, in order.
func (l real) view(named []int, own []bool) memory {
	m := memory{}
	upper := -1
	for n := 0; n <= len(named); n++ {
		lower := len(l)
		if n < len(named) {
			lower = named[n]
			m.cells = append(m.cells, cell{l[lower].is, l[lower].kind, own[n]})
		}
		g := gap{below: only(l.first(upper + 1))}
		for i := upper + 1; i < lower; i++ {
			if l[i].kind != None {
				g.kinds |= only(l[i].kind)
			}
		}
		if n == 0 {
			m.empty = lower == 0
		}
		m.gaps = append(m.gaps, g)
		upper = lower
	}
	return m
}

// pairs adds to below what is below what.
func (l real) pairs(below []set) {
	for i, x := range l {
		if x.kind != None {
			below[x.kind] |= only(l.first(i + 1))
		}
	}
}

// Kinds of the tests: three states, and whether the call that has linked the cell in has changed the one below it.
const (
	realKinds = 6
	realDead  = 9
)

func realCertificate() *Certificate {
	x := &Certificate{Head: Head{Item: 0, State: 1, Link: 2, Dead: realDead}}
	for k := range realKinds {
		x.Kinds = append(x.Kinds, Kind{Op: "Add", Done: k%2 == 1, State: k / 2})
	}
	return x
}

// scene is a list with two threads that name some of its cells.
type scene struct {
	r     *rand.Rand
	list  real
	named [3][]int // by thread
	own   [3][]bool
	below []set
	ends  bool // there may be cells with k that do not count
}

// few is a set with a quarter of all kinds, by chance.
func few(r *rand.Rand) set {
	half := r.Uint64()
	return set(half & r.Uint64())
}

func newScene(r *rand.Rand) *scene {
	s := &scene{r: r, below: make([]set, realKinds), ends: r.IntN(4) > 0}
	for range r.IntN(7) {
		x := realCell{kind: None, by: r.IntN(3)}
		if x.is = r.IntN(4) > 0; x.is && (!s.ends || r.IntN(3) > 0) {
			x.kind = r.IntN(realKinds)
		}
		s.list = append(s.list, x)
	}
	for who := writing; who <= other; who++ {
		for i, x := range s.list {
			if r.IntN(2) == 0 {
				s.named[who] = append(s.named[who], i)
				s.own[who] = append(s.own[who], x.by == who && r.IntN(4) > 0)
			}
		}
	}
	for k := range s.below {
		s.below[k] = few(r) & (1<<(realKinds+1) - 1)
	}
	if r.IntN(2) == 0 { // a table that says little
		for k := range s.below {
			s.below[k] |= set(r.Uint64()) & (1<<(realKinds+1) - 1)
		}
	}
	s.list.pairs(s.below)
	return s
}

// view is the view of a thread; blurred: with some things in it that are not so.
func (s *scene) view(who int, blurred bool) memory {
	m := s.list.view(s.named[who], s.own[who])
	if !blurred {
		return m
	}
	m.empty = m.empty && s.r.IntN(2) == 0
	for i := range m.gaps {
		if s.r.IntN(2) == 0 {
			m.gaps[i].kinds |= few(s.r) & (1<<(realKinds+1) - 2)
		}
		if i > 0 && s.r.IntN(2) == 0 {
			m.gaps[i].below |= few(s.r) & (1<<(realKinds+1) - 1)
		}
	}
	return m
}

// covers says whether a view says nothing that is not so, if is is what is so.
func covers(m, is *memory) bool {
	return slices.Equal(m.cells, is.cells) && (!m.empty || is.empty) && is.within(m.gaps)
}

func (s *scene) String() string {
	return fmt.Sprintf("list %+v, named %v, own %v, below %b", s.list, s.named[1:], s.own[1:], s.below)
}

// checker is one for the scene.
func (s *scene) checker() *checker {
	c := &checker{s: &subject.Subject{Operations: []subject.Operation{{Name: "Add"}}}, x: realCertificate(), below: s.below}
	c.x.Head.Ends = s.ends
	return c
}

// steps makes a step of the writer in all ways in which the checker does. false: the checker refuses it.
func (s *scene) steps(m memory, run func(*checker, *thread) error) (out []*thread, ok bool) {
	c := s.checker()
	m = m.clone()
	if !m.sharpen(s.below) {
		panic("a view of what is so is refused")
	}
	first := s.list.first(0)
	err := c.executions(func() (*thread, error) {
		t := &thread{first: first, memory: m.clone(), calls: []call{{&ir.Func{}, 0, map[ir.Reg]word{}}}}
		return t, run(c, t)
	}, func(t *thread) error {
		out = append(out, t)
		return nil
	})
	return out, err == nil
}

func cases(t *testing.T) int {
	switch {
	case level.Short():
		return 60_000
	case level.More():
		return 1_000_000
	}
	return 100_000
}

// Sharpening leaves nothing out that is so.
func TestSharpen_KeepsWhatIs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sharper := 0
	for range cases(t) {
		s := newScene(r)
		m, is := s.view(writing, true), s.view(writing, false)
		was := m.text()
		if !m.sharpen(s.below) || !covers(&m, &is) {
			t.Fatalf("%v: %s becomes %s, and %s is so", s, was, m.text(), is.text())
		}
		if m.text() != was {
			sharper++
		}
	}
	t.Logf("%d were sharpened", sharper)
	if sharper < 1000 {
		t.Error("few were sharpened")
	}
}

// What the checker says that the writer and others know behind a change of a state is so, in one of the ways in which it says it.
func TestChange_IsSeenByAll(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	made, refused, unknown, youngest, done := 0, 0, 0, 0, 0
	for range cases(t) {
		s := newScene(r)
		var at []int // which of those that the writer names count
		for n, i := range s.named[writing] {
			if s.list[i].kind != None {
				at = append(at, n)
			}
		}
		if len(at) == 0 {
			continue
		}
		n := at[r.IntN(len(at))]
		i := s.named[writing][n]
		state, to := realDead, None
		if r.IntN(2) == 0 {
			state = r.IntN(realKinds / 2)
			to = 2*state + s.list[i].kind%2
		}
		// The list behind it. pred is the first cell above that counts; the writer knows it if it names it. In half of the cases the writer knows less than
		// it may, so that perhaps it does not know that nothing counts between the two.
		behind := slices.Clone(s.list)
		behind[i].kind = to
		behind.pairs(s.below)
		pred := s.list.above(i)
		p := slices.Index(s.named[writing], pred)
		noted := p >= 0 && s.own[writing][p]
		if noted {
			behind[pred].kind |= 1
			behind.pairs(s.below)
		}
		list, blurred := s.list, r.IntN(2) == 0
		threads, ok := s.steps(s.view(writing, blurred), func(c *checker, t *thread) error { return c.change(t, n, state) })
		if !ok {
			refused++
			continue
		}
		if !s.ends && to == None {
			t.Fatalf("%v: it claims that no cell stops to count, and cell %d does", s, i)
		}
		if noted && blurred {
			behind[pred].kind = list[pred].kind
			for _, th := range threads {
				if w := th.wrote; w != nil && w.pred >= 0 && w.predTo%2 == 1 {
					behind[pred].kind |= 1
				}
			}
		}
		if noted && behind[pred].kind != list[pred].kind {
			done++
		}
		made++
		if p < 0 && pred >= 0 {
			unknown++
		}
		if pred < 0 {
			youngest++
		}
		victim := s.view(other, r.IntN(2) == 0)
		if !victim.sharpen(s.below) {
			t.Fatalf("%v: a view of what is so is refused", s)
		}
		s.list = behind
		own, others := s.view(writing, false), s.view(other, false)
		others.empty = victim.empty
		fine, seen := false, false
		for _, th := range threads {
			if th.first != behind.first(0) || !covers(&th.memory, &own) {
				continue
			}
			fine = true
			w := th.wrote
			if w == nil {
				seen = seen || covers(&victim, &others)
				continue
			}
			for _, m := range overlay(w, &victim, s.below) {
				seen = seen || w.to == th.first && covers(&m, &others) && m.empty == victim.empty
			}
		}
		if !fine || !seen {
			s.list = list
			t.Fatalf("%v: cell %d gets state %d: what the writer knows: %t, what the other one of %s knows: %t", s, i, state, fine, victim.text(), seen)
		}
	}
	t.Logf("%d changes were made and %d refused; of %d the writer did not know the cell above, %d were of the youngest, %d were noted above", made, refused, unknown, youngest, done)
	if made < cases(t)/5 || unknown < 500 || youngest < 500 || done < 300 {
		t.Error("few changes were made")
	}
}

// The same of a cell that is linked in.
func TestLinksIn_IsSeenByAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	made := 0
	for range cases(t) {
		s := newScene(r)
		x := realCell{is: r.IntN(2) == 0, kind: None, by: writing}
		words := []word{{sort: itemOther}, {n: realDead}, {}}
		if x.is {
			words[0].sort = itemK
		}
		if state := r.IntN(4); state < 3 {
			words[1].n = state
			if x.is {
				x.kind = 2 * state
			}
		}
		if len(s.list) > 0 { // the writer knows the youngest cell, for it has it in the link
			if !slices.Contains(s.named[writing], 0) {
				s.named[writing] = append([]int{0}, s.named[writing]...)
				s.own[writing] = append([]bool{false}, s.own[writing]...)
			}
			words[2].sort = linked
		}
		behind := append(real{x}, s.list...)
		behind.pairs(s.below)
		m := s.view(writing, r.IntN(2) == 0)
		threads, ok := s.steps(m, func(c *checker, t *thread) error {
			t.private = [][]word{words}
			in := ir.Instr{Op: ir.OpAtomicCAS, Dst: 3, B: 1, C: 2}
			t.calls[0].regs[1], t.calls[0].regs[2] = words[2], word{sort: private}
			return c.head(t, &t.calls[0], &in)
		})
		if counts := !x.is || x.kind != None; ok != (s.ends || counts) {
			t.Fatalf("%v: refused: %t", s, !ok)
		} else if !ok {
			continue
		}
		victim := s.view(other, r.IntN(2) == 0)
		victim.sharpen(s.below)
		s.list = behind
		for who := range s.named {
			for k := range s.named[who] {
				s.named[who][k]++
			}
		}
		s.named[writing] = append([]int{0}, s.named[writing]...)
		s.own[writing] = append([]bool{true}, s.own[writing]...)
		own, others := s.view(writing, false), s.view(other, false)
		fine, seen := false, false
		for _, th := range threads {
			if th.calls[0].regs[3] != flag(true) {
				continue
			}
			fine = fine || th.first == behind.first(0) && covers(&th.memory, &own) && th.empty && th.calls[0].regs[2] == word{sort: linked}
			for _, m := range overlay(th.wrote, &victim, s.below) {
				seen = seen || th.wrote.to == behind.first(0) && covers(&m, &others)
			}
		}
		made++
		if !fine || !seen {
			t.Fatalf("%v: a cell is linked in: what the writer knows: %t, what the other one knows: %t", s, fine, seen)
		}
	}
	t.Logf("%d cells were linked in", made)
}

// What is read from the head and from links is among what the checker says may be.
func TestReads_FindWhatIs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	named, found, nils := 0, 0, 0
	for range cases(t) {
		s := newScene(r)
		from := -1 // the cell whose link is read, or the head
		if len(s.named[writing]) > 0 && r.IntN(4) > 0 {
			from = r.IntN(len(s.named[writing]))
		}
		to := 0 // where it leads
		if from >= 0 {
			i := s.named[writing][from]
			to = i + 1
			for to < len(s.list) && s.list[to].kind == None && r.IntN(2) == 0 {
				to++
			}
		}
		threads, ok := s.steps(s.view(writing, r.IntN(2) == 0), func(c *checker, t *thread) error {
			in := ir.Instr{Op: ir.OpAtomicLoad, Dst: 1}
			for n := range s.named[writing] { // these have to lead to the same cells behind the step
				t.calls[0].regs[ir.Reg(5+n)] = word{sort: linked, n: n}
			}
			if from >= 0 {
				return c.link(t, &t.calls[0], &in, from)
			}
			return c.head(t, &t.calls[0], &in)
		})
		if !ok {
			t.Fatalf("%v: refused", s)
		}
		cells, want := slices.Clone(s.named[writing]), word{}
		k, is := slices.BinarySearch(s.named[writing], to)
		switch {
		case to == len(s.list):
			nils++
		case is:
			want = word{sort: linked, n: k}
			named++
		default:
			want = word{sort: linked, n: k}
			found++
			s.named[writing] = slices.Insert(s.named[writing], k, to)
			s.own[writing] = slices.Insert(s.own[writing], k, false)
		}
		behind := s.view(writing, false)
		if !slices.ContainsFunc(threads, func(t *thread) bool {
			regs := t.calls[0].regs
			for n, i := range cells {
				w := regs[ir.Reg(5+n)]
				if w.sort != linked || w.n >= len(s.named[writing]) || s.named[writing][w.n] != i {
					return false
				}
			}
			return regs[1] == want && covers(&t.memory, &behind)
		}) {
			t.Fatalf("%v: the link of %d leads to %d, and that is not found", s, from, to)
		}
	}
	t.Logf("%d cells that were named, %d that were not, %d nil", named, found, nils)
}

// A change of a state that the checker accepts leaves each pair of a cell that counts and the first one below it that does in the certificate's table. One that does so
// whatever is above and below is not refused.
func TestChange_KeepsPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	accepted, refused, wrong := 0, 0, 0
	for range cases(t) {
		s := newScene(r)
		n := -1
		for k, i := range s.named[writing] {
			if s.list[i].kind != None && (n < 0 || r.IntN(2) == 0) {
				n = k
			}
		}
		if n < 0 {
			continue
		}
		i := s.named[writing][n]
		state, to := realDead, None
		if r.IntN(2) == 0 {
			state = r.IntN(realKinds / 2)
			to = 2*state + s.list[i].kind%2
		}
		behind := slices.Clone(s.list)
		behind[i].kind = to
		if pred := s.list.above(i); pred >= 0 {
			if p := slices.Index(s.named[writing], pred); p >= 0 && s.own[writing][p] {
				behind[pred].kind |= 1
			}
		}
		after := make([]set, realKinds)
		behind.pairs(after)
		right := s.ends || to != None
		for k := range after {
			right = right && after[k]&^s.below[k] == 0
		}
		_, ok := s.steps(s.view(writing, false), func(c *checker, t *thread) error { return c.change(t, n, state) })
		switch {
		case ok && !right:
			t.Fatalf("%v: cell %d gets state %d, and then a pair is not in the table, or a cell does not count any more", s, i, state)
		case ok:
			accepted++
		case right:
			refused++
		default:
			wrong++
		}
	}
	t.Logf("%d accepted, %d refused, of which %d left no pair that is not in the table", accepted, wrong+refused, refused)
	if accepted < 1000 || wrong < 1000 || refused > accepted/4 {
		t.Error("too few were accepted, or refused")
	}
}

// A link is written if it leads to an older cell, or is nil, and passes over no cell that counts; who knows what he may knows that.
func TestLink_IsWrittenWhereItMayLead(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	accepted, refused := 0, 0
	for range cases(t) {
		s := newScene(r)
		cells := s.named[writing]
		if len(cells) == 0 {
			continue
		}
		from, to := r.IntN(len(cells)), r.IntN(len(cells)+1)
		start, end := cells[from], len(s.list)
		if to < len(cells) {
			end = cells[to]
		}
		right := end > start
		for i := start + 1; i < end; i++ {
			right = right && s.list[i].kind == None
		}
		blurred := r.IntN(2) == 0
		_, ok := s.steps(s.view(writing, blurred), func(c *checker, t *thread) error {
			w := word{sort: linked, n: to}
			if to == len(cells) {
				w = word{}
			}
			t.calls[0].regs[1] = w
			return c.link(t, &t.calls[0], &ir.Instr{Op: ir.OpAtomicStore, B: 1}, from)
		})
		if ok && !right || right && !ok && !blurred {
			t.Fatalf("%v: the link of cell %d is to lead to %d: %t", s, start, end, ok)
		}
		if ok {
			accepted++
		} else {
			refused++
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
}
