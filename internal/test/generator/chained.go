// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"math/rand/v2"
	"strings"
)

// Collections made of chained cells, of pieces that are right and pieces with the faults that people
// make.

// part is a way to write a piece of a collection; the first of each list is right.
type part struct{ name, text string }

// design is a family of collections: a type with the name T, and for each operation the
// ways to write it. LOCK, UNLOCK and YIELD stand for what is chosen for all of them.
type design struct {
	name  string
	types string
	parts [][]part
}

const chainedCells = "type cellT struct {\n\tvalue int\n\tnext *cellT\n}\n\n"

// chainedDesigns are what generated collections are made of.
var chainedDesigns = []design{
	{"LockedStack", chainedCells + "type T struct {\n\tmu sync.Mutex\n\ttop *cellT\n}\n", [][]part{{
		{"right", "func (s *T) Push(x int) {\n\tLOCK\n\ts.top = &cellT{x, s.top}\n\tUNLOCK\n}\n"},
		{"without lock", "func (s *T) Push(x int) { s.top = &cellT{x, s.top} }\n"},
		{"read before", "func (s *T) Push(x int) {\n\ts.mu.Lock()\n\tt := s.top\n\ts.mu.Unlock()\n\tYIELD\n\ts.mu.Lock()\n\ts.top = &cellT{x, t}\n\ts.mu.Unlock()\n}\n"},
		{"under the first", "func (s *T) Push(x int) {\n\tLOCK\n\tif s.top == nil {\n\t\ts.top = &cellT{value: x}\n\t} else {\n\t\ts.top.next = &cellT{x, s.top.next}\n\t}\n\tUNLOCK\n}\n"},
		{"unlocks early", "func (s *T) Push(x int) {\n\ts.mu.Lock()\n\tt := s.top\n\ts.mu.Unlock()\n\ts.top = &cellT{x, t}\n}\n"},
		{"links later", "func (s *T) Push(x int) {\n\tn := &cellT{value: x}\n\tLOCK\n\tn.next = s.top\n\ts.top = n\n\tUNLOCK\n}\n"},
	}, {
		{"right", "func (s *T) Pop() (x int, ok bool) {\n\tLOCK\n\tif n := s.top; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.top = n.next\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"without lock", "func (s *T) Pop() (x int, ok bool) {\n\tif n := s.top; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.top = n.next\n\t}\n\treturn\n}\n"},
		{"looks before", "func (s *T) Pop() (int, bool) {\n\ts.mu.Lock()\n\tn := s.top\n\ts.mu.Unlock()\n\tif n == nil {\n\t\treturn 0, false\n\t}\n\tYIELD\n\ts.mu.Lock()\n\ts.top = n.next\n\ts.mu.Unlock()\n\treturn n.value, true\n}\n"},
		{"looks again", "func (s *T) Pop() (int, bool) {\n\ts.mu.Lock()\n\tn := s.top\n\ts.mu.Unlock()\n\tif n == nil {\n\t\treturn 0, false\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif n = s.top; n == nil {\n\t\treturn 0, false\n\t}\n\ts.top = n.next\n\treturn n.value, true\n}\n"},
		{"takes two", "func (s *T) Pop() (x int, ok bool) {\n\tLOCK\n\tif n := s.top; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.top = n.next\n\t\tif s.top != nil {\n\t\t\ts.top = s.top.next\n\t\t}\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"takes none", "func (s *T) Pop() (x int, ok bool) {\n\tLOCK\n\tif n := s.top; n != nil {\n\t\tx, ok = n.value, true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"the second's item", "func (s *T) Pop() (x int, ok bool) {\n\tLOCK\n\tif n := s.top; n != nil {\n\t\tok = true\n\t\ts.top = n.next\n\t\tif n.next != nil {\n\t\t\tn = n.next\n\t\t}\n\t\tx = n.value\n\t}\n\tUNLOCK\n\treturn\n}\n"},
	}}},
	{"CASStack", chainedCells + "type T struct{ top atomic.Pointer[cellT] }\n", [][]part{{
		{"right", "func (s *T) Push(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tt := s.top.Load()\n\t\tn.next = t\n\t\tYIELD\n\t\tif s.top.CompareAndSwap(t, n) {\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
		{"store", "func (s *T) Push(x int) {\n\tt := s.top.Load()\n\tYIELD\n\ts.top.Store(&cellT{x, t})\n}\n"},
		{"once", "func (s *T) Push(x int) {\n\tt := s.top.Load()\n\tYIELD\n\ts.top.CompareAndSwap(t, &cellT{x, t})\n}\n"},
		{"link late", "func (s *T) Push(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tt := s.top.Load()\n\t\tif s.top.CompareAndSwap(t, n) {\n\t\t\tn.next = t\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
		{"swap", "func (s *T) Push(x int) {\n\tn := &cellT{value: x}\n\tn.next = s.top.Swap(n)\n}\n"},
		{"loads twice", "func (s *T) Push(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tn.next = s.top.Load()\n\t\tYIELD\n\t\tif s.top.CompareAndSwap(s.top.Load(), n) {\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
	}, {
		{"right", "func (s *T) Pop() (int, bool) {\n\tfor {\n\t\tt := s.top.Load()\n\t\tif t == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tYIELD\n\t\tif s.top.CompareAndSwap(t, t.next) {\n\t\t\treturn t.value, true\n\t\t}\n\t}\n}\n"},
		{"store", "func (s *T) Pop() (int, bool) {\n\tt := s.top.Load()\n\tif t == nil {\n\t\treturn 0, false\n\t}\n\tYIELD\n\ts.top.Store(t.next)\n\treturn t.value, true\n}\n"},
		{"once", "func (s *T) Pop() (int, bool) {\n\tt := s.top.Load()\n\tif t == nil || !s.top.CompareAndSwap(t, t.next) {\n\t\treturn 0, false\n\t}\n\treturn t.value, true\n}\n"},
		{"no nil", "func (s *T) Pop() (int, bool) {\n\tfor {\n\t\tt := s.top.Load()\n\t\tif s.top.CompareAndSwap(t, t.next) {\n\t\t\treturn t.value, true\n\t\t}\n\t}\n}\n"},
		{"next's value", "func (s *T) Pop() (int, bool) {\n\tfor {\n\t\tt := s.top.Load()\n\t\tif t == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tif s.top.CompareAndSwap(t, t.next) {\n\t\t\tif t.next != nil {\n\t\t\t\tt = t.next\n\t\t\t}\n\t\t\treturn t.value, true\n\t\t}\n\t}\n}\n"},
		{"value before", "func (s *T) Pop() (int, bool) {\n\tfor {\n\t\tt := s.top.Load()\n\t\tif t == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tx, n := t.value, t.next\n\t\tYIELD\n\t\tif s.top.CompareAndSwap(t, n) {\n\t\t\treturn x, true\n\t\t}\n\t}\n}\n"},
		{"swaps for nil", "func (s *T) Pop() (int, bool) {\n\tt := s.top.Swap(nil)\n\tif t == nil {\n\t\treturn 0, false\n\t}\n\tYIELD\n\ts.top.Store(t.next)\n\treturn t.value, true\n}\n"},
	}}},
	{"LockedQueue", chainedCells + "type T struct {\n\tmu sync.Mutex\n\thead, tail *cellT\n}\n\nfunc NewT() *T {\n\tn := new(cellT)\n\treturn &T{head: n, tail: n}\n}\n", [][]part{{
		{"right", "func (s *T) Enqueue(x int) {\n\tLOCK\n\tn := &cellT{value: x}\n\ts.tail.next = n\n\ts.tail = n\n\tUNLOCK\n}\n"},
		{"without lock", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\ts.tail.next = n\n\ts.tail = n\n}\n"},
		{"tail stays", "func (s *T) Enqueue(x int) {\n\tLOCK\n\ts.tail.next = &cellT{value: x}\n\tUNLOCK\n}\n"},
		{"in front", "func (s *T) Enqueue(x int) {\n\tLOCK\n\ts.head.next = &cellT{x, s.head.next}\n\tUNLOCK\n}\n"},
		{"tail later", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\ts.mu.Lock()\n\ts.tail.next = n\n\ts.mu.Unlock()\n\tYIELD\n\ts.mu.Lock()\n\ts.tail = n\n\ts.mu.Unlock()\n}\n"},
		{"tail first", "func (s *T) Enqueue(x int) {\n\tLOCK\n\tn := &cellT{value: x}\n\told := s.tail\n\ts.tail = n\n\told.next = n\n\tUNLOCK\n}\n"},
		{"links later", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\ts.mu.Lock()\n\told := s.tail\n\ts.tail = n\n\ts.mu.Unlock()\n\tYIELD\n\told.next = n\n}\n"},
	}, {
		{"right", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif n := s.head.next; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.head = n\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"without lock", "func (s *T) Dequeue() (x int, ok bool) {\n\tif n := s.head.next; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.head = n\n\t}\n\treturn\n}\n"},
		{"old value", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif n := s.head.next; n != nil {\n\t\tx, ok = s.head.value, true\n\t\ts.head = n\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"empty at tail", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif s.head != s.tail {\n\t\ts.head = s.head.next\n\t\tx, ok = s.head.value, true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"last stays", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif n := s.head.next; n != nil && n.next != nil {\n\t\tx, ok = n.value, true\n\t\ts.head = n\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"takes none", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif n := s.head.next; n != nil {\n\t\tx, ok = n.value, true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"looks without lock", "func (s *T) Dequeue() (x int, ok bool) {\n\tif s.head.next == nil {\n\t\treturn\n\t}\n\tLOCK\n\tif n := s.head.next; n != nil {\n\t\tx, ok = n.value, true\n\t\ts.head = n\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"clears the item", "func (s *T) Dequeue() (x int, ok bool) {\n\tLOCK\n\tif n := s.head.next; n != nil {\n\t\tx, ok = n.value, true\n\t\tn.value = 0\n\t\ts.head = n\n\t}\n\tUNLOCK\n\treturn\n}\n"},
	}}},
	{"CASQueue", "type cellT struct {\n\tvalue int\n\tnext atomic.Pointer[cellT]\n}\n\ntype T struct{ head, tail atomic.Pointer[cellT] }\n\nfunc NewT() *T {\n\ts, n := new(T), new(cellT)\n\ts.head.Store(n)\n\ts.tail.Store(n)\n\treturn s\n}\n", [][]part{{
		{"right", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tlast := s.tail.Load()\n\t\tnext := last.next.Load()\n\t\tif next != nil {\n\t\t\ts.tail.CompareAndSwap(last, next)\n\t\t\tcontinue\n\t\t}\n\t\tYIELD\n\t\tif last.next.CompareAndSwap(nil, n) {\n\t\t\ts.tail.CompareAndSwap(last, n)\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
		{"tail stays", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tlast := s.tail.Load()\n\t\tnext := last.next.Load()\n\t\tif next != nil {\n\t\t\ts.tail.CompareAndSwap(last, next)\n\t\t\tcontinue\n\t\t}\n\t\tYIELD\n\t\tif last.next.CompareAndSwap(nil, n) {\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
		{"store", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tlast := s.tail.Load()\n\t\tnext := last.next.Load()\n\t\tif next != nil {\n\t\t\ts.tail.CompareAndSwap(last, next)\n\t\t\tcontinue\n\t\t}\n\t\tYIELD\n\t\tlast.next.Store(n)\n\t\ts.tail.CompareAndSwap(last, n)\n\t\treturn\n\t}\n}\n"},
		{"tail stored", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\tfor {\n\t\tlast := s.tail.Load()\n\t\tnext := last.next.Load()\n\t\tif next != nil {\n\t\t\ts.tail.CompareAndSwap(last, next)\n\t\t\tcontinue\n\t\t}\n\t\tYIELD\n\t\tif last.next.CompareAndSwap(nil, n) {\n\t\t\ts.tail.Store(n)\n\t\t\treturn\n\t\t}\n\t}\n}\n"},
		{"once", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\tlast := s.tail.Load()\n\tYIELD\n\tif last.next.CompareAndSwap(nil, n) {\n\t\ts.tail.CompareAndSwap(last, n)\n\t}\n}\n"},
		{"swap", "func (s *T) Enqueue(x int) {\n\tn := &cellT{value: x}\n\told := s.tail.Swap(n)\n\tYIELD\n\told.next.Store(n)\n}\n"},
	}, {
		{"right", "func (s *T) Dequeue() (int, bool) {\n\tfor {\n\t\tfirst := s.head.Load()\n\t\tnext := first.next.Load()\n\t\tif next == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tYIELD\n\t\tif s.head.CompareAndSwap(first, next) {\n\t\t\treturn next.value, true\n\t\t}\n\t}\n}\n"},
		{"stored", "func (s *T) Dequeue() (int, bool) {\n\tfor {\n\t\tfirst := s.head.Load()\n\t\tnext := first.next.Load()\n\t\tif next == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tYIELD\n\t\ts.head.Store(next)\n\t\treturn next.value, true\n\t}\n}\n"},
		{"old value", "func (s *T) Dequeue() (int, bool) {\n\tfor {\n\t\tfirst := s.head.Load()\n\t\tnext := first.next.Load()\n\t\tif next == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tYIELD\n\t\tif s.head.CompareAndSwap(first, next) {\n\t\t\treturn first.value, true\n\t\t}\n\t}\n}\n"},
		{"once", "func (s *T) Dequeue() (int, bool) {\n\tfirst := s.head.Load()\n\tnext := first.next.Load()\n\tif next == nil {\n\t\treturn 0, false\n\t}\n\tYIELD\n\tif s.head.CompareAndSwap(first, next) {\n\t\treturn next.value, true\n\t}\n\treturn 0, false\n}\n"},
		{"empty at tail", "func (s *T) Dequeue() (int, bool) {\n\tfor {\n\t\tfirst := s.head.Load()\n\t\tif first == s.tail.Load() {\n\t\t\treturn 0, false\n\t\t}\n\t\tnext := first.next.Load()\n\t\tif next == nil {\n\t\t\treturn 0, false\n\t\t}\n\t\tYIELD\n\t\tif s.head.CompareAndSwap(first, next) {\n\t\t\treturn next.value, true\n\t\t}\n\t}\n}\n"},
	}}},
	{"LockedSet", "type cellT struct {\n\tkey int\n\tnext *cellT\n}\n\ntype T struct {\n\tmu sync.Mutex\n\thead *cellT\n}\n\nfunc (s *T) find(x int) (pred, curr *cellT) {\n\tfor curr = s.head; curr != nil && curr.key < x; curr = curr.next {\n\t\tpred = curr\n\t}\n\treturn\n}\n\n" +
		"func (s *T) link(pred, n *cellT) {\n\tif pred == nil {\n\t\ts.head = n\n\t} else {\n\t\tpred.next = n\n\t}\n}\n", [][]part{{
		{"right", "func (s *T) Add(x int) (ok bool) {\n\tLOCK\n\tif pred, curr := s.find(x); curr == nil || curr.key != x {\n\t\ts.link(pred, &cellT{x, curr})\n\t\tok = true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"without lock", "func (s *T) Add(x int) (ok bool) {\n\tif pred, curr := s.find(x); curr == nil || curr.key != x {\n\t\ts.link(pred, &cellT{x, curr})\n\t\tok = true\n\t}\n\treturn\n}\n"},
		{"twice", "func (s *T) Add(x int) (ok bool) {\n\tLOCK\n\tpred, curr := s.find(x)\n\ts.link(pred, &cellT{x, curr})\n\tok = curr == nil || curr.key != x\n\tUNLOCK\n\treturn\n}\n"},
		{"found before", "func (s *T) Add(x int) (ok bool) {\n\ts.mu.Lock()\n\tpred, curr := s.find(x)\n\ts.mu.Unlock()\n\tYIELD\n\ts.mu.Lock()\n\tif curr == nil || curr.key != x {\n\t\ts.link(pred, &cellT{x, curr})\n\t\tok = true\n\t}\n\ts.mu.Unlock()\n\treturn\n}\n"},
		{"in front", "func (s *T) Add(x int) (ok bool) {\n\tLOCK\n\tif _, curr := s.find(x); curr == nil || curr.key != x {\n\t\ts.head = &cellT{x, s.head}\n\t\tok = true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"the other way round", "func (s *T) Add(x int) (ok bool) {\n\tLOCK\n\tpred, curr := s.find(x)\n\tif ok = curr != nil && curr.key == x; !ok {\n\t\ts.link(pred, &cellT{x, curr})\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"returns early", "func (s *T) Add(x int) bool {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tpred, curr := s.find(x)\n\tif curr != nil && curr.key == x {\n\t\treturn false\n\t}\n\tYIELD\n\ts.link(pred, &cellT{key: x, next: curr})\n\treturn true\n}\n"},
	}, {
		{"right", "func (s *T) Remove(x int) (ok bool) {\n\tLOCK\n\tif pred, curr := s.find(x); curr != nil && curr.key == x {\n\t\ts.link(pred, curr.next)\n\t\tok = true\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"without lock", "func (s *T) Remove(x int) (ok bool) {\n\tif pred, curr := s.find(x); curr != nil && curr.key == x {\n\t\ts.link(pred, curr.next)\n\t\tok = true\n\t}\n\treturn\n}\n"},
		{"the next", "func (s *T) Remove(x int) (ok bool) {\n\tLOCK\n\tif pred, curr := s.find(x); curr != nil {\n\t\ts.link(pred, curr.next)\n\t\tok = curr.key == x\n\t}\n\tUNLOCK\n\treturn\n}\n"},
		{"found before", "func (s *T) Remove(x int) (ok bool) {\n\ts.mu.Lock()\n\tpred, curr := s.find(x)\n\ts.mu.Unlock()\n\tYIELD\n\ts.mu.Lock()\n\tif curr != nil && curr.key == x {\n\t\ts.link(pred, curr.next)\n\t\tok = true\n\t}\n\ts.mu.Unlock()\n\treturn\n}\n"},
		{"leaves it", "func (s *T) Remove(x int) bool {\n\tLOCK\n\t_, curr := s.find(x)\n\tok := curr != nil && curr.key == x\n\tUNLOCK\n\treturn ok\n}\n"},
		{"returns early", "func (s *T) Remove(x int) bool {\n\ts.mu.Lock()\n\tpred, curr := s.find(x)\n\tif curr == nil || curr.key != x {\n\t\ts.mu.Unlock()\n\t\treturn false\n\t}\n\tnext := curr.next\n\ts.link(pred, next)\n\ts.mu.Unlock()\n\treturn true\n}\n"},
	}, {
		{"right", "func (s *T) Contains(x int) bool {\n\ts.mu.Lock()\n\t_, curr := s.find(x)\n\ts.mu.Unlock()\n\treturn curr != nil && curr.key == x\n}\n"},
		{"without lock", "func (s *T) Contains(x int) bool {\n\t_, curr := s.find(x)\n\treturn curr != nil && curr.key == x\n}\n"},
		{"not less", "func (s *T) Contains(x int) bool {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\t_, curr := s.find(x)\n\treturn curr != nil\n}\n"},
		{"compares later", "func (s *T) Contains(x int) bool {\n\ts.mu.Lock()\n\t_, curr := s.find(x)\n\ts.mu.Unlock()\n\tYIELD\n\tif curr == nil {\n\t\treturn false\n\t}\n\treturn curr.key == x\n}\n"},
	}}},
}

// ChainedCollection is a collection made of chained cells, or one that is meant to be: a type with the name T.
type ChainedCollection struct {
	Design string // such as CASStack
	How    string // which piece is written how: ", right, unlocks early"
	text   string
}

// chainedStyles are how locks are taken and given back, and what is done between two accesses.
var chainedStyles = [][3]string{
	{"s.mu.Lock()", "s.mu.Unlock()", ""},
	{"s.mu.Lock()", "s.mu.Unlock()", "runtime.Gosched()"},
	{"s.mu.Lock()\n\tdefer s.mu.Unlock()", "", ""},
	{"s.mu.Lock()\n\tdefer s.mu.Unlock()", "", "runtime.Gosched()"},
	{"s.mu.Lock()\n\tdefer func() { s.mu.Unlock() }()", "", ""},
	{"s.mu.Lock()\n\tdefer func() { s.mu.Unlock() }()", "", "runtime.Gosched()"},
}

// Chained is each way to put the pieces of a collection of chained cells together, right and
// wrong ones, once, in an order that looks random and is always the same.
func Chained() []ChainedCollection {
	var out []ChainedCollection
	seen := map[string]bool{}
	for i := range chainedDesigns {
		d := &chainedDesigns[i]
		for _, style := range chainedStyles {
			r := strings.NewReplacer("\tLOCK\n", "\t"+style[0]+"\n", "\tUNLOCK\n", "\t"+style[1]+"\n", "YIELD", style[2])
			texts := []ChainedCollection{{d.name, "", d.types}}
			for _, list := range d.parts {
				var longer []ChainedCollection
				for _, m := range texts {
					for _, p := range list {
						longer = append(longer, ChainedCollection{d.name, m.How + ", " + p.name, m.text + "\n" + r.Replace(p.text)})
					}
				}
				texts = longer
			}
			for _, m := range texts {
				if !seen[m.text] {
					seen[m.text] = true
					out = append(out, m)
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	random.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}

// Source is the text of the collection with the types named after typ, for a package with the imports of
// ChainedHead.
func (c *ChainedCollection) Source(typ string) string {
	text := strings.ReplaceAll(c.text, "cellT", "cell"+typ)
	for _, r := range [][2]string{{"*T)", "*" + typ + ")"}, {"type T ", "type " + typ + " "}, {"NewT()", "New" + typ + "()"}, {"*T {", "*" + typ + " {"}, {"&T{", "&" + typ + "{"}, {"new(T)", "new(" + typ + ")"}} {
		text = strings.ReplaceAll(text, r[0], r[1])
	}
	return text
}

// ChainedHead begins a package of such collections.
const ChainedHead = "// Package made holds generated collections.\npackage made\n\nimport (\n\t\"runtime\"\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar (\n\t_ sync.Mutex\n\t_ atomic.Bool\n\t_ = runtime.Gosched\n)\n"
