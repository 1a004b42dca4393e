// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// A walk is a random execution of the machine with a few threads. After each step what the head of a certificate says has to be so, and for each thread some entry has to be true of
// what is really in memory. The machine shares nothing with the checker but the instructions.

// firstItem is the first of the items of a walk, which are all different. No program computes such a number by chance.
const firstItem = 1 << 40

// walk is a walk.
type walk struct {
	c        *checker
	m        *vm.Machine
	random   *rand.Rand
	root     uint64
	chain    []int             // objects, by position
	offers   map[int]*offering // by the object of the first cell
	slots    []uint64          // what they held
	returned int
	threads  []walking
	items    uint64
	seen     map[*claimed]bool
}

// offering is an offer that was made.
type offering struct {
	owner, since int
	item         uint64
	cells        []int
	numbers      []int
}

// walking is what a thread does.
type walking struct {
	op    int
	item  uint64
	since int
	did   did // n is a position, or the object of an offer
	empty bool
	own   int // the object that it has offered, and not taken back; 0: none
	slot  int
	taken bool
	shown map[int]bool
}

// walks makes random executions; the error says what is not so.
func walks(s *subject.Subject, x *Certificate, walks, steps int) (seen int, err error) {
	c, err := newChecker(s, x)
	if err != nil {
		return 0, err
	}
	if err := c.load(); err != nil {
		return 0, err
	}
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return 0, err
	}
	random, all := rand.New(rand.NewPCG(1, 1)), map[*claimed]bool{}
	for i := range walks {
		w := &walk{c: c, m: img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true}), random: random, offers: map[int]*offering{}, seen: all}
		if err := w.run(2+i%3, steps); err != nil {
			return len(all), err
		}
	}
	return len(all), nil
}

