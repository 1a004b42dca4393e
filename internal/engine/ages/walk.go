// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// A walk is a random execution of the machine with a few threads and items, of which one is k. After each step what each thread knows
// has to be in the table. The machine shares nothing with the engine but the instructions.

// firstItem is the first of the items of a walk. No program computes such a number by chance.
const firstItem = 1 << 40

// walker is a walk.
type walker struct {
	t       *table
	m       *vm.Machine
	live    *engine.Live
	random  *rand.Rand
	root    uint64
	k       uint64
	cells   []*walkedCell // in the order in which they were linked in
	threads []walked
	calls   int
}

// walkedCell is a cell that was linked in.
type walkedCell struct {
	object      int
	is          bool
	kind        kind // its state is that of the last look
	call        int  // that has linked it in
	counts      bool
	everCounted bool
}

// walked is what a thread does.
type walked struct {
	op, call                 int
	is                       bool
	changed, present, absent bool
}

// walk makes random executions; the error says what the table lacks.
func (t *table) walk(s *subject.Subject, walks, steps int) error {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return err
	}
	random, live := rand.New(rand.NewPCG(1, 1)), engine.NewLive(s.Prog)
	for i := range walks {
		w := &walker{t: t, m: img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true}), live: live, random: random, k: firstItem}
		if err := w.run(2+i%3, steps); err != nil {
			return err
		}
	}
	return nil
}

