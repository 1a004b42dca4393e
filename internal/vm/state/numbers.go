// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"math"

	"pangolin/internal/ir"
)

// Numbers of threads are what mark.Thread returns, and what stands in the first line of a stack
// trace (see GoroutineNumber). If code only asks whether they are equal, which thread has which
// cannot matter: states that differ in the order of the threads are one, although the program knows
// its threads. Save renames them in the order in which it meets them; a thread whose number nothing
// holds needs none.
//
// A number is a word that no program computes by chance. It has room for a small constant that is
// added: who keeps 0 for nobody holds mark.Thread()+1.
//
//	bits 24 to 63  the same for all
//	bits 16 to 23  the thread
//	bits 0 to 15   what was added, plus numberZero
//
// That nothing else is done with numbers is an assumption, checked and recorded as it is for items.

const (
	numberBase uint64 = 0x71d4e90c5b << 24
	numberZero        = 1 << 15
)

// IsNumber says whether a word is a thread's number.
func IsNumber(w uint64) bool { return w>>24 == numberBase>>24 }

// numberOf is the thread that has a number.
func numberOf(w uint64) int { return int(w >> 16 & 0xff) }

func numberWord(thread int) uint64 { return numberBase | uint64(thread)<<16 | numberZero }

// renumbered is the number w with another thread.
func renumbered(w, thread uint64) uint64 { return w&^(0xff<<16) | thread<<16 }

// countNumbers is the number of named threads' numbers as part of a state's first word.
func countNumbers(n int) uint64 { return uint64(n) << 32 }

// nameInHead is the name that a thread's number has, plus one, by the first word of its encoding; 0
// if nothing holds it.
func nameInHead(head uint64) int { return int(head >> threadNumber & 0xff) }

// AnonymousPart reports whether nothing in the state holds the number of the thread with this part.
func AnonymousPart(part []uint64) bool { return nameInHead(part[0]) == 0 }

// ThreadNumber is what mark.Thread returns to a thread.
func (m *State) ThreadNumber(t *Thread) uint64 {
	m.Asked = true
	switch {
	case !m.Numbers:
		return uint64(t.id)
	case t.id >= maxNames:
		m.Misnumbered = true
		return uint64(t.id)
	}
	return numberWord(t.id)
}

// GoroutineNumber is the number that a stack trace gives a thread, as an ordinary number: main has
// 1, and no two goroutines of an execution have the same. It becomes part of a text, which cannot
// be renamed with the threads, so asking for it is a look at the number: the search begins again
// with the threads told apart.
func (m *State) GoroutineNumber(t *Thread) int {
	m.Asked, m.Misnumbered = true, m.Misnumbered || m.Numbers
	return t.id + 1
}

// OwnNumber is the place of a thread in a table of threads' own words. Which place a thread has cannot be renamed with the threads, so the search
// begins again with the threads told apart.
func (m *State) OwnNumber(t *Thread) int {
	m.Asked, m.Misnumbered = true, m.Misnumbered || m.Numbers
	return t.id
}

// NumbersIn is a number above all that stand in words.
func NumbersIn(words []uint64) int {
	least := 0
	for _, w := range words {
		if IsNumber(w) {
			least = max(least, numberOf(w)+1)
		}
	}
	return least
}

// numberAnonymous gives numbers to those threads whose own nothing holds, above all others, of which the memory holds so many.
func (m *State) numberAnonymous(next int) {
	for _, t := range m.Thread {
		if !t.anonymous {
			next = max(next, t.id+1)
		}
	}
	for _, t := range m.Thread {
		if t.anonymous {
			t.id = next
			next++
		}
	}
	m.nextID = next
}

// NumberIn is the name of a thread's number in a word of a saved state; false if the word is no such number.
func NumberIn(w uint64) (name int, ok bool) { return numberOf(w), IsNumber(w) }

// Numbering is how the numbers of threads are named in a saved state with one thread.
type Numbering struct {
	Common int // names below this one are those of numbers that base objects, roots and common objects hold
	Own    int // the thread's own number, which nothing need hold
	All    int // how many names there are
}

// Numbering is that of a saved state.
func (m *State) Numbering(words []uint64, p Parts) Numbering {
	n := Numbering{Common: max(NumbersIn(words[:p.Thread]), NumbersIn(words[p.Objects:p.Own])), All: NumbersIn(words)}
	n.Own = nameInHead(words[p.Thread]&^threadSpawned) - 1
	if n.Own < 0 {
		n.Own = n.All
	}
	n.All = max(n.All, n.Own+1)
	return n
}

// Named lists, by new name, the numbers that were named by the state saved last. It is valid until the next Save.
func (m *State) Named() []uint8 { return m.enc.numbers.order }

// NumberOf is the number of thread i, which nothing need hold.
func (m *State) NumberOf(i int) int { return m.Thread[i].id }

// SetNumber gives thread i a number. It is for the oracle self, in which one thread executes the
// calls of several.
func (m *State) SetNumber(i, number int) { m.Thread[i].id = number }

// NumberFrom sets the number of the next new thread, for the same purpose.
func (m *State) NumberFrom(number int) { m.nextID = number }

// AddsToNumber reports whether an addition or subtraction changes a thread's number by a small
// constant, so that the result still belongs to the same thread.
func AddsToNumber(op ir.Op, format ir.Num, a, b uint64) bool {
	if format != ir.I64 && format != ir.U64 {
		return false
	}
	if op == ir.OpAdd && IsNumber(b) {
		a, b = b, a
	}
	by := int64(b)
	if op == ir.OpSub {
		by = -by
	}
	if !IsNumber(a) || IsNumber(b) || by < math.MinInt16 || by > math.MaxInt16 {
		return false
	}
	sum := int64(a&0xffff) + by
	return sum >= 0 && sum < 1<<16
}

// SameAdded reports whether the same was added to two numbers of threads.
func SameAdded(a, b uint64) bool { return a&0xffff == b&0xffff }

// sameWhateverNumbers reports whether the comparison of a and b, one of which is a thread's number,
// has the same result whatever numbers threads have: there are up to 256 of them, or any number if a state shows one thread of
// many.
func (m *State) sameWhateverNumbers(a, b uint64) bool {
	if IsNumber(a) && IsNumber(b) {
		return SameAdded(a, b)
	}
	if IsNumber(b) {
		a, b = b, a
	}
	thread := int64(b) - (int64(a&0xffff) - numberZero)
	return thread < 0 || thread > math.MaxUint8 && !m.OneOfMany
}

// Anonymous reports whether nothing in the loaded state holds the number of thread i.
func (m *State) Anonymous(i int) bool { return !m.img.ThreadIDs || m.Thread[i].anonymous }
