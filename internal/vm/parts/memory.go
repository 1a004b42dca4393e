// SPDX-License-Identifier: BSD-3-Clause

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
// them. Such a change is remembered as well, for each effect and part. Where two threads lead to
// what no root reaches any more, it stays in the heap, and the step is remembered with who leads to what (holding).

// Room is how many threads a position has room for.
const Room = 8

// Position is a state as the numbers of its parts.
type Position struct {
	Heap    uint32
	N       int
	Threads [Room]uint32
	Tags    [Room]uint64
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
	stances  map[string]*vm.Stance
	holdings map[holding]*holding
	mores    map[string]*more
	calls    map[string]uint32
	recalled int64 // steps, since it has forgotten all
	pieces   state.Pieces
	ranks    rankings
	buffer   []byte
	words    []uint64
}

// NewMemory makes an empty memory that takes up to limit bytes. When it is full it forgets.
func NewMemory(s *Store, limit int64) *Memory {
	m := &Memory{Store: s, limit: limit, calls: map[string]uint32{}, ranks: rankings{sets: map[uint64]uint64{}}}
	m.forget()
	return m
}

func (m *Memory) forget() {
	m.records.clear()
	m.changes.clear()
	m.effects, m.stances, m.holdings = map[string]*effect{}, map[string]*vm.Stance{}, map[holding]*holding{}
	m.mores = map[string]*more{}
	m.note(-m.used)
	m.recalled = 0
}

// What is remembered has to be of use: beyond some room that it takes in any case it may take so many bytes for each step that
// has been recalled.
const (
	spare = 8 << 20
	worth = 16
)

// note counts memory.
func (m *Memory) note(bytes int64) {
	m.used += bytes
	m.remembered.Add(bytes)
}

// makeRoom forgets everything if the memory is full. It is called between steps.
func (m *Memory) makeRoom() {
	if m.used > min(m.limit, spare+worth*m.recalled) {
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

// stance keeps a stance: many threads have the same.
func (m *Memory) stance(s *vm.Stance) *vm.Stance {
	m.buffer = s.AppendKey(m.buffer[:0])
	return once(m, m.stances, s)
}

// once is what a map has under the key in the memory's buffer; if there is nothing, it is given a copy of what is new.
func once[T any](m *Memory, in map[string]*T, of *T) *T {
	kept := in[string(m.buffer)]
	if kept == nil {
		kept = new(*of)
		in[string(m.buffer)] = kept
		m.note(int64(unsafe.Sizeof(*of)) + int64(2*len(m.buffer)) + perEntry)
	}
	return kept
}

// holding keeps a holding likewise.
func (m *Memory) holding(h holding) *holding {
	if h.loose == 0 {
		return nil
	}
	kept := m.holdings[h]
	if kept == nil {
		kept = &h
		m.holdings[h] = kept
		m.note(2*int64(unsafe.Sizeof(h)) + perEntry)
	}
	return kept
}

// keepMore keeps what few steps have.
func (m *Memory) keepMore(of *more) *more {
	if of.isNothing() {
		return nil
	}
	m.buffer = of.appendKey(m.buffer[:0])
	return once(m, m.mores, of)
}

// perEntry is about what an entry of a map takes beside its key.
const perEntry = 48

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
	m.recalled++
	if s.effect == nil {
		return true
	}
	a.Heap = s.effect.heap
	return m.spread(a)
}

// spread changes the parts of the others.
func (m *Memory) spread(a *After) bool {
	e, all := a.step.effect, a.step.rest().lost
	for j := range a.N {
		t := m.Thread(a.Threads[j])
		if j == a.agent || !e.renames(t) {
			continue
		}
		c := m.changes.get(keyOf(e.number, a.Threads[j]))
		if c == nil || c.lost().meets(all) {
			return false
		}
		all = all.and(c.lost())
		a.Threads[j] = c.thread
	}
	return true
}

// Rename fills in the items of a state that has been recalled, and what the call has returned. fresh
// is the name of an item that is new.
func (m *Memory) Rename(a *After, fresh int) {
	before, more := m.Heap(a.from.Heap).Items, a.step.rest()
	a.HeapItems = a.HeapItems[:0]
	if more.heapItems == nil {
		a.HeapItems = appendRange(a.HeapItems, 0, before)
	}
	for j := range a.N {
		list, own := a.Items[j][:0], m.Thread(a.from.Threads[j]).Items
		switch c := m.changed(a, j); {
		case j == a.agent:
			list = more.items.names(list, before, fresh)
			a.HeapItems = more.heapItems.names(a.HeapItems, before, fresh)
			a.results(before, fresh)
		case c != nil:
			list = c.items().names(list, before, fresh)
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
	list := a.step.rest().said
	if len(list) == 0 {
		return
	}
	before := m.Heap(a.from.Heap).Items
	for _, t := range a.from.Threads[:a.agent] {
		before += m.Thread(t).Items
	}
	for i := range list {
		s := &list[i]
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
	more := a.step.rest()
	a.Results = more.named.put(append(a.Results[:0], more.results...), before, fresh)
}
