// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Remembered steps. A step of a thread that makes no decision and meets no other thread depends on
// two parts of the state alone: the heap, and the part of that thread. So it is executed once for
// each pair of these. Its result is remembered: the thread's new part, and the step's effect on the
// heap. Half of all steps and more only read, and have no effect.
//
// An effect changes the parts of other threads in one way only: objects, items and thread numbers
// of the heap get other names, or they leave the heap and then belong to the threads that still
// lead to them. These changes are remembered for each pair of effect and part. If two threads lead
// to an object that no root reaches any more, the object stays in the heap; what the other threads
// lead to is then part of the key under which the step is remembered (holding).
//
// For example: thread 1 is about to swap the tail of a queue (heap 12, part 40). The step is
// executed once; every state with heap 12 and part 40 goes to heap 13 and part 41 from then on,
// whatever the other threads are doing.

// Room is the greatest number of threads in a position.
const Room = 8

// Position is a state given by the numbers of its parts.
type Position struct {
	Heap    uint32
	N       int
	Threads [Room]uint32
	Tags    [Room]uint64
}

// Memory remembers steps. Each worker of a search has its own.
type Memory struct {
	*Store
	limit   int64
	used    int64
	records table[Record] // by heap and thread part
	effects map[string]*effect
	// numbered counts the effects that have been numbered. No number is used twice, even after
	// forget, so a step from before that is still referred to finds no changes.
	numbered uint32
	changes  table[change] // by effect and thread part
	stances  map[string]*vm.Stance
	holdings map[holding]*holding
	mores    map[string]*more
	calls    map[string]uint32
	recalled int64 // steps recalled since the memory was emptied
	pieces   state.Pieces
	ranks    rankings
	buffer   []byte
	words    []uint64
}

// NewMemory makes an empty memory of at most limit bytes. A full memory is emptied.
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

// A memory has to pay for itself: it may take `spare` bytes in any case, and `worth` bytes more for
// each step that was recalled.
const (
	spare = 8 << 20
	worth = 16
)

// note adds to the bytes that the memory takes.
func (m *Memory) note(bytes int64) {
	m.used += bytes
	m.remembered.Add(bytes)
}

// makeRoom empties the memory if it is full. It must not be called while a step is in use.
func (m *Memory) makeRoom() {
	if m.used > min(m.limit, spare+worth*m.recalled) {
		m.forget()
	}
}

// Record returns what is remembered of thread i in a position; a new record if that is nothing.
func (m *Memory) Record(p *Position, i int) *Record {
	key := keyOf(p.Heap, p.Threads[i])
	if r := m.records.get(key); r != nil {
		return r
	}
	r := new(Record)
	m.note(int64(unsafe.Sizeof(*r)) + m.records.put(key, r))
	return r
}

// stance returns the stored copy of a stance, so that threads with equal stances share one.
func (m *Memory) stance(s *vm.Stance) *vm.Stance {
	m.buffer = s.AppendKey(m.buffer[:0])
	return once(m, m.stances, s)
}

// once returns the value stored in the map under the key in m.buffer. If there is none, it stores a
// copy of *of.
func once[T any](m *Memory, in map[string]*T, of *T) *T {
	kept := in[string(m.buffer)]
	if kept == nil {
		kept = new(*of)
		in[string(m.buffer)] = kept
		m.note(int64(unsafe.Sizeof(*of)) + int64(2*len(m.buffer)) + perEntry)
	}
	return kept
}

// holding returns the stored copy of a holding; nil if no object is loose.
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

// keepMore returns the stored copy of a step's rare fields; nil if all of them are empty.
func (m *Memory) keepMore(of *more) *more {
	if of.isNothing() {
		return nil
	}
	m.buffer = of.appendKey(m.buffer[:0])
	return once(m, m.mores, of)
}

// perEntry estimates the bytes of a map entry besides its key and value.
const perEntry = 48

// Call returns the number of a call given as words, from 1 on. Numbers survive forget.
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

// After is the state to which a remembered step has led.
type After struct {
	Position
	step      *Step
	from      *Position
	agent     int
	HeapItems []uint8       // by item of the heap: the name that it had before the step
	Items     [Room][]uint8 // the same by thread, of the items that the thread owns
	Results   []uint64      // the words that the call has returned
	Said      []vm.Announcement
}

// Recall sets a to the state after step s of thread i in position p, without the names of items
// (Rename). It is false if it is not known how the step changes another thread's part, or if two
// threads would own the same object then; the step has to be executed.
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

// spread replaces the parts of the other threads by those that the effect makes of them.
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

// Rename fills in HeapItems, Items and Results of a recalled state. fresh is the name of the item
// that the call adds.
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

// Speak fills in the announcements of a recalled step. fresh is the name of the item that the call
// adds.
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

// changed returns what the step has made of thread j's part; nil if it is unchanged.
func (m *Memory) changed(a *After, j int) *change {
	if a.step.effect == nil || a.Threads[j] == a.from.Threads[j] {
		return nil
	}
	return m.changes.get(keyOf(a.step.effect.number, a.from.Threads[j]))
}

// results fills in the words that the call has returned. before is the number of items that come
// before the thread's own.
func (a *After) results(before, fresh int) {
	more := a.step.rest()
	a.Results = more.named.put(append(a.Results[:0], more.results...), before, fresh)
}
