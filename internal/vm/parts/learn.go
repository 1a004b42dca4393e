// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"math"
	"slices"
	"unsafe"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Draft is a step while a machine executes it, with what is needed to remember it.
type Draft struct {
	From    *Position
	Agent   int
	Call    uint32
	Fresh   int  // the name of the new item that the call adds; -1: none
	Failed  bool // the step cannot be remembered
	Begun   *vm.Stance
	Results []uint64
	Returns bool
	Said    []vm.Announcement
	Site    int // the number of the site that the thread passes; 0: none
}

// The results of TakeApart, so that callers need not import vm/state.
const (
	Shared = state.Shared
	Parted = state.Parted
)

// TakeApart divides the machine's state into parts and numbers them in to. numbered is false if the
// state cannot be divided (apart says why), or if the store is full.
func (m *Memory) TakeApart(mach *vm.Machine, to *After) (apart state.Apart, numbered bool) {
	p := &m.pieces
	if mach.Threads() > Room {
		return state.Whole, false
	}
	if apart = mach.TakeApart(p); apart != state.Parted {
		return apart, false
	}
	to.N = len(p.Threads)
	to.HeapItems = append(to.HeapItems[:0], p.Items...)
	for i := range p.Threads {
		t := &p.Threads[i]
		to.Items[i] = append(to.Items[i][:0], t.Items...)
		to.Tags[i] = t.Words[1]
	}
	return apart, m.Number(mach, to)
}

// Number numbers the pieces of the state that was divided last. It is false if the store is full.
func (m *Memory) Number(mach *vm.Machine, to *After) bool {
	p := &m.pieces
	var ok bool
	if to.Heap, ok = m.AddHeap(m.heapOf(mach), p.Front, p.Heap); !ok {
		return false
	}
	for i := range p.Threads {
		t := &p.Threads[i]
		to.Threads[i], ok = m.AddThread(t.Words, t.Stack, Own{len(t.Objects), len(t.Items), len(t.Numbers)},
			func() []state.Place { return mach.PartNames(t.Words, t.Stack) })
		if !ok {
			return false
		}
	}
	return true
}

func (m *Memory) heapOf(mach *vm.Machine) Heap {
	p := &m.pieces
	h := Heap{Objects: len(p.Objects), Items: len(p.Items), Numbers: len(p.Numbers)}
	if n := mach.Roots(); n > 0 {
		h.Root = p.Front[len(p.Front)-n]
	}
	return h
}

// Pieces returns the pieces of the state that was divided last.
func (m *Memory) Pieces() *state.Pieces { return &m.pieces }

// Learn remembers the step that has led the machine to its state, which was divided into `to`. A
// step that cannot be remembered is recorded as such, so that nobody tries again.
func (m *Memory) Learn(mach *vm.Machine, d *Draft, to *After) {
	m.makeRoom()
	s := Step{call: d.Call, Returned: d.Returns, Site: uint16(d.Site)}
	l := &lesson{Memory: m, mach: mach, draft: d, to: to, step: &s, heap: m.Heap(d.From.Heap), base: m.ground.BaseCount()}
	l.more.begun = d.Begun
	if cannot := d.Failed || d.Site > math.MaxUint16 || mach.Peered || mach.Decided() || to.N != d.From.N || l.heap.Objects > Most || max(l.heap.Items, l.heap.Numbers) > mostNamed; !cannot {
		loose := l.loose()
		s.under = m.holding(holding{loose, m.holdersOf(d.From, d.Agent, loose)})
		s.known = l.learn()
	}
	if s.known {
		s.more = m.keepMore(&l.more)
	}
	m.note(m.Record(d.From, d.Agent).learn(s))
}

// lesson derives from one step what has to be remembered of it.
type lesson struct {
	*Memory
	mach    *vm.Machine
	draft   *Draft
	to      *After
	step    *Step
	more    more
	heap    *Heap // the heap before the step
	base    int
	objects [Most]uint32     // by object of the heap before the step: its new number plus one; 0: it has left the heap
	items   [mostNamed]uint8 // the same by item
	numbers [mostNamed]uint8
	effect  effect
}

