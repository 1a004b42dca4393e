// SPDX-License-Identifier: BSD-3-Clause

// Package walk holds an invariant against the machine that executes programs.
//
// A walk is a random execution of a collection by a few threads, on concrete memory, with
// every interleaving possible. Whenever all threads stand before an access that others can
// observe, what each of them sees is brought into the form of a view, and has to be in the
// invariant's table. The machine (internal/vm) shares nothing with the prover but the
// instructions; the walk shares with it the canonical form and the rules of the content, and
// neither the steps nor summaries unfolded, effects or merging.
//
// The package takes an invariant and gives the first view that is missing. That a walk finds
// none proves nothing; that it finds one refutes the proof.
package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Options say how far to walk.
type Options struct {
	Walks   int    // executions; without Threads, the first half has two threads and the others up to four
	Steps   int    // steps of each walk, of all threads together
	Seed    uint64 // of the random choices
	Threads int    // threads of every walk; 0: see Walks
	// Claimed says whether a view is an allowed one; nil: the views of the invariant are.
	Claimed func(*shape.View) bool
}

// Report is what walks have seen.
type Report struct {
	Lookups int // views that were looked up
	Hit     int // different views of the table that were met
	Missing *Missing
}

// Missing is a view that the table does not hold.
type Missing struct {
	View    *shape.View
	Text    string // what the thread was doing, or what is wrong with it
	Lookups int    // how many views were found before
}

func (m *Missing) Error() string {
	return fmt.Sprintf("after %d views of real executions there is one that the invariant does not hold: %s", m.Lookups, m.Text)
}

// Run walks. An error says that the program cannot be executed.
func Run(v *fixpoint.Invariant, o Options) (*Report, error) {
	img, err := vm.NewImage(v.Program.Prog)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	hit := map[*fixpoint.Entry]bool{}
	random := rand.New(rand.NewPCG(o.Seed, 1))
	for i := range o.Walks {
		threads := o.Threads
		if threads == 0 {
			threads = 2
			if i >= o.Walks/2 {
				threads += random.IntN(3)
			}
		}
		w := newWalker(v, img, random)
		w.hit, w.claimed = hit, o.Claimed
		if err := w.walk(threads, o.Steps, r); err != nil || r.Missing != nil {
			return r, err
		}
	}
	r.Hit = len(hit)
	return r, nil
}

// walker is a walk in progress.
type walker struct {
	v      *fixpoint.Invariant
	m      *vm.Machine
	live   *transfer.Machine // asked for live registers only
	canon  *shape.Canonizer
	random *rand.Rand
	hit    map[*fixpoint.Entry]bool

	claimed func(*shape.View) bool

	root   uint64
	wrote  bool                  // the last step has written memory, or taken or given back a lock
	put    bool                  // the last step has written the register that may hold descriptors
	shared map[int]bool          // objects that the collection has ever led to
	owner  map[uint64]int        // of locks that are held
	dead   map[uint64]shape.Word // words of private memory that the prover forgets
	offers map[int]held          // objects that are offers
	calls  []call                // by thread
	nodes  map[int]int           // numbers of objects in heaps
	order  []int                 // objects by that number

	now shape.Heap // buffers: all of the memory, and the memory as one thread sees it
	own shape.Heap // what a thread sees of it
}

// call is what a thread is doing, as views remember it.
type call struct {
	op    int
	param shape.Class
	flags shape.Flags
	taken shape.Word
	mine  uint64 // the cell with the descriptor of an operation that is announced
	// locked: the thread has just taken a lock, so its step may go on; between: it waits for a second lock in the middle
	// of a step of the prover.
	locked, between bool
}

func newWalker(v *fixpoint.Invariant, img *vm.Image, random *rand.Rand) *walker {
	return &walker{v: v, m: img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true}), live: transfer.New(v.Domain, v.Property, transfer.Coverage{}),
		canon: shape.NewCanonizer(v.Domain), random: random, shared: map[int]bool{}, owner: map[uint64]int{}, dead: map[uint64]shape.Word{}, offers: map[int]held{}, nodes: map[int]int{}}
}

// Values stand for items and keys: no program computes them by chance, so that a word of
// memory that is one of them is an item.
const (
	firstItem = 1 << 40
	k         = firstItem + 2
	lastItem  = firstItem + 4

	firstJ = 1 << 41
	j      = firstJ + 1
	lastJ  = firstJ + 2
)

