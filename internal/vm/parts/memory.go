package parts

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Remembered steps. A step of a thread that asks for no decision and meets no other thread is
// a function of the heap and of the thread's own part. So it is executed once for each pair of
// them, and what has come of it is remembered: the thread's new part and the effect on the
// heap. Most effects are none: half of all steps and more only read.
//
// An effect changes the parts of other threads in one way only: objects, items and threads' numbers of the heap
// have other names, or belong to the heap no more and so to the threads that still lead to
// them. Such a change is remembered as well, for each effect and part. If two threads lead to
// what was in the heap, the state cannot be taken apart, and nothing is recalled.

// Room is how many threads a position has room for.
const Room = 8

// Position is a state as the numbers of its parts.
type Position struct {
	Heap    uint32
	N       int
	Threads [Room]uint32
	Tags    [Room]uint64
}

// Sources say of items what they were before a step: of the heap, by name; from fromOwn on of
// the part that has changed, by name; or new.
type Sources []uint8

const (
	fromOwn = 1 << 6
	fromNew = 255
)

// Step is a remembered step.
type Step struct {
	known     bool // otherwise it has to be executed
	thread    uint32
	effect    *effect // nil: none
	lost      lost
	items     Sources // of the thread's own items
	heapItems Sources // of the heap's; nil: as they were
	results   []uint64
	named     Sources // which of the results are items; nil: none
	said      []said
	Returned  bool
	// Begun is the thread, if the step begins with a call, before its first visible access; nil if
	// that is not asked for.
	Begun *vm.Stance
}

// lost is what of the heap that was belongs to a thread's part now.
type lost struct {
	objects uint64
	items   uint32
}

// said is what ghost code has announced in a step for the call of the thread that takes it.
type said struct {
	rule  int
	words []uint64
	named Sources // which of the words are items; nil: none
}

func (l lost) meets(o lost) bool { return l.objects&o.objects != 0 || l.items&o.items != 0 }

// effect is what a step does to the heap.
type effect struct {
	number  uint32
	heap    uint32
	objects uint64 // of the heap that was: they have other names, or belong to it no more
	items   uint32
	numbers uint32
	private bool // what has left the heap leads to what was in no heap: other threads' parts are not remembered
}

// renames says that the effect gives something that a thread's part names another name.
func (e *effect) renames(t *Thread) bool {
	return t.Held&e.objects != 0 || t.HeldItems&e.items != 0 || t.HeldNumbers&e.numbers != 0
}

// change is what becomes of a part by an effect.
type change struct {
	thread uint32
	lost   lost
	items  Sources
}

// Record is what is known of a thread in a heap.
type Record struct {
	Stance *vm.Stance // nil: not yet
	steps  []made
}

// made is a step that has been executed: the thread goes on if call is 0, or makes that call.
type made struct {
	call uint32
	// loose are the heap's objects that no root reaches behind the step. Which of them are the heap's then, and
	// which a thread's, depends on what the other threads lead to.
	loose uint64
	held  holders
	step  *Step
}

// holders say which objects each of the other threads leads to itself, in an order that does not depend on that of
// the threads.
type holders [Room - 1]uint64

// holdersOf are those of the threads of a position but i, of some of the heap's objects.
func (s *Store) holdersOf(p *Position, i int, objects uint64) (h holders) {
	n := 0
	for j := range p.N {
		if j == i {
			continue
		}
		held := s.Thread(p.Threads[j]).Held & objects
		k := n
		for ; k > 0 && h[k-1] < held; k-- {
			h[k] = h[k-1]
		}
		h[k] = held
		n++
	}
	return h
}

// find gives the step that thread i of a position makes, of which r is the record, with a call by its number or 0. known says
// that it can be recalled, tried that it has been executed before.
func (r *Record) find(m *Memory, p *Position, i int, call uint32) (s *Step, known, tried bool) {
	held, asked := holders{}, uint64(0)
	for k := range r.steps {
		d := &r.steps[k]
		if d.call != call {
			continue
		}
		if d.loose != asked {
			held, asked = m.holdersOf(p, i, d.loose), d.loose
		}
		if d.held == held {
			return d.step, d.step.known, true
		}
	}
	return nil, false, false
}

// learn notes a step.
func (r *Record) learn(d made) {
	for i := range r.steps {
		if o := &r.steps[i]; o.call == d.call && o.loose == d.loose && o.held == d.held {
			o.step = d.step
			return
		}
	}
	r.steps = append(r.steps, d)
}

// Memory remembers steps. It belongs to one worker.
type Memory struct {
	*Store
	limit   int64
	used    int64
	records table[Record] // by heap and thread
	effects map[string]*effect
	// numbered is how many effects have had numbers. None has that of another, whatever is forgotten:
	// who still has a step of before finds nothing.
	numbered uint32
	changes  table[change] // by effect and thread
	calls    map[string]uint32
	pieces   state.Pieces
	buffer   []byte
	words    []uint64
}

// NewMemory makes an empty memory that takes up to limit bytes. When it is full it forgets.
func NewMemory(s *Store, limit int64) *Memory {
	m := &Memory{Store: s, limit: limit, calls: map[string]uint32{}}
	m.forget()
	return m
}

func (m *Memory) forget() {
	m.records.clear()
	m.changes.clear()
	m.effects = map[string]*effect{}
	m.note(-m.used)
}

// note counts memory.
func (m *Memory) note(bytes int64) {
	m.used += bytes
	m.remembered.Add(bytes)
}