func (l *lesson) learn() bool {
	i := l.draft.Agent
	if !l.findEffect() {
		return false
	}
	s := l.step
	s.thread = l.to.Threads[i]
	var ok bool
	if l.more.lost, l.more.items, ok = l.origins(i); !ok {
		return false
	}
	if l.more.heapItems, ok = l.sources(l.pieces.Items, i); !ok || !l.learnResults() || !l.learnSaid() {
		return false
	}
	switch {
	case l.effect.items == 0 && len(l.more.heapItems) == l.heap.Items:
		l.more.heapItems = nil
	case l.more.heapItems == nil:
		l.more.heapItems = Sources{}
	}
	if !l.hasEffect() {
		return l.othersStay()
	}
	s.effect = l.known()
	return l.learnOthers(s.effect)
}

// loose is the set of objects of the old heap that no root reaches after the step. It depends on
// the heap and the thread's part alone.
func (l *lesson) loose() uint64 {
	rooted := uint64(0)
	for _, id := range l.pieces.Objects[:l.pieces.Rooted] {
		if k := int(id) - l.base - 1; k < l.heap.Objects {
			rooted |= 1 << k
		}
	}
	return (1<<l.heap.Objects - 1) &^ rooted
}

// findEffect determines the new names of what the old heap contained. It is false if another
// thread's number has entered the heap.
func (l *lesson) findEffect() bool {
	for n, id := range l.pieces.Objects {
		if k := int(id) - l.base - 1; k < l.heap.Objects {
			l.objects[k] = uint32(n) + 1
		}
	}
	l.effect.objects = moved(l.objects[:l.heap.Objects])
	for n, k := range l.pieces.Items {
		if int(k) < l.heap.Items {
			l.items[k] = uint8(n) + 1
		}
	}
	l.effect.items = uint32(moved(l.items[:l.heap.Items]))
	for n, k := range l.pieces.Numbers {
		switch {
		case int(k) < l.heap.Numbers:
			l.numbers[k] = uint8(n) + 1
		case int(k) != l.pieces.Threads[l.draft.Agent].ID:
			return false
		}
	}
	l.effect.numbers = uint32(moved(l.numbers[:l.heap.Numbers]))
	l.effect.heap = l.to.Heap
	return true
}

// moved is the set of indices k whose new name now[k]-1 is not k.
func moved[N uint8 | uint32](now []N) (set uint64) {
	for k, n := range now {
		if n != N(k)+1 {
			set |= 1 << k
		}
	}
	return set
}

// hasEffect reports whether the step changes the heap or a name of something in it.
func (l *lesson) hasEffect() bool {
	return l.to.Heap != l.draft.From.Heap || l.effect.renamesAny()
}

// known returns the effect, or an equal one that is already remembered. Two effects are equal if
// they change the same heap into the same heap, rename alike, and drop objects with the same
// contents.
func (l *lesson) known() *effect {
	w := append(l.words[:0], uint64(l.draft.From.Heap)<<32|uint64(l.to.Heap))
	if l.effect.renamesAny() {
		w = l.renaming(w)
	}
	l.words = w
	l.buffer = appendBytes(l.buffer[:0], w)
	l.effect.number = l.numbered
	e := once(l.Memory, l.effects, &l.effect)
	if e.number == l.numbered {
		l.numbered++
	}
	return e
}

// renaming appends the words by which effects that rename are compared: the new names, and the
// contents of objects that leave the heap.
func (l *lesson) renaming(w []uint64) []uint64 {
	for _, n := range l.objects[:l.heap.Objects] {
		w = append(w, uint64(n))
	}
	for _, n := range l.items[:l.heap.Items] {
		w = append(w, uint64(n))
	}
	for _, n := range l.numbers[:l.heap.Numbers] {
		w = append(w, uint64(n))
	}
	for k := range l.heap.Objects {
		if l.objects[k] == 0 && !l.effect.private {
			var ok bool
			w, ok = l.mach.Lost(w, l.base+1+k, l.base+l.heap.Objects, l.heap.Items)
			l.effect.private = !ok
		}
	}
	if l.effect.private {
		w = append(w, uint64(l.draft.From.Threads[l.draft.Agent]), uint64(l.draft.Call), 1)
	}
	return w
}

// othersStay reports whether no other thread's part has changed.
func (l *lesson) othersStay() bool {
	for j := range l.to.N {
		if j != l.draft.Agent && l.to.Threads[j] != l.draft.From.Threads[j] {
			return false
		}
	}
	return true
}