// classOf is the class of a word, if the word is an item.
func (w *walker) classOf(x uint64) (c shape.Class, item bool) {
	switch {
	case x == j:
		return shape.EqualJ, true
	case x >= firstJ && x <= lastJ:
		return shape.OtherJ, true
	case x < firstItem || x > lastItem:
		return 0, false
	case x == k:
		return shape.Equal, true
	case x < k && w.v.Domain.Ordered:
		return shape.Below, true
	}
	return shape.Above, true
}

// walk makes one walk and adds to the report what it sees.
func (w *walker) walk(threads, steps int, r *Report) error {
	w.m.Spawn()
	w.m.Call(0, w.v.Program.New, nil)
	w.m.RunAlone(0, nil)
	if f := w.m.Fault(); f != nil {
		return f
	}
	w.root = w.m.Results(0)[0]
	w.m.SetRoots(w.root)
	w.share()
	w.start()
	for range threads - 1 {
		w.m.Spawn()
	}
	w.calls = make([]call, threads)
	for range steps {
		i := w.random.IntN(threads)
		if !w.m.Idle(i) && !w.m.Enabled(i) {
			continue
		}
		w.wrote, w.put = false, false
		clear(w.nodes) // objects to which nothing leads any more lose their numbers
		w.order = w.order[:0]
		text, err := w.move(i)
		if err != nil {
			return err
		}
		if text != "" {
			r.Missing = &Missing{Text: text, Lookups: r.Lookups}
			return nil
		}
		if r.Missing = w.look(i, r); r.Missing != nil {
			return nil
		}
	}
	return nil
}

// move lets thread i begin a call, or make a step, and lets the threads continue that waited for what the step wrote.
// The text says what a step does wrong.
func (w *walker) move(i int) (string, error) {
	switch {
	case w.m.Idle(i):
		w.invoke(i)
	case w.calls[i].between: // it waited for a second lock
		w.calls[i].between = false
	default:
		if text := w.execute(i); text != "" {
			return text, nil
		}
	}
	if text, err := w.goOn(i); err != nil || text != "" {
		return text, err
	}
	for other := range w.calls { // what was written may be all that others have waited for
		if other == i || !w.wrote || w.calls[other].between {
			continue
		}
		if text, err := w.goOn(other); err != nil || text != "" {
			return text, err
		}
	}
	return "", nil
}

// goOn lets thread i execute instructions until it stands where a step of the prover ends.
func (w *walker) goOn(i int) (string, error) {
	for left := 1 << 16; !w.m.Idle(i) && !w.stands(i); left-- {
		if left == 0 {
			return "", fmt.Errorf("a thread goes round for ever in what no other thread can see or influence, at %s", w.m.At(i))
		}
		if !w.m.Enabled(i) {
			w.calls[i].between = true
			return "", nil
		}
		if _, settled, _ := w.access(i); settled {
			w.bury(i)
		}
		if text := w.execute(i); text != "" {
			return text, nil
		}
	}
	w.bury(i)
	if f := w.m.Fault(); f != nil {
		return "", f
	}
	return w.m.Panicked(i), nil
}

// invoke begins a random call with random arguments on thread i.
func (w *walker) invoke(i int) {
	p := w.v.Program
	op := w.random.IntN(len(p.Operations))
	c := call{op: op}
	args := []uint64{w.root}
	if o := w.v.Property.Map.Object; o != nil {
		for k, v := range o.Rules[op].Args {
			x, bit := w.argument(v)
			c.param |= bit << k
			args = append(args, x)
		}
	} else if p.Operations[op].Param {
		item := uint64(firstItem + w.random.IntN(lastItem-firstItem+1))
		if w.random.IntN(2) == 0 {
			item = k
		}
		c.param, _ = w.classOf(item)
		args = append(args, item)
	}
	w.calls[i] = c
	w.m.Call(i, p.Funcs[op], args)
}