func (w *walk) run(threads, steps int) error {
	w.m.Spawn()
	w.m.Call(0, w.c.s.New, nil)
	w.m.RunAlone(0, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	w.root = w.m.Results(0)[0]
	w.m.SetRoots(w.root)
	for range threads - 1 {
		w.m.Spawn()
	}
	w.chain = []int{state.ObjectID(w.word(w.c.x.Head.Fingers[0]))}
	w.slots = make([]uint64, len(w.c.x.Head.Slots))
	w.threads = make([]walking, threads)
	for range steps {
		i := w.random.IntN(threads)
		if w.m.Idle(i) {
			w.call(i)
		} else if err := w.one(i); err != nil {
			return err
		}
		for n := 0; !w.m.Idle(i) && !w.stands(i); n++ {
			if n == mostSteps {
				return fmt.Errorf("a thread goes on for ever at %s", w.m.At(i))
			}
			if err := w.one(i); err != nil {
				return err
			}
		}
		if err := w.holds(); err != nil {
			return err
		}
		for j := range w.threads {
			if w.m.Idle(j) {
				continue
			}
			if err := w.look(j); err != nil {
				return err
			}
		}
	}
	return nil
}

// word is a word of the collection.
func (w *walk) word(off int) uint64 { return w.m.Words(w.root, len(w.c.made.words))[off] }

// position is that of a cell of the chain; -1: the object is none.
func (w *walk) position(object int) int {
	for p, id := range w.chain {
		if id == object {
			return p
		}
	}
	return -1
}

// shared are the shared variables.
func (w *walk) shared() (out []int) {
	for _, f := range w.c.x.Head.Fingers {
		out = append(out, w.position(state.ObjectID(w.word(f))))
	}
	return append(out, len(w.chain)-1, w.returned)
}

func (w *walk) puts(i int) bool { return w.c.s.Operations[w.threads[i].op].Binding.Role == oracle.Put }

// call begins a random call on a thread.
func (w *walk) call(i int) {
	op := w.random.IntN(len(w.c.s.Operations))
	w.threads[i] = walking{op: op, since: w.returned, shown: map[int]bool{}}
	args := []uint64{w.root}
	if w.puts(i) {
		w.items++
		w.threads[i].item = firstItem + w.items
		args = append(args, w.threads[i].item)
	}
	w.m.Call(i, w.c.s.Operations[op].Func, args)
	w.see()
}

// see notes which Takes see that the queue is empty.
func (w *walk) see() {
	for i := range w.threads {
		if t := &w.threads[i]; !w.m.Idle(i) && !w.puts(i) && w.shared()[0] >= w.returned {
			t.empty = true
		}
	}
}

// stands says whether a thread is before an atomic access to what others may see.
func (w *walk) stands(i int) bool {
	t := w.m.Thread[i]
	f := t.Top()
	if f.Code.Func.External {
		return false
	}
	in := &f.Code.Func.Code[f.PC]
	return in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr
}

// one executes one instruction, and notes what becomes of chain, fingers and slots.
func (w *walk) one(i int) error {
	t, before := &w.threads[i], w.shared()
	w.m.RunExactly(i, 1, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	if text := w.m.Panicked(i); text != "" {
		return fmt.Errorf("a thread panics: %s", text)
	}
	h := &w.c.x.Head
	for {
		next := w.m.Words(state.Pointer(w.chain[len(w.chain)-1], 0), len(h.Words))[h.Next]
		if next == 0 {
			break
		}
		w.chain = append(w.chain, state.ObjectID(next))
		t.did = did{linked, len(w.chain) - 1}
	}
	if now := w.shared(); now[0] != before[0] {
		if now[0] != before[0]+1 || t.did.sort != nothing {
			return fmt.Errorf("the front is moved from %d to %d", before[0], now[0])
		}
		t.did = did{tookCell, now[0]}
	}
	for k, s := range h.Slots {
		is := w.inSlot(s)
		if was := w.slots[k]; is != was {
			w.slots[k] = is
			if err := w.changes(i, k, was, is); err != nil {
				return err
			}
		}
	}
	if w.m.Idle(i) && t.did.sort == linked {
		w.returned = max(w.returned, t.did.n)
	}
	w.see()
	return nil
}

// inSlot is what is in a slot.
func (w *walk) inSlot(s Slot) uint64 {
	if s.Index < 0 {
		return w.word(s.Word)
	}
	return w.m.Words(w.word(s.Word), w.c.made.lengths[s.Word])[s.Index]
}

// changes notes what a thread has done to slot k.
func (w *walk) changes(i, k int, was, is uint64) error {
	t := &w.threads[i]
	o := w.offers[state.ObjectID(was)]
	switch {
	case was == 0: // an offer is made
		x := &offering{owner: i, since: t.since, item: t.item, cells: make([]int, len(w.c.made.offered)), numbers: make([]int, w.c.numbers)}
		x.cells[0] = state.ObjectID(is)
		for n, words := range w.c.made.offered {
			t.shown[x.cells[n]] = true
			for at, v := range w.m.Words(state.Pointer(x.cells[n], 0), len(words)) {
				switch words[at].sort {
				case variable:
					x.numbers[words[at].n] = int(v)
				case private:
					x.cells[words[at].n] = state.ObjectID(v)
				case itemOwn:
					if v != t.item {
						return fmt.Errorf("an offer has another item")
					}
				}
			}
		}
		w.offers[x.cells[0]] = x
		t.own, t.slot, t.taken = x.cells[0], k, false
	case o == nil || t.own != 0 && t.slot == k: // it is taken back, or cleared
		if is != 0 || t.own == 0 || t.slot != k {
			return fmt.Errorf("a slot is changed by a thread that has nothing there")
		}
		t.own = 0
	default: // an offer is taken
		if w.shared()[0] < o.since || t.did.sort != nothing {
			return fmt.Errorf("an offer is taken where the front is before its since, or by a thread that has taken something")
		}
		t.did = did{tookOffer, o.cells[0]}
		w.threads[o.owner].did.sort, w.threads[o.owner].taken = handed, true
	}
	return nil
}

// holds is an error unless all is so that the head says.
func (w *walk) holds() error {
	shared := w.shared()
	for _, b := range w.c.x.Head.Bounds {
		if shared[b[0]] > shared[b[1]]+b[2] {
			return fmt.Errorf("the bound %v does not hold of %v", b, shared)
		}
	}
	for _, v := range w.slots {
		o := w.offers[state.ObjectID(v)]
		if o == nil {
			continue
		}
		all := append(append(w.shared(), o.since), o.numbers...)
		for _, b := range w.c.x.Head.Offered {
			if all[b[0]] > all[b[1]]+b[2] {
				return fmt.Errorf("the bound %v of an offer does not hold of %v", b, all)
			}
		}
	}
	return nil
}

// look looks for an entry that is true of a thread.
func (w *walk) look(i int) error {
	for _, e := range w.c.known {
		if s := newSight(w, e, i); s.is() {
			w.seen[e] = true
			return nil
		}
	}
	return fmt.Errorf("nothing is claimed that is true of a thread in %s at %s: %+v, where the shared variables are %v", w.c.s.Operations[w.threads[i].op].Name, w.m.At(i), w.threads[i], w.shared())
}

// sight compares an entry with a thread.
type sight struct {
	w       *walk
	e       *claimed
	i       int
	vars    map[int]int
	private map[int]int // objects
	offers  map[int]*offering
}

func newSight(w *walk, e *claimed, i int) *sight {
	s := &sight{w, e, i, map[int]int{}, map[int]int{}, map[int]*offering{}}
	for k, v := range w.shared() {
		s.vars[k] = v
	}
	return s
}

func (s *sight) stands(v, is int) bool {
	if now, known := s.vars[v]; known {
		return now == is
	}
	s.vars[v] = is
	return true
}

func (s *sight) is() bool {
	t, e, th := &s.w.threads[s.i], s.e, s.w.m.Thread[s.i]
	frames := th.Frames
	for len(frames) > 0 && frames[0].Code.Func.Harness { // what the harness does before it calls the method is not looked at
		frames = frames[1:]
	}
	if e.op != t.op || e.empty && !t.empty || len(e.calls) != len(frames) || e.since >= 0 && !s.stands(e.since, t.since) {
		return false
	}
	for n := range e.calls {
		if g := &frames[n]; e.calls[n].fn != g.Code.Func || e.calls[n].pc != int(g.PC) {
			return false
		}
	}
	switch e.did.sort {
	case nothing: // or it does not know
		if t.did.sort != nothing && t.did.sort != handed {
			return false
		}
	case tookOffer:
		if t.did.sort != tookOffer || !s.offer(e.did.n, s.w.offers[t.did.n]) {
			return false
		}
	case handed:
		if t.did.sort != handed {
			return false
		}
	default:
		if t.did.sort != e.did.sort || !s.stands(e.did.n, t.did.n) {
			return false
		}
	}
	if e.own.cell < 0 && t.own != 0 && !(t.taken && s.w.c.leavesNil()) || e.own.cell >= 0 && (t.own == 0 || t.slot != e.own.slot || e.own.met && !t.taken || !s.cell(e.own.cell, t.own)) {
		return false
	}
	for n := range e.calls {
		for r, v := range e.calls[n].regs {
			if !s.word(v, th.Regs[int(frames[n].Base)+int(r)]) {
				return false
			}
		}
	}
	for _, b := range e.says {
		x, known := s.vars[b.a]
		y, both := s.vars[b.b]
		if !known || !both || x > y+b.c {
			return false
		}
	}
	return true
}

// word says whether a value is true of a word.
func (s *sight) word(v word, is uint64) bool {
	c, t := s.w.c, &s.w.threads[s.i]
	id, off := state.ObjectID(is), int(state.Offset(is))
	switch v.sort {
	case number:
		return int64(is) == int64(v.n)
	case unknown:
		return true
	case variable:
		return s.stands(v.n, int(int64(is))-v.k)
	case itemOwn:
		return is == t.item
	case itemCell:
		for p, object := range s.w.chain {
			for at, what := range c.x.Head.Words {
				if what == "item 0" && s.w.m.Words(state.Pointer(object, 0), len(c.x.Head.Words))[at] == is {
					return s.stands(v.n, p)
				}
			}
		}
	case itemOffer:
		for _, o := range s.w.offers {
			if o.item == is && s.offer(v.n, o) {
				return true
			}
		}
	case root:
		return id == state.ObjectID(s.w.root) && off == v.n
	case element:
		return id == state.ObjectID(s.w.word(v.n)) && off == v.m
	case constant:
		return is == s.w.word(v.n)
	case cell:
		p := s.w.position(id)
		return p >= 0 && off == v.m && s.stands(v.n, p)
	case offer:
		for _, o := range s.w.offers {
			if o.cells[v.k] == id && off == v.m && s.offer(v.n, o) {
				return true
			}
		}
	case private:
		return is != 0 && off == v.m && s.cell(v.n, id)
	}
	return false
}

func (s *sight) offer(n int, o *offering) bool {
	if now := s.offers[n]; now != nil || o == nil {
		return now == o && o != nil
	}
	if o.owner == s.i && o.item == s.w.threads[s.i].item {
		return false // it is its own
	}
	s.offers[n] = o
	for k, v := range s.e.offers[n] {
		is := o.since
		if k > 0 {
			is = o.numbers[k-1]
		}
		if !s.stands(v, is) {
			return false
		}
	}
	return true
}

func (s *sight) cell(n, object int) bool {
	if now, known := s.private[n]; known {
		return now == object
	}
	for _, other := range s.private {
		if other == object {
			return false
		}
	}
	s.private[n] = object
	x := &s.e.private[n]
	if s.w.position(object) >= 0 || x.shown != s.w.threads[s.i].shown[object] {
		return false
	}
	for i, is := range s.w.m.Words(state.Pointer(object, 0), len(x.words)) {
		if !s.word(x.words[i], is) {
			return false
		}
	}
	return true
}

// What certificates claim that are made by the checker's own steps is so in random executions, and most of it occurs.
func TestWalk_FindsWhatIsClaimed(t *testing.T) {
	n := 60
	if level.Short() {
		n = 10
	}
	for _, c := range []struct {
		dir, typ string
		head     Head
	}{{collections, "LockFreeQueue", plainQueue()}, {collections, "DGLMQueue", plainQueue()}, {collections, "EliminationQueue", eliminating()}, {rights, "Waits", plainQueue()}, {rights, "Counts", counting()}, {rights, "Mixed", mixing()}, {wrongs, "Whole", eliminating()}} {
		s, x := filledOf(t, c.dir, c.typ, c.head)
		seen, err := walks(s, x, n, 400)
		if err != nil || seen < len(x.Threads)/3 {
			t.Errorf("%s: %d of %d threads, %v", c.typ, seen, len(x.Threads), err)
		}
		t.Logf("%s: %d of %d threads", c.typ, seen, len(x.Threads))
	}
}

// A walk finds what is not claimed, and what is claimed and is not so.
func TestWalk_FindsWhatIsWrong(t *testing.T) {
	s, whole := leastOf(t, rights, "Mixed", mixing())
	for what, edit := range map[string]func(x *Certificate){
		"no thread that links": func(x *Certificate) {
			x.Threads = without(x, func(t *Thread) bool { return t.Did == "linked 1" || t.Did == "linked 2" })
		},
		"no thread that offers":        func(x *Certificate) { x.Threads = without(x, func(t *Thread) bool { return t.Slot == 0 }) },
		"no thread that finds offers":  func(x *Certificate) { x.Threads = without(x, func(t *Thread) bool { return len(t.Offers) > 0 }) },
		"the tail is at the end":       func(x *Certificate) { x.Head.Bounds = append(x.Head.Bounds, Bound{2, 1, 0}) },
		"an offer is old":              func(x *Certificate) { x.Head.Offered = append(x.Head.Offered, Bound{1, 5, 0}) },
		"nothing moves at some moment": func(x *Certificate) { x.Threads[0].Bounds = append(x.Threads[0].Bounds, Bound{1, 0, -1}) },
	} {
		x := copyOf(whole)
		edit(x)
		if _, err := walks(s, x, 60, 400); err == nil {
			t.Errorf("%s: a walk finds nothing", what)
		}
	}
}

// without is the threads of a certificate but for some.
func without(x *Certificate, is func(*Thread) bool) (out []Thread) {
	for i := range x.Threads {
		if !is(&x.Threads[i]) {
			out = append(out, x.Threads[i])
		}
	}
	return out
}
