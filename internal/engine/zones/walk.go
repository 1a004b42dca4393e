// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// A walk is a random execution of the machine with a few threads. After each step the shared variables have to be within their bounds, and what each thread
// knows has to be in the table. The machine shares nothing with the engine but the instructions.

// firstItem is the first of the items of a walk, each of which is put in once. No program computes such a number by chance.
const firstItem = 1 << 40

// walker is a walk.
type walker struct {
	t        *table
	m        *vm.Machine
	live     *engine.Live
	random   *rand.Rand
	root     uint64
	chain    []int         // objects, by position
	owners   map[int]int   // by object in a slot: the number of the call that has put it there
	calls    []*walkedCall // by number
	threads  []int         // the number of the thread's call
	returned int           // the greatest position of a cell whose Put has returned
	slots    []uint64
}

// walkedCall is what a call does.
type walkedCall struct {
	op, since int
	item      []uint64 // the words that a Put is given
	linked    int      // the position of its cell; -1: none
	took      int      // the position of the cell whose item it took; -1: none
	from      int      // the object of the offer whose item it took; -1: none
	offer     int      // the object that it has put into a slot; -1: none
	slot      int      // that slot
	met       bool     // that offer was taken
	handed    bool     // its item was
	empty     bool
}

// dice decides what Go leaves open.
type dice struct{ random *rand.Rand }

func (d dice) Choose(n int) int { return d.random.IntN(n) }

// walk makes random executions; the error says what the table lacks.
func (t *table) walk(p *ir.Program, walks, steps int) error {
	img, err := vm.NewImage(p)
	if err != nil {
		return err
	}
	random, live := rand.New(rand.NewPCG(1, 1)), engine.NewLive(p)
	for i := range walks {
		w := &walker{t: t, m: img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true}), live: live, random: random, owners: map[int]int{}}
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
	w.threads = make([]int, threads)
	w.chain = []int{state.ObjectID(w.word(w.t.m.fingers[0]))}
	w.slots = w.inSlots()
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
		if w.m.Idle(i) {
			w.returned = max(w.returned, w.calls[w.threads[i]].linked)
		}
		if err := w.looks(); err != nil {
			return err
		}
	}
	return nil
}

// word is a word of the collection.
func (w *walker) word(off int32) uint64 { return w.m.Words(w.root, len(w.t.m.made.words))[off] }

// words are the words of an object.
func (w *walker) words(id, n int) []uint64 { return w.m.Words(state.Pointer(id, 0), n) }

// address is that of a slot: its object and offset.
func (w *walker) address(s int) (id, off int) {
	p := w.t.m.slots[s]
	if p.index < 0 {
		return state.ObjectID(w.root), int(p.word)
	}
	base := w.word(p.word)
	return state.ObjectID(base), state.Offset(base) + int(p.index)
}

func (w *walker) inSlots() (list []uint64) {
	for s := range w.t.m.slots {
		id, off := w.address(s)
		list = append(list, w.words(id, off+1)[off])
	}
	return list
}

// position is that of a finger.
func (w *walker) position(finger int) int {
	return slices.Index(w.chain, state.ObjectID(w.word(w.t.m.fingers[finger])))
}

// call begins a random call on a thread.
func (w *walker) call(i int) {
	op := w.random.IntN(len(w.t.m.p.ops))
	c := &walkedCall{op: op, since: w.returned, linked: -1, took: -1, from: -1, offer: -1}
	w.threads[i] = len(w.calls)
	w.calls = append(w.calls, c)
	args := []uint64{w.root}
	if w.t.m.p.ops[op].role == oracle.Put {
		args = append(args, firstItem+uint64(len(w.calls)))
	}
	w.see()
	w.m.Call(i, w.t.m.p.ops[op].by, args)
}