// learnOthers remembers how the effect changes the parts of the other threads. It is false if a
// part has changed that the effect does not rename.
func (l *lesson) learnOthers(e *effect) bool {
	for j := range l.to.N {
		if j == l.draft.Agent {
			continue
		}
		t := l.Thread(l.draft.From.Threads[j])
		if !e.renames(t) {
			if l.to.Threads[j] != l.draft.From.Threads[j] {
				return false
			}
			continue
		}
		lost, items, ok := l.origins(j)
		if !ok || e.private {
			continue // this step is not recalled while such a thread exists
		}
		key := keyOf(e.number, l.draft.From.Threads[j])
		if l.changes.get(key) != nil {
			continue
		}
		c := &change{thread: l.to.Threads[j]}
		l.note(int64(unsafe.Sizeof(*c)) + l.changes.put(key, c))
		if lost.objects|uint64(lost.items) != 0 || len(items) > 0 {
			c.origin = &origin{lost, items}
			l.note(int64(unsafe.Sizeof(*c.origin)) + int64(len(items)))
		}
	}
	return true
}

// origins tells where each object and item that thread j now owns was before the step. It is false
// if one came from another thread.
func (l *lesson) origins(j int) (lost, Sources, bool) {
	var from lost
	p := &l.pieces.Threads[j]
	first, end := l.own(j)
	total := l.total()
	for _, id := range p.Objects {
		k := int(id) - l.base - 1
		switch {
		case k < l.heap.Objects:
			from.objects |= 1 << k
		case k >= first && k < end, j == l.draft.Agent && k >= total:
		default:
			return from, nil, false
		}
	}
	items, ok := l.sources(p.Items, j)
	for _, k := range items {
		if k < fromOwn {
			from.items |= 1 << k
		}
	}
	return from, items, ok
}

// own is the range of the objects that thread j owned before the step. Objects are counted from the
// heap's first one.
func (l *lesson) own(j int) (first, end int) {
	first = l.heap.Objects
	for k := range j {
		first += l.Thread(l.draft.From.Threads[k]).Objects
	}
	return first, first + l.Thread(l.draft.From.Threads[j]).Objects
}

// total is the number of objects before the step, without base objects.
func (l *lesson) total() int {
	n := l.heap.Objects
	for k := range l.draft.From.N {
		n += l.Thread(l.draft.From.Threads[k]).Objects
	}
	return n
}

// sources tells where thread j's items, given by their names in the machine, were before the step.
// It is false if one came from another thread.
func (l *lesson) sources(items []uint8, j int) (Sources, bool) {
	list := slices.Grow(Sources(nil), len(items)) // stays nil if there are no items
	for _, k := range items {
		from, ok := l.source(int(k), j)
		if !ok {
			return nil, false
		}
		list = append(list, from)
	}
	return list, true
}

func (l *lesson) source(k, j int) (uint8, bool) {
	first := l.heap.Items
	for i := range j {
		first += l.Thread(l.draft.From.Threads[i]).Items
	}
	switch {
	case k < l.heap.Items:
		return uint8(k), true
	case k >= first && k < first+l.Thread(l.draft.From.Threads[j]).Items:
		return uint8(fromOwn + k - first), true
	case k == l.draft.Fresh && j == l.draft.Agent:
		return fromNew, true
	}
	return 0, false
}

// learnResults remembers the words that the call has returned.
func (l *lesson) learnResults() (ok bool) {
	l.more.results = append([]uint64(nil), l.draft.Results...)
	l.more.named, ok = l.named(l.more.results)
	return ok
}

// learnSaid remembers the announcements for the thread's own call. Announcements for other threads'
// calls depend on the other threads, so a step with one is not remembered.
func (l *lesson) learnSaid() bool {
	for _, a := range l.draft.Said {
		words := append([]uint64(nil), a.Words...)
		named, ok := l.named(words)
		if !ok || a.Thread != l.draft.Agent || a.Whose != 0 {
			return false
		}
		l.more.said = append(l.more.said, said{a.Rule, words, named})
	}
	return true
}

// named tells which of the words are items, and where these were before the step; nil if none is an
// item.
func (l *lesson) named(words []uint64) (list Sources, ok bool) {
	for i, w := range words {
		k, isItem := vm.AsItem(w)
		if !isItem {
			continue
		}
		from, ok := l.source(k, l.draft.Agent)
		if !ok {
			return nil, false
		}
		if list == nil {
			list = slices.Repeat(Sources{fromNone}, len(words))
		}
		list[i] = from
	}
	return list, true
}