// run makes the execution.
func (w *walker) run(threads, steps int) error {
	w.m.Spawn()
	w.m.Call(0, w.t.m.p.make, nil)
	w.m.RunAlone(0, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	w.root = w.m.Results(0)[0]
	w.m.SetRoots(w.root)
	for range threads - 1 {
		w.m.Spawn()
	}
	w.threads = make([]walked, threads)
	for range steps {
		i := w.random.IntN(threads)
		if w.m.Idle(i) {
			w.call(i)
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

// call begins a random call on a thread.
func (w *walker) call(i int) {
	op, x := w.random.IntN(len(w.t.m.p.ops)), firstItem+uint64(max(0, w.random.IntN(5)-2))
	w.calls++
	w.threads[i] = walked{op: op, call: w.calls, is: x == w.k}
	w.see(&w.threads[i])
	w.m.Call(i, w.t.m.p.ops[op].fn, []uint64{w.root, x})
}

// see notes whether k is held.
func (w *walker) see(t *walked) {
	if held := w.held(); t.is {
		t.present, t.absent = t.present || held, t.absent || !held
	}
}

// stands says whether a thread is before an atomic access to what others may see.
func (w *walker) stands(i int) bool {
	t := w.m.Thread[i]
	f := t.Top()
	if f.Code.Func.External {
		return false
	}
	in := &f.Code.Func.Code[f.PC]
	if in.Op < ir.OpAtomicLoad || in.Op > ir.OpAtomicOr {
		return false
	}
	id := state.ObjectID(t.Regs[int(f.Base)+int(in.A)])
	return id == state.ObjectID(w.root) || w.number(id) >= 0
}

// number is the number of a cell that was linked in; -1: it is none.
func (w *walker) number(id int) int {
	return slices.IndexFunc(w.cells, func(c *walkedCell) bool { return c.object == id })
}

// words are the words of a cell.
func (w *walker) words(id int) []uint64 { return w.m.Words(state.Pointer(id, 0), 3) }

// youngest is the number of the youngest cell that counts and is older than cell n; -1: there is none.
func (w *walker) youngest(n int) int {
	for n--; n >= 0 && !w.cells[n].counts; n-- {
	}
	return n
}

func (w *walker) held() bool {
	n := w.youngest(len(w.cells))
	return n >= 0 && slices.Contains(w.t.m.held, w.cells[n].kind.state)
}

// one executes one instruction, and notes what becomes of the cells.
func (w *walker) one(i int) error {
	th := &w.threads[i]
	before := w.held()
	w.m.RunExactly(i, 1, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	if text := w.m.Panicked(i); text != "" {
		return fmt.Errorf("a thread panics: %s", text)
	}
	first := w.m.Words(w.root, 1)[0]
	if id := state.ObjectID(first); first != 0 && (len(w.cells) == 0 || w.cells[len(w.cells)-1].object != id) {
		if w.number(id) >= 0 {
			return fmt.Errorf("a cell is in front that was linked in before")
		}
		at := w.t.m.words
		words := w.words(id)
		c := &walkedCell{object: id, is: words[at.item] == w.k, call: th.call, kind: kind{op: th.op, found: before, state: int32(words[at.state])}}
		c.counts = c.is && c.kind.state != w.t.m.dead
		c.everCounted = c.counts
		w.cells = append(w.cells, c)
	}
	for n, c := range w.cells {
		now := int32(w.words(c.object)[w.t.m.words.state])
		if !c.is || now == c.kind.state {
			continue
		}
		for j := n + 1; c.counts && j < len(w.cells); j++ { // the first that counts above
			if up := w.cells[j]; up.counts {
				up.kind.done = up.kind.done || up.call == th.call
				break
			}
		}
		c.kind.state, c.counts = now, now != w.t.m.dead
		if c.counts && !c.everCounted {
			return fmt.Errorf("a cell counts again")
		}
		c.everCounted = c.counts
	}
	if w.held() != before {
		th.changed = true
	}
	for j := range w.threads {
		if !w.m.Idle(j) {
			w.see(&w.threads[j])
		}
	}
	return nil
}

// kindOf is the number of the kind of a cell, none if it does not count; false if the table has none.
func (w *walker) kindOf(n int) (int, bool) {
	if n < 0 || !w.cells[n].counts {
		return none, true
	}
	id, known := w.t.m.ids[w.cells[n].kind]
	return id, known
}

// sight is what a thread knows.
type sight struct {
	*walked
	named []int // numbers of the cells that its registers lead to, the youngest first
	t     *state.Thread
}

// look looks up what a thread knows.
func (w *walker) look(i int) error {
	s := sight{walked: &w.threads[i], t: w.m.Thread[i]}
	w.registers(&s, func(word uint64, isAddress bool) {
		if n := w.number(state.ObjectID(word)); isAddress && word != 0 && n >= 0 && !slices.Contains(s.named, n) {
			s.named = append(s.named, n)
		}
	})
	slices.Sort(s.named)
	slices.Reverse(s.named)
	first, known := w.kindOf(w.youngest(len(w.cells)))
	if r := w.t.rows[first]; known && r != nil && slices.ContainsFunc(r.list, func(e *entry) bool { return w.is(&e.local, &s) }) {
		return nil
	}
	return fmt.Errorf("the table lacks what a thread in %s knows at %s", w.t.m.p.ops[s.op].name, w.m.At(i))
}

// registers calls f with each register of a thread that is read later.
func (w *walker) registers(s *sight, f func(word uint64, isAddress bool)) {
	for n := range s.t.Frames {
		g := &s.t.Frames[n]
		fn := g.Code.Func
		for _, r := range w.live.Registers(fn, int(g.PC), n < len(s.t.Frames)-1) {
			f(s.t.Regs[int(g.Base)+int(r)], fn.Kinds[r] == ir.Pointer || fn.Kinds[r] == ir.Unsafe)
		}
	}
}

// is says whether an abstract thread stands for one that was seen.
func (w *walker) is(l *local, s *sight) bool {
	if l.op != s.op || l.is != s.is || l.changed != s.changed || l.present != s.present || l.absent != s.absent || len(l.cells) != len(s.named) || len(l.frames) != len(s.t.Frames) {
		return false
	}
	top := -1
	if len(s.named) > 0 {
		top = s.named[0]
	}
	if l.empty && top != len(w.cells)-1 {
		return false
	}
	for i := range l.cells {
		c, x := &l.cells[i], w.cells[s.named[i]]
		if kind, known := w.kindOf(s.named[i]); !known || c.is != x.is || c.kind != kind || c.own && x.call != s.call {
			return false
		}
	}
	var words []value
	for n := range l.frames {
		if g := &s.t.Frames[n]; l.frames[n].Fn != g.Code.Func || l.frames[n].PC != int(g.PC) {
			return false
		}
		words = append(words, l.frames[n].Regs...)
	}
	ok, at := w.gapsFit(l, s), 0
	w.registers(s, func(word uint64, isAddress bool) {
		ok = ok && w.admits(l, s, words[at], word)
		at++
	})
	return ok
}

// gapsFit says whether the cells between those of a thread are as it knows.
func (w *walker) gapsFit(l *local, s *sight) bool {
	above := len(w.cells)
	for i, g := range l.gaps {
		end := -1
		if i < len(s.named) {
			end = s.named[i]
		}
		first, known := w.kindOf(w.youngest(above))
		if !known || !g.below.has(first) {
			return false
		}
		for n := above - 1; n > end; n-- {
			if kind, known := w.kindOf(n); !known || kind != none && !g.kinds.has(kind) {
				return false
			}
		}
		above = end
	}
	return true
}

// admits says whether an abstract value stands for a word.
func (w *walker) admits(l *local, s *sight, v value, word uint64) bool {
	id, off := state.ObjectID(word), int32(state.Offset(word))
	switch v.form {
	case constant:
		return int64(word) == int64(v.x)
	case item:
		return (word == w.k) == (v.x == 1)
	case root:
		return id == state.ObjectID(w.root) && off == v.x
	case linked:
		return w.cells[s.named[v.x>>8]].object == id && off == v.x&255
	case private:
		if word == 0 || w.number(id) >= 0 || off != v.x&255 {
			return false
		}
		for i, x := range w.words(id) {
			if !w.admits(l, s, l.private[v.x>>8].words[i], x) {
				return false
			}
		}
	}
	return true
}
