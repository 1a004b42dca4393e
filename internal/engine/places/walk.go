// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// A walk is a random execution of the machine with a few threads and so many Puts as the slice has places. When it has ended, pairs of
// places are followed, and what all threads knew after each step, and what each one knew, has to be in the table. The machine shares
// nothing with the engine but the instructions.

// firstItem is the item of the first Put of a walk. No program computes such a number by chance.
const firstItem = 1 << 40

// walker is a walk.
type walker struct {
	t      *table
	m      *vm.Machine
	live   *engine.Live
	random *rand.Rand
	root   uint64
	slice  uint64 // the address of the first place

	puts    []walkedPut
	claimed []map[int64]int // by counter and the number that it had: the Put that moved it, or -1
	threads []walked
	seen    []sighting
	now     int
}

// walkedPut is a call of a Put: where its item is, and the steps at which things happened; 0: not yet.
type walkedPut struct{ place, called, stored, returned, taken int }

// walked is what a thread does. put and got are numbers of Puts, -1: none.
type walked struct {
	op, put, got int
	stored       bool
	added        uint8
	frames       []walkedFrame
}

type walkedFrame struct {
	fn   *ir.Func
	pc   int
	regs []walkedWord // those that are read later
}

// walkedWord is a word, whether it leads to a cell, what that holds, and whether others could see the cell.
type walkedWord struct {
	word, item  uint64
	cell, known bool
}

// sighting is what there was after a step.
type sighting struct {
	at       int
	counters []int64
	held     []int // by place: the Put whose item is there, or -1
	claimed  []map[int64]int
	threads  []walked
}

// walk makes random executions; the error says what the table lacks.
func (t *table) walk(s *subject.Subject, walks, steps int) error {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return err
	}
	random, live := rand.New(rand.NewPCG(1, 1)), engine.NewLive(s.Prog)
	for i := range walks {
		w := &walker{t: t, m: img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true}), live: live, random: random}
		if err := w.run(2+i%3, steps); err != nil {
			return err
		}
		for range 6 {
			low := random.IntN(int(t.p.length))
			if err := w.look(low, low+1+random.IntN(int(t.p.length))); err != nil {
				return err
			}
		}
	}
	return nil
}

