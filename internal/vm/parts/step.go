// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"encoding/binary"
	"unsafe"

	"pangolin/internal/vm"
)

// Sources say of items what they were before a step: of the heap, by name; from fromOwn on of
// the part that has changed, by name; or new.
type Sources []uint8

const (
	fromOwn = 1 << 6
	fromNew = 255
)

// Step is a step that has been executed: the thread goes on if call is 0, or makes that call. There are as many of them as
// anything, so what few have stands apart.
type Step struct {
	call     uint32
	thread   uint32
	known    bool // otherwise it has to be executed every time
	Returned bool
	effect   *effect // nil: none
	more     *more   // nil: nothing of it
	under    *holding
}

// more is what few steps have.
type more struct {
	lost      lost
	items     Sources // of the thread's own items
	heapItems Sources // of the heap's; nil: as they were
	results   []uint64
	named     Sources // which of the results are items; nil: none
	said      []said
	// begun is the thread, if the step begins with a call, before its first visible access; nil if
	// that is not asked for.
	begun *vm.Stance
}

var nothing more

func (s *Step) rest() *more {
	if s.more == nil {
		return &nothing
	}
	return s.more
}

// appendKey appends bytes that say all of it, given that stances are kept once each.
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

// appendKey says how many they are, and that they are nil.
func (list Sources) appendKey(dst []byte) []byte {
	if list == nil {
		return append(dst, 255)
	}
	return append(append(dst, byte(len(list))), list...)
}

func appendWords(dst []byte, words []uint64) []byte {
	return appendBytes(binary.AppendUvarint(dst, uint64(len(words))), words)
}

// isNothing says that nobody needs to keep it.
func (m *more) isNothing() bool {
	return m.begun == nil && m.lost == lost{} && m.heapItems == nil && len(m.items)+len(m.results)+len(m.said) == 0
}

// Begun is the thread, if the step begins with a call, before its first visible access; nil if that is not asked for.
func (s *Step) Begun() *vm.Stance { return s.rest().begun }

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

func (l lost) and(o lost) lost { return lost{l.objects | o.objects, l.items | o.items} }

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

// renamesAny says that the effect gives anything in the heap another name, or takes it out.
func (e *effect) renamesAny() bool { return e.objects != 0 || e.items != 0 || e.numbers != 0 }

// renames says that the effect gives something that a thread's part names another name.
func (e *effect) renames(t *Thread) bool {
	return t.Held&e.objects != 0 || t.HeldItems&e.items != 0 || t.HeldNumbers&e.numbers != 0
}

// change is what becomes of a part by an effect.
type change struct {
	thread uint32
	origin *origin // nil: it has no items, and nothing that was the heap's
}

// origin says where what is a thread's own now has been before.
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

// Record is what is known of a thread in a heap.
type Record struct {
	Stance *vm.Stance // nil: not yet
	steps  []Step
}

// holding is under what a step has been executed: loose are the heap's objects that no root reaches behind the step. Which of them
// are the heap's then, and which a thread's, depends on what the other threads lead to. It is nil if there are none.
type holding struct {
	loose uint64
	held  holders
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

// find gives the step that thread i of a position makes, of which r is the record, with a call by its number or 0; nil if it has
// not been executed before.
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

// learn notes a step, in place of what was known of it, and says how many bytes more that takes.
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
