// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"encoding/binary"
	"unsafe"

	"pangolin/internal/vm"
)

// Sources tell where items were before a step. A value below fromOwn is an item of the heap by its
// name; from fromOwn on, an item of the thread by its place among the thread's own; fromNew is an
// item that the call adds.
type Sources []uint8

const (
	fromOwn = 1 << 6
	fromNew = 255
)

// Step is the result of a step: of going on if call is 0, else of making that call. Steps are the
// most numerous objects of a search, so fields that few of them need are behind a pointer.
type Step struct {
	call     uint32
	thread   uint32
	known    bool // false: the step cannot be remembered and is executed each time
	Returned bool
	Site     uint16  // the number of the site that the thread passes; 0: none
	effect   *effect // nil: the heap is unchanged
	more     *more   // nil: all of its fields are empty
	under    *holding
}

// more are the fields of a step that are rarely used.
type more struct {
	lost      lost
	items     Sources // by item that the thread owns after the step
	heapItems Sources // by item of the heap after the step; nil: the same as before
	results   []uint64
	named     Sources // by word of results: where the item was, or fromNone; nil: no word is an item
	said      []said
	// begun is where the thread is after the beginning of its call, before the first visible
	// access; nil unless asked for.
	begun *vm.Stance
}

var nothing more

func (s *Step) rest() *more {
	if s.more == nil {
		return &nothing
	}
	return s.more
}

// appendKey appends bytes that identify all fields; pointers to stances serve as names, as equal
// stances are stored once.
func (m *more) appendKey(dst []byte) []byte {
	begun := uint64(uintptr(unsafe.Pointer(m.begun)))
	dst = appendBytes(dst, []uint64{begun, m.lost.objects, uint64(m.lost.items)})
	dst = m.heapItems.appendKey(m.items.appendKey(dst))
	dst = m.named.appendKey(appendWords(dst, m.results))
	for _, s := range m.said {
		dst = s.named.appendKey(appendWords(append(dst, byte(s.rule), byte(s.rule>>8)), s.words))
	}
	return dst
}

// appendKey appends the length and the values; nil and empty lists differ.
func (list Sources) appendKey(dst []byte) []byte {
	if list == nil {
		return append(dst, 255)
	}
	return append(append(dst, byte(len(list))), list...)
}

func appendWords(dst []byte, words []uint64) []byte {
	return appendBytes(binary.AppendUvarint(dst, uint64(len(words))), words)
}

// isNothing reports whether all fields are empty.
func (m *more) isNothing() bool {
	return m.begun == nil && m.lost == lost{} && m.heapItems == nil && len(m.items)+len(m.results)+len(m.said) == 0
}

// Begun returns where the thread is after the beginning of its call, before the first visible
// access; nil unless asked for.
func (s *Step) Begun() *vm.Stance { return s.rest().begun }

// lost is what has left the heap and belongs to one thread now: objects and items of the old heap,
// as bits.
type lost struct {
	objects uint64
	items   uint32
}

// said is an announcement by ghost code for the call of the thread that makes the step.
type said struct {
	rule  int
	words []uint64
	named Sources // by word: where the item was, or fromNone; nil: no word is an item
}

func (l lost) and(o lost) lost { return lost{l.objects | o.objects, l.items | o.items} }

func (l lost) meets(o lost) bool { return l.objects&o.objects != 0 || l.items&o.items != 0 }

// effect is how a step changes the heap.
type effect struct {
	number  uint32
	heap    uint32
	objects uint64 // the objects of the old heap that are renamed or leave the heap, as bits; items and numbers likewise
	items   uint32
	numbers uint32
	private bool // an object that leaves the heap leads to one that was in no heap: changes of other threads' parts are not remembered
}

// renamesAny reports whether anything in the heap gets another name or leaves it.
func (e *effect) renamesAny() bool { return e.objects != 0 || e.items != 0 || e.numbers != 0 }

// renames reports whether a thread's part contains a name that the effect changes.
func (e *effect) renames(t *Thread) bool {
	return t.Held&e.objects != 0 || t.HeldItems&e.items != 0 || t.HeldNumbers&e.numbers != 0
}

// change is what an effect makes of another thread's part.
type change struct {
	thread uint32
	origin *origin // nil: the thread owns no items, and nothing that was the heap's
}

// origin tells where the things that a thread owns after a step were before it.
type origin struct {
	lost  lost
	items Sources
}

func (c *change) lost() lost {
	if c.origin == nil {
		return lost{}
	}
	return c.origin.lost
}

func (c *change) items() Sources {
	if c.origin == nil {
		return nil
	}
	return c.origin.items
}

// Record is what is remembered of one thread part under one heap.
type Record struct {
	Stance *vm.Stance // nil: not asked for yet
	steps  []Step
}

// holding is the precondition of a remembered step beyond heap and part: loose are the heap's
// objects that no root reaches after the step. Whether such an object stays in the heap or becomes
// a thread's own depends on what the other threads lead to (held). A step without loose objects has
// the precondition nil.
type holding struct {
	loose uint64
	held  holders
}

// holders are the sets of loose objects to which the other threads lead, one for each thread, in
// descending order. So they do not depend on the order of the threads.
type holders [Room - 1]uint64

// holdersOf returns the holders of some of the heap's objects among the threads of a position other
// than i.
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

// find returns the remembered step of thread i in a position; nil if it was not executed before. r
// is the thread's record; call is the number of the call that it makes, 0 if it goes on.
func (r *Record) find(m *Memory, p *Position, i int, call uint32) *Step {
	held, asked := holders{}, uint64(0)
	for k := range r.steps {
		s := &r.steps[k]
		switch {
		case s.call != call:
			continue
		case s.under == nil:
			return s
		case s.under.loose != asked:
			held, asked = m.holdersOf(p, i, s.under.loose), s.under.loose
		}
		if s.under.held == held {
			return s
		}
	}
	return nil
}

// learn adds a step or replaces the one with the same call and precondition. It returns how many
// bytes the record has grown.
func (r *Record) learn(s Step) int64 {
	for i := range r.steps {
		if o := &r.steps[i]; o.call == s.call && o.under == s.under {
			*o = s
			return 0
		}
	}
	before := cap(r.steps)
	r.steps = append(r.steps, s)
	return int64(cap(r.steps)-before) * int64(unsafe.Sizeof(s))
}

// put writes the present names of items into words. before is how many items come before the
// thread's own, fresh the name of the item that the call adds.
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

// names appends the names that the items had before the step.
func (list Sources) names(dst []uint8, before, fresh int) []uint8 {
	for _, from := range list {
		dst = append(dst, name(from, before, fresh))
	}
	return dst
}

// fromNone marks a word that is no item.
const fromNone = fromNew - 1

// name is the name that an item had before the step.
func name(from uint8, before, fresh int) uint8 {
	switch {
	case from == fromNew:
		return uint8(fresh)
	case from >= fromOwn:
		return uint8(before + int(from) - fromOwn)
	}
	return from
}