// see notes in the calls in progress whether all items are taken whose Puts have returned.
func (w *walker) see() {
	if w.position(0) < w.returned {
		return
	}
	for j := range w.threads {
		if len(w.calls) > 0 {
			w.calls[w.threads[j]].empty = true
		}
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
	for s := range w.t.m.slots {
		if at, _ := w.address(s); at == id {
			return true
		}
	}
	return id == state.ObjectID(w.root) || slices.Contains(w.chain, id)
}

// one executes one instruction, and notes what becomes of the collection.
func (w *walker) one(i int) error {
	c := w.calls[w.threads[i]]
	front := w.position(0)
	w.m.RunExactly(i, 1, dice{w.random})
	if f := w.m.Fault(); f != nil {
		return f
	}
	if text := w.m.Panicked(i); text != "" {
		return fmt.Errorf("a thread panics: %s", text)
	}
	o := &w.t.m.p.ops[c.op]
	if t := w.m.Thread[i]; o.role == oracle.Put && c.item == nil && !w.m.Idle(i) && t.Top().Code.Func == o.fn { // the harness has made the item
		for r := range o.width {
			c.item = append(c.item, t.Regs[int(t.Top().Base)+1+r])
		}
	}
	next := slices.Index(w.t.m.words, part{claim: link})
	if last := w.words(w.chain[len(w.chain)-1], next+1)[next]; last != 0 {
		if c.linked >= 0 {
			return fmt.Errorf("a call has linked in two cells")
		}
		c.linked = len(w.chain)
		w.chain = append(w.chain, state.ObjectID(last))
	}
	if now := w.position(0); now != front {
		if now != front+1 || c.took >= 0 || c.from >= 0 {
			return fmt.Errorf("the front is moved from position %d to %d", front, now)
		}
		c.took = now
	}
	for s, now := range w.inSlots() {
		if err := w.slot(i, s, w.slots[s], now); err != nil {
			return err
		}
		w.slots[s] = now
	}
	w.see()
	return nil
}

// slot notes that a thread has changed what is in a slot.
func (w *walker) slot(i, s int, was, now uint64) error {
	if was == now {
		return nil
	}
	number := w.threads[i]
	c := w.calls[number]
	owner, offered := w.owners[state.ObjectID(was)]
	switch {
	case was == 0:
		c.offer, c.slot, c.met = state.ObjectID(now), s, false
		w.owners[c.offer] = number
	case offered && owner == number && now == 0:
		c.offer = -1
	case offered && owner != number:
		c.from = state.ObjectID(was)
		o := w.calls[owner]
		o.met, o.handed = true, true
		if front := w.position(0); front < o.since {
			return fmt.Errorf("an item is handed over whose Put was called when position %d had returned, and the front is at %d", o.since, front)
		}
	case c.met && c.slot == s && now == 0:
		c.offer, c.met = -1, false
	default:
		return fmt.Errorf("a slot is changed that others use")
	}
	return nil
}

// looks looks up what is known of all states, and what each thread knows.
func (w *walker) looks() error {
	var shared []int
	for f := range w.t.m.fingers {
		shared = append(shared, w.position(f))
	}
	shared = append(shared, len(w.chain)-1, w.returned)
	if !within(&w.t.m.bounds, shared) {
		return fmt.Errorf("the shared variables are %v, which their bounds exclude", shared)
	}
	for j := range w.threads {
		if w.m.Idle(j) {
			continue
		}
		if !slices.ContainsFunc(w.t.list, func(e *entry) bool { return w.is(e, j, shared) }) {
			return fmt.Errorf("the table lacks what a thread in %s knows at %s", w.t.m.p.ops[w.calls[w.threads[j]].op].name, w.m.At(j))
		}
	}
	return nil
}

// within says whether variables have the bounds of a zone.
func within(z *zone, x []int) bool {
	for _, b := range z.bounds() {
		if x[b[0]] != unset && x[b[1]] != unset && x[b[0]] > x[b[1]]+b[2] {
			return false
		}
	}
	return true
}

// unset is no position.
const unset = -1 << 30

// sight is an attempt to find what a thread has in an entry of the table.
type sight struct {
	*walker
	c       *walkedCall
	l       *local
	vars    []int
	offers  []int // objects; unset
	private []int // likewise
	items   []seen
}

// seen is a word of an item of a cell of the chain, which is looked for when variables have values.
type seen struct {
	value value
	word  uint64
}

// is says whether an entry stands for a thread.
func (w *walker) is(e *entry, j int, shared []int) bool {
	l, t := &e.local, w.m.Thread[j]
	inner := t.Frames
	for len(inner) > 0 && inner[0].Code.Func.Harness {
		inner = inner[1:]
	}
	s := sight{walker: w, c: w.calls[w.threads[j]], l: l}
	if l.op != s.c.op || len(l.frames) != len(inner) || l.empty && !s.c.empty || l.met && !s.c.met || (l.did == handed) && !s.c.handed || (l.did == linked) != (s.c.linked >= 0) ||
		(l.did == tookCell) != (s.c.took >= 0) || (l.did == tookOffer) != (s.c.from >= 0) || (l.offered >= 0) != (s.c.offer >= 0) || l.offered >= 0 && l.slot != s.c.slot {
		return false
	}
	for list, n := range map[*[]int]int{&s.vars: l.vars, &s.offers: len(l.offers), &s.private: len(l.private)} {
		for range n {
			*list = append(*list, unset)
		}
	}
	ok := l.since < 0 || same(&s.vars[l.since], s.c.since)
	switch l.did {
	case linked:
		ok = ok && same(&s.vars[l.what], s.c.linked)
	case tookCell:
		ok = ok && same(&s.vars[l.what], s.c.took)
	case tookOffer:
		ok = ok && same(&s.offers[l.what], s.c.from)
	}
	for n := range l.frames {
		g := &inner[n]
		if l.frames[n].Fn != g.Code.Func || l.frames[n].PC != int(g.PC) {
			return false
		}
		for k, r := range w.live.Registers(g.Code.Func, int(g.PC), n < len(l.frames)-1) {
			ok = ok && s.admits(l.frames[n].Regs[k], t.Regs[int(g.Base)+int(r)])
		}
	}
	if l.offered >= 0 {
		ok = ok && s.own(l.offered, s.c.offer)
	}
	for o := range l.offers {
		ok = ok && s.numbers(o)
	}
	for _, p := range s.items {
		ok = ok && s.itemAt(p.value, p.word)
	}
	return ok && within(&e.zone, append(slices.Clip(shared), s.vars...))
}

// same says whether something has a value; what has none gets it.
func same(at *int, x int) bool {
	if *at == unset {
		*at = x
	}
	return *at == x
}

// admits says whether an abstract value stands for a word.
func (s *sight) admits(v value, word uint64) bool {
	id, off := state.ObjectID(word), int32(state.Offset(word))
	switch v.form {
	case constant:
		return int64(word) == int64(v.x)
	case number:
		return same(&s.vars[v.v], int(word)-int(v.x))
	case itemOwn:
		return word == s.c.item[v.x]
	case itemCell:
		s.items = append(s.items, seen{v, word})
		return true
	case itemOffer:
		for id, number := range s.owners {
			if s.calls[number].item[v.x] == word && (s.offers[v.v] == unset || s.offers[v.v] == id) {
				s.offers[v.v] = id
				return true
			}
		}
		return false
	case root:
		return id == state.ObjectID(s.root) && off == v.x
	case slice:
		return word == s.word(v.x)
	case slot:
		at, o := s.address(int(v.x))
		return id == at && int(off) == o
	case fixed:
		return word == s.word(v.x)
	case cell:
		at := slices.Index(s.chain, id)
		return at >= 0 && off == v.x && same(&s.vars[v.v], at)
	case offer:
		return word != 0 && off == v.x && (v.c > 0 || same(&s.offers[v.v], id))
	case private:
		return word != 0 && off == v.x && s.own(int(v.v), id)
	}
	return true
}

// itemAt says whether a word is one of the item of the cell whose position a variable has; of some cell, if it has no value and several cells have that word.
func (s *sight) itemAt(v value, word uint64) bool {
	at := slices.Index(s.t.m.words, part{item, int(v.x)})
	var found []int
	for i, id := range s.chain {
		if s.words(id, at+1)[at] == word {
			found = append(found, i)
		}
	}
	if p := s.vars[v.v]; p != unset || len(found) != 1 {
		return p == unset && len(found) > 0 || slices.Contains(found, p)
	}
	s.vars[v.v] = found[0]
	return true
}

// own says whether an object is a private cell of the thread.
func (s *sight) own(v, id int) bool {
	if s.private[v] != unset {
		return s.private[v] == id
	}
	s.private[v] = id
	if slices.Contains(s.chain, id) {
		return false
	}
	words := s.words(id, len(s.l.private[v].words))
	for i, x := range s.l.private[v].words {
		if !s.admits(x, words[i]) {
			return false
		}
	}
	return true
}

// numbers gives the variables of an offer the values of its owner and its words.
func (s *sight) numbers(o int) bool {
	id := s.offers[o]
	if id == unset {
		return true
	}
	if _, known := s.owners[id]; !known {
		return false
	}
	vars := s.l.offers[o]
	ok := same(&s.vars[vars[0]], s.calls[s.owners[id]].since)
	objects := []int{id}
	for i, parts := range s.t.m.offers {
		words := s.words(objects[i], len(parts))
		for k, p := range parts {
			switch p.claim {
			case position:
				ok = ok && same(&s.vars[vars[1+p.n]], int(words[k]))
			case link:
				objects = append(objects, state.ObjectID(words[k]))
			}
		}
	}
	return ok
}