// run makes the execution.
func (w *walker) run(threads, steps int) error {
	w.m.Spawn()
	w.m.Call(0, w.t.p.make, nil)
	w.m.RunAlone(0, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	w.root = w.m.Results(0)[0]
	w.m.SetRoots(w.root)
	w.slice = w.m.Words(state.Pointer(state.ObjectID(w.root), int(w.t.p.slice)), 1)[0]
	for range threads - 1 {
		w.m.Spawn()
	}
	for range w.t.p.counters {
		w.claimed = append(w.claimed, map[int64]int{})
	}
	w.threads = slices.Repeat([]walked{{op: -1, put: -1, got: -1}}, threads)
	for w.now = 1; w.now <= steps; w.now++ {
		i := w.random.IntN(threads)
		if w.m.Idle(i) {
			if !w.call(i) {
				continue
			}
		} else if err := w.one(i); err != nil {
			return err
		}
		for n := 0; !w.m.Idle(i) && !w.stands(i); n++ {
			if n == mostInstructions {
				return fmt.Errorf("a thread goes on for ever at %s", w.m.At(i))
			}
			if err := w.one(i); err != nil {
				return err
			}
		}
		if w.m.Idle(i) {
			if th := &w.threads[i]; th.put >= 0 {
				w.puts[th.put].returned = w.now
			} else if w.m.Results(i)[0] != firstItem+uint64(th.got) {
				return fmt.Errorf("a Take returns %d and has taken the item %d", w.m.Results(i)[0], th.got)
			}
			w.threads[i] = walked{op: -1, put: -1, got: -1}
		}
		w.sight()
	}
	return nil
}

// call begins a random call on a thread; false if there are no more Puts to be made.
func (w *walker) call(i int) bool {
	op := w.random.IntN(len(w.t.p.ops))
	args, put := []uint64{w.root}, -1
	if w.t.p.ops[op].role == oracle.Put {
		if put = len(w.puts); put >= int(w.t.p.length) {
			return false
		}
		w.puts = append(w.puts, walkedPut{place: -1, called: w.now})
		args = append(args, firstItem+uint64(put))
	}
	w.threads[i] = walked{op: op, put: put, got: -1}
	w.m.Call(i, w.t.p.ops[op].fn, args)
	return true
}

// stands says whether a thread is before an atomic access.
func (w *walker) stands(i int) bool {
	f := w.m.Thread[i].Top()
	if f.Code.Func.External {
		return false
	}
	op := f.Code.Func.Code[f.PC].Op
	return op >= ir.OpAtomicLoad && op <= ir.OpAtomicOr
}

// one executes one instruction, and notes what becomes of the places and counters.
func (w *walker) one(i int) error {
	counters, held := w.counters(), w.held()
	w.m.RunExactly(i, 1, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	if text := w.m.Panicked(i); text != "" {
		return fmt.Errorf("a thread panics: %s", text)
	}
	th := &w.threads[i]
	for k, n := range w.counters() {
		if n != counters[k] {
			w.claimed[k][counters[k]] = th.put
			th.added |= 1 << k
		}
	}
	for k, put := range w.held() {
		if put == held[k] {
			continue
		}
		if held[k] >= 0 {
			th.got, w.puts[held[k]].taken = held[k], w.now
		}
		if put >= 0 {
			th.stored, w.puts[put].stored, w.puts[put].place = true, w.now, k
		}
	}
	return nil
}

func (w *walker) counters() (out []int64) {
	for _, off := range w.t.p.counters {
		out = append(out, int64(w.m.Words(state.Pointer(state.ObjectID(w.root), int(off)), 1)[0]))
	}
	return out
}

// held lists by place the Put whose item is there, -1 for none.
func (w *walker) held() (out []int) {
	for _, p := range w.m.Words(w.slice, int(w.t.p.length)) {
		put := -1
		if p != 0 {
			put = int(w.m.Words(p, 1)[0] - firstItem)
		}
		out = append(out, put)
	}
	return out
}

// sight notes what there is.
func (w *walker) sight() {
	s := sighting{at: w.now, counters: w.counters(), held: w.held(), threads: slices.Clone(w.threads)}
	for _, c := range w.claimed {
		own := map[int64]int{}
		for n, put := range c {
			own[n] = put
		}
		s.claimed = append(s.claimed, own)
	}
	for i := range s.threads {
		t := w.m.Thread[i]
		for n := range t.Frames {
			f := &t.Frames[n]
			fn := f.Code.Func
			frame := walkedFrame{fn: fn, pc: int(f.PC)}
			for _, r := range w.live.Registers(fn, int(f.PC), n < len(t.Frames)-1) {
				x := walkedWord{word: t.Regs[int(f.Base)+int(r)]}
				if kind := fn.Kinds[r]; x.word != 0 && (kind == ir.Pointer || kind == ir.Unsafe) {
					if id := state.ObjectID(x.word); id != state.ObjectID(w.root) && id != state.ObjectID(w.slice) {
						x.cell, x.item = true, w.m.Words(x.word, 1)[0]
						x.known = x.item >= firstItem && w.puts[x.item-firstItem].stored > 0
					}
				}
				frame.regs = append(frame.regs, x)
			}
			s.threads[i].frames = append(s.threads[i].frames, frame)
		}
	}
	w.seen = append(w.seen, s)
}

// pair is a pair of places that is followed, with the Puts that fill them; -1: none does.
type pair struct {
	w             *walker
	low, high     int
	first, second int
}

// look looks up all that was seen.
func (w *walker) look(low, high int) error {
	p := pair{w, low, high, -1, -1}
	for i := range w.puts {
		switch w.puts[i].place {
		case low:
			p.first = i
		case high:
			p.second = i
		}
	}
	for i := range w.seen {
		s := &w.seen[i]
		id, known := w.t.sharedIDs[p.common(s)]
		if !known {
			return fmt.Errorf("the table lacks what all threads know after step %d of an execution, in which the places %d and %d are followed", s.at, low, high)
		}
		for k := range s.threads {
			if !slices.ContainsFunc(w.t.rows[id].list, func(l int) bool { return p.is(&w.t.locals[l], &s.threads[k], s) }) {
				return fmt.Errorf("the table lacks what a thread in %q knows after step %d of an execution, in which the places %d and %d are followed",
					append(slices.Clone(w.t.p.ops), operation{name: "no operation"})[min(uint(s.threads[k].op), uint(len(w.t.p.ops)))].name, s.at, low, high)
			}
		}
	}
	return nil
}

func (p *pair) label(put int) label {
	switch {
	case put == p.first && put >= 0:
		return first
	case put == p.second && put >= 0:
		return second
	}
	return other
}

// held is the label of a Put, or none for -1.
func (p *pair) held(put int) label {
	if put < 0 {
		return none
	}
	return p.label(put)
}

func (p *pair) class(n int64) class {
	switch low, high := int64(p.low), int64(p.high); {
	case n < 0:
		return negative
	case n < low:
		return below
	case n == low:
		return lower
	case n < high:
		return between
	case n == high:
		return higher
	}
	return above
}

// common is what all threads know.
func (p *pair) common(s *sighting) shared {
	k := shared{}
	for i, n := range s.counters {
		k.counters[i] = p.class(n)
		for j, place := range []int{p.low, p.high} {
			if put, there := s.claimed[i][int64(place)]; there {
				k.claimed[i][j] = p.label(put)
			}
		}
	}
	for j, place := range []int{p.low, p.high} {
		if place < len(s.held) {
			k.held[j] = p.held(s.held[place])
		}
	}
	for j, put := range []int{p.first, p.second} {
		if put < 0 {
			continue
		}
		x := &p.w.puts[put]
		for bit, when := range []int{x.called, x.stored, x.returned, x.taken} {
			if when > 0 && when <= s.at {
				k.puts[j] |= 1 << bit
			}
		}
	}
	if p.first >= 0 && p.second >= 0 {
		a, b := &p.w.puts[p.first], &p.w.puts[p.second]
		switch {
		case a.returned > 0 && a.returned < b.called && b.called <= s.at:
			k.before = first
		case b.returned > 0 && b.returned < a.called && a.called <= s.at:
			k.before = second
		}
	}
	return k
}

// is says whether an abstract thread stands for one that was seen.
func (p *pair) is(l *local, t *walked, s *sighting) bool {
	most := slices.Max(append([]int64{0}, s.counters...))
	if l.op != t.op+1 || l.got != p.held(t.got) || l.label != p.held(t.put) || l.stored != t.stored || l.added != t.added || l.positive && most == 0 || len(l.frames) != len(t.frames) {
		return false
	}
	for i := range l.frames {
		f, g := &l.frames[i], &t.frames[i]
		if f.Fn != g.fn || f.PC != g.pc {
			return false
		}
		for k, v := range f.Regs {
			if !p.admits(l, v, g.regs[k], most) {
				return false
			}
		}
	}
	return true
}

// admits says whether an abstract value stands for a word. most is the greatest number that a counter has.
func (p *pair) admits(l *local, v value, x walkedWord, most int64) bool {
	n := int64(x.word)
	ofItem := func(item uint64) bool {
		return item >= firstItem && item < firstItem+uint64(len(p.w.puts)) && p.label(int(item-firstItem)) == label(v.x)
	}
	switch v.kind {
	case constant:
		return n == int64(v.x)
	case number:
		return p.class(n) == class(v.x) && (v.b == free || v.b == upTo && n <= most || v.b == under && n < most)
	case next:
		return p.class(n-1) == class(v.x) && n <= most
	case item:
		return ofItem(x.word)
	case box:
		return x.known && ofItem(x.item)
	case root:
		return state.ObjectID(x.word) == state.ObjectID(p.w.root) && state.Offset(x.word) == int(v.x)
	case array:
		return x.word == p.w.slice
	case elem:
		return state.ObjectID(x.word) == state.ObjectID(p.w.slice) && p.class(int64(state.Offset(x.word))) == class(v.x)
	case cell:
		return x.cell && !x.known && p.admits(l, l.cells[v.x>>8][v.x&255], walkedWord{word: x.item}, most)
	}
	return true
}