// execute lets thread i execute one instruction, and follows who holds which lock and how the content changes. The
// text says what is wrong.
func (w *walker) execute(i int) string {
	lock, taking := w.lockAt(i)
	if text := w.touch(i); text != "" {
		return text
	}
	visible, _, writes := w.access(i)
	var before shape.Heap
	var writing change
	if writes {
		writing = w.about(i)
		before = *w.heap(&shape.Heap{})
	}
	w.m.RunExactly(i, 1, dice{w.random})
	w.wrote = w.wrote || writes || lock != 0
	c := &w.calls[i]
	switch {
	case lock != 0 && taking:
		w.owner[lock] = i
		c.locked = w.shared[state.ObjectID(lock)]
	case lock != 0:
		delete(w.owner, lock)
		c.locked = false
	case visible:
		c.locked = false
	}
	if !writes {
		return ""
	}
	w.share()
	for at := range w.dead {
		if w.shared[state.ObjectID(at)] {
			return "others get to see a word that the invariant forgets"
		}
	}
	if writing.swaps && w.m.Words(writing.at, 1)[0] == writing.old[0] {
		return "" // it has failed
	}
	return w.judge(i, before, writing)
}

// judge applies the rules of the content to a write that thread i has made; the text says which one is broken.
func (w *walker) judge(i int, before shape.Heap, writing change) string {
	c := &w.calls[i]
	after := w.heap(&w.now)
	at, words := shape.Ref(w.node(state.ObjectID(writing.at)), state.Offset(writing.at)), len(writing.old)
	w.put = w.put || w.v.Property.Written(at, words)
	view := shape.View{Op: uint8(c.op), Param: c.param, Flags: c.flags, Taken: c.taken}
	if err := w.exchange(i, &before, writing, &view); err != nil {
		return err.Error()
	}
	if err := w.v.Property.Step(&content.Write{Before: &before, After: after, At: at, N: words}, &view); err != nil {
		return err.Error()
	}
	c.flags, c.taken = view.Flags, view.Taken
	if view.Mine.IsRef() {
		c.mine = state.Pointer(w.order[view.Mine.Node()], 0)
	}
	return ""
}

// look looks up what each thread sees after a step of one of them. If the step has written nothing, the views of the
// others are the same as before.
func (w *walker) look(mover int, r *Report) *Missing {
	base := w.heap(&w.now)
	certain := w.v.Property.Certain(base)
	for i := range w.calls {
		c := &w.calls[i]
		if i != mover && !w.wrote {
			continue
		}
		if !w.m.Idle(i) {
			c.flags |= certain & w.v.Property.Minds(c.op, c.param)
			sees := shape.View{Heap: *base, Op: uint8(c.op), Param: c.param, Flags: c.flags}
			w.v.Property.Observe(&sees, w.put)
			c.flags = sees.Flags
		}
		if c.between {
			continue
		}
		view := w.view(i, base)
		r.Lookups++
		if w.claimed != nil {
			if !w.claimed(view) {
				return &Missing{View: view, Lookups: r.Lookups, Text: w.describe(i)}
			}
			continue
		}
		e := w.v.Find(view)
		if e == nil {
			return &Missing{View: view, Lookups: r.Lookups, Text: w.describe(i)}
		}
		w.hit[e] = true
	}
	return nil
}

// describe names the view of thread i for a message.
func (w *walker) describe(i int) string {
	if w.m.Idle(i) {
		return "that of an idle thread"
	}
	return fmt.Sprintf("that of a thread in %s at %s", w.v.Program.Operations[w.calls[i].op].Name, w.m.At(i))
}

// share notes the objects to which the collection leads, which are shared from now on.
func (w *walker) share() {
	work := []int{state.ObjectID(w.root)}
	seen := map[int]bool{}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] {
			continue
		}
		seen[id], w.shared[id] = true, true
		words, layout := w.words(id)
		for off, kind := range layout {
			if (kind == ir.Pointer || kind == ir.Unsafe) && words[off] != 0 {
				work = append(work, state.ObjectID(words[off]))
			}
		}
	}
}

// heap writes all of the memory into h, as a heap without summaries in which all locks are free.
func (w *walker) heap(h *shape.Heap) *shape.Heap {
	w.node(state.ObjectID(w.root))
	h.Nodes, h.Words = h.Nodes[:0], h.Words[:0]
	for n := 0; n < len(w.order); n++ { // it grows
		id := w.order[n]
		t := w.m.Objs[id].Info.Type
		words, layout := w.words(id)
		node := h.New(t.ID, len(words))
		h.Nodes[node].Shared = w.shared[id]
		for off, kind := range layout {
			if w.v.Domain.IsMutex(t.ID, off) {
				continue
			}
			h.Put(node, off, w.word(words[off], kind))
		}
	}
	return h
}