// makeRoom forgets everything if the memory is full. It is called between steps.
func (m *Memory) makeRoom() {
	if m.used > m.limit {
		m.forget()
	}
}

// Record is what is known of thread i of a position.
func (m *Memory) Record(p *Position, i int) *Record {
	key := keyOf(p.Heap, p.Threads[i])
	if r := m.records.get(key); r != nil {
		return r
	}
	r := new(Record)
	m.note(int64(unsafe.Sizeof(*r)) + m.records.put(key, r))
	return r
}

// Remember puts a stance into a record.
func (m *Memory) Remember(r *Record, s vm.Stance) {
	r.Stance = &s
	m.note(int64(unsafe.Sizeof(s)))
}

// Call numbers a call, given as words, from 1 on. The number stays, whatever is forgotten.
func (m *Memory) Call(words []uint64) uint32 {
	m.buffer = appendBytes(m.buffer[:0], words)
	n, ok := m.calls[string(m.buffer)]
	if !ok {
		n = uint32(len(m.calls)) + 1
		m.calls[string(m.buffer)] = n
	}
	return n
}

func appendBytes(dst []byte, words []uint64) []byte {
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint64(dst, w)
	}
	return dst
}

// After is a state to which a remembered step has led.
type After struct {
	Position
	step      *Step
	from      *Position
	agent     int
	HeapItems []uint8       // the names that the heap's items had before
	Items     [Room][]uint8 // likewise of the threads' own
	Results   []uint64      // what the call has returned
	Said      []vm.Announcement
}

// Recall gives the state behind a step of thread i, without its items. It fails if what the step does to another thread's part is not known, or if two threads share something then.
func (m *Memory) Recall(s *Step, p *Position, i int, a *After) bool {
	a.Position, a.step, a.from, a.agent = *p, s, p, i
	a.Threads[i] = s.thread
	if s.effect == nil {
		return true
	}
	a.Heap = s.effect.heap
	return m.spread(a)
}

// spread changes the parts of the others.
func (m *Memory) spread(a *After) bool {
	e, all := a.step.effect, a.step.lost
	for j := range a.N {
		t := m.Thread(a.Threads[j])
		if j == a.agent || !e.renames(t) {
			continue
		}
		c := m.changes.get(keyOf(e.number, a.Threads[j]))
		if c == nil || c.lost.meets(all) {
			return false
		}
		all.objects, all.items = all.objects|c.lost.objects, all.items|c.lost.items
		a.Threads[j] = c.thread
	}
	return true
}

// Rename fills in the items of a state that has been recalled, and what the call has returned. fresh
// is the name of an item that is new.
func (m *Memory) Rename(a *After, fresh int) {
	before := m.Heap(a.from.Heap).Items
	a.HeapItems = a.HeapItems[:0]
	if a.step.heapItems == nil {
		a.HeapItems = appendRange(a.HeapItems, 0, before)
	}
	for j := range a.N {
		list, own := a.Items[j][:0], m.Thread(a.from.Threads[j]).Items
		switch c := m.changed(a, j); {
		case j == a.agent:
			list = a.step.items.names(list, before, fresh)
			a.HeapItems = a.step.heapItems.names(a.HeapItems, before, fresh)
			a.results(before, fresh)
		case c != nil:
			list = c.items.names(list, before, fresh)
		default:
			list = appendRange(list, before, own)
		}
		a.Items[j] = list
		before += own
	}
}

// Speak fills in what the step has announced. fresh is the name of an item that is new.
func (m *Memory) Speak(a *After, fresh int) {
	a.Said = a.Said[:0]
	if len(a.step.said) == 0 {
		return
	}
	before := m.Heap(a.from.Heap).Items
	for _, t := range a.from.Threads[:a.agent] {
		before += m.Thread(t).Items
	}
	for i := range a.step.said {
		s := &a.step.said[i]
		words := s.words
		if s.named != nil {
			words = s.named.put(slices.Clone(words), before, fresh)
		}
		a.Said = append(a.Said, vm.Announcement{Thread: a.agent, Rule: s.rule, Words: words})
	}
}

// changed is what has become of the part of another thread; nil: nothing.
func (m *Memory) changed(a *After, j int) *change {
	if a.step.effect == nil || a.Threads[j] == a.from.Threads[j] {
		return nil
	}
	return m.changes.get(keyOf(a.step.effect.number, a.from.Threads[j]))
}

// results gives what the call has returned.
func (a *After) results(before, fresh int) {
	a.Results = a.step.named.put(append(a.Results[:0], a.step.results...), before, fresh)
}

// put puts the names that items have into words.
func (list Sources) put(words []uint64, before, fresh int) []uint64 {
	for k, from := range list {
		if from != fromNone {
			words[k] = vm.Item(int(name(from, before, fresh)))
		}
	}
	return words
}

func appendRange(dst []uint8, first, n int) []uint8 {
	for k := range n {
		dst = append(dst, uint8(first+k))
	}
	return dst
}

// names appends the names that items had.
func (list Sources) names(dst []uint8, before, fresh int) []uint8 {
	for _, from := range list {
		dst = append(dst, name(from, before, fresh))
	}
	return dst
}

// fromNone stands for a word that is no item.
const fromNone = fromNew - 1

// name is the name that an item had, if so many items come before the part's own.
func name(from uint8, before, fresh int) uint8 {
	switch {
	case from == fromNew:
		return uint8(fresh)
	case from >= fromOwn:
		return uint8(before + int(from) - fromOwn)
	}
	return from
}