// words are the words of an object, of all its elements, and their kinds.
func (w *walker) words(id int) ([]uint64, []ir.Kind) {
	o := &w.m.Objs[id]
	n := int(o.Count)
	if n == 1 {
		return w.m.Words(state.Pointer(id, 0), o.Info.Type.Size), o.Info.Type.Layout()
	}
	return w.m.Words(state.Pointer(id, 0), n*o.Info.Type.Size), slices.Repeat(o.Info.Type.Layout(), n)
}

// node is the number of an object in heaps. The collection is node 0.
func (w *walker) node(id int) int {
	if root := state.ObjectID(w.root); len(w.order) == 0 && id != root {
		w.node(root)
	}
	n, ok := w.nodes[id]
	if !ok {
		n = len(w.order)
		w.nodes[id] = n
		w.order = append(w.order, id)
	}
	return n
}

// word is the abstract value of a word.
func (w *walker) word(x uint64, kind ir.Kind) shape.Word {
	switch kind {
	case ir.Pointer, ir.Unsafe:
		if x != 0 {
			return shape.Ref(w.node(state.ObjectID(x)), state.Offset(x))
		}
	case ir.Scalar:
		if c, item := w.classOf(x); item {
			return shape.Data(c)
		}
		return shape.Const(x)
	case ir.Code:
		if x&ir.FuncTag != 0 {
			return shape.FuncValue(int(x &^ ir.FuncTag))
		}
		if x != 0 {
			return shape.Ref(w.node(state.ObjectID(x)), 0)
		}
	case ir.String:
		return shape.Top
	}
	return shape.Nil
}

// view is what thread i sees, in canonical form. base is all of the memory.
func (w *walker) view(i int, base *shape.Heap) *shape.View {
	v := &shape.View{}
	if !w.m.Idle(i) {
		c := &w.calls[i]
		v.Op, v.Param, v.Flags, v.Taken = uint8(c.op), c.param, c.flags, c.taken
		t := w.m.Thread[i]
		if v.Ghosts() > 0 {
			v.Regs = append(v.Regs, w.word(c.mine, ir.Pointer))
		}
		for n := range t.Frames {
			w.frame(v, t, n)
		}
	}
	h := &w.own
	if base.CopyTo(h); len(h.Nodes) < len(w.order) { // a register refers to an object that nothing led to
		w.heap(h)
	}
	for lock, owner := range w.owner {
		n, there := w.nodes[state.ObjectID(lock)]
		switch {
		case !there || n >= len(h.Nodes): // neither the collection nor the thread leads there
		case owner == i:
			h.Put(n, state.Offset(lock), transfer.Mine)
		case n == 0:
			h.Put(n, state.Offset(lock), transfer.Others)
		}
	}
	w.forget(h)
	w.mark(h, i)
	v.Heap = w.canon.Run(h, v.Regs, nil)
	return v
}

// frame adds call n in progress of a thread to a view.
func (w *walker) frame(v *shape.View, t *state.Thread, n int) {
	f := &t.Frames[n]
	fn := f.Code.Func
	regs := t.Regs[f.Base:]
	for _, r := range w.live.Live(fn, int(f.PC), n == len(t.Frames)-1) {
		v.Regs = append(v.Regs, w.word(regs[r], fn.Kinds[r]))
	}
	frame := shape.Frame{Func: int32(fn.ID), PC: f.PC}
	list := w.deferred(t, f)
	for i := len(list) - 1; i >= 0; i-- {
		c, words := list[i].call, list[i].words
		frame.Defers = append(frame.Defers, int32(c.ID))
		for off, kind := range c.Record.Layout()[2:] {
			v.Regs = append(v.Regs, w.word(words[2+off], kind))
		}
	}
	v.Frames = append(v.Frames, frame)
}

// record is a deferred call, with the words of its callee and arguments.
type record struct {
	call  *ir.Call
	words []uint64
}

// deferred lists the calls that a call in progress has deferred, the last one first.
func (w *walker) deferred(t *state.Thread, f *state.Frame) []record {
	r := f.Code.Func.DeferReg
	if r == ir.NoReg {
		return nil
	}
	cell := t.Regs[int(f.Base)+int(r)]
	if cell == 0 {
		return nil
	}
	var list []record
	for at := w.m.Words(cell, 1)[0]; at != 0; {
		id := w.m.Words(at, 2)[1]
		c := w.v.Program.Prog.Calls[id]
		words := slices.Clone(w.m.Words(at, c.Record.Size))
		list = append(list, record{c, words})
		at = words[0]
	}
	return list
}
