// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"encoding/binary"
	"slices"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// The table: what a thread may see. A view is a saved state of the machine with one thread, in two parts: what is
// common to all threads (package variables, the objects to which the collection leads, and the content, a ghost), and
// the thread with the objects to which it alone leads. The table stands for all states of any number of threads in
// which the view of each thread is in the table.

// common is memory that all threads see, with its content.
type common struct {
	head, objects []uint64 // words of a saved state: those before the thread, and the common objects
	count         int      // how many objects there are
	content       oracle.StateID
	views         map[string]int32   // by view.local
	list          []int32            // the same views, in the order in which they were found
	effects       []*effect          // what steps of threads do to this memory
	effectIndex   map[string]*effect // by effect.key
	pending       map[pending]bool   // accesses that threads are about to make
	accesses      []accessing        // the same accesses, each with a view
}

// view is what one thread sees.
type view struct {
	common int32  // index in table.common
	parent int32  // the view that it was found from; -1: none
	cause  int32  // how it was found: n >= 0 is effect n; -1-n is text n of table.causes
	done   bool   // its steps have been made, or are being made
	acts   bool   // the call takes effect with the thread's next step
	local  string // the words of the thread and of its own objects, see table.local
	held   []hold // locks that the thread holds
}

// table holds views.
type table struct {
	common []*common
	index  map[string]int32 // indexes in common, by the words and the content of the memory
	views  []view
	causes []string // how threads find views by their own steps, see view.cause
	buf    []byte
	// The view that state has put together last.
	words []uint64
	parts state.Parts
	at    int32
}

func newTable() *table { return &table{index: map[string]int32{}} }

// cause is the number of a text as view.cause has it.
func (t *table) cause(text string) int32 {
	i := slices.Index(t.causes, text)
	if i < 0 {
		i = len(t.causes)
		t.causes = append(t.causes, text)
	}
	return int32(-1 - i)
}

// place gives the index of the common part of a saved state with a content; it is added if it is new.
func (t *table) place(m *vm.Machine, words []uint64, p state.Parts, content oracle.StateID) int32 {
	t.buf = binary.AppendUvarint(t.buf[:0], uint64(content))
	t.buf = appendWords(t.buf, words[:p.Thread])
	t.buf = appendWords(t.buf, words[p.Objects:p.Own])
	if i, ok := t.index[string(t.buf)]; ok {
		return i
	}
	c := &common{content: content, views: map[string]int32{}, effectIndex: map[string]*effect{}, pending: map[pending]bool{},
		head: append([]uint64(nil), words[:p.Thread]...), objects: append([]uint64(nil), words[p.Objects:p.Own]...)}
	c.count = m.Count(c.objects)
	t.common = append(t.common, c)
	t.index[string(t.buf)] = int32(len(t.common) - 1)
	return int32(len(t.common) - 1)
}

// bytes is roughly the memory that the table takes.
func (t *table) bytes() int64 {
	const perView, perMemory = 200, 1000 // with their places in maps
	n := int64(len(t.views))*perView + int64(len(t.common))*perMemory
	for i := range t.views {
		n += int64(len(t.views[i].local) + 16*len(t.views[i].held))
	}
	for _, c := range t.common {
		n += int64(8 * (len(c.head) + len(c.objects)))
	}
	return n
}

// wordsOf is how many words the effects of a list take.
func wordsOf(list []*effect) int64 {
	n := 0
	for _, e := range list {
		n += len(e.post) + 2*len(e.held)
		for i := range e.cells {
			n += 2 * len(e.cells[i].Words)
		}
	}
	return int64(n)
}

// appendWords appends the number of words, and the words, as varints.
func appendWords(dst []byte, words []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	for _, w := range words {
		dst = binary.AppendUvarint(dst, w)
	}
	return dst
}

// readWords reads what appendWords wrote. It appends the words to dst and gives the rest of src.
func readWords(dst []uint64, src string) ([]uint64, string) {
	n, src := uvarint(src)
	for range n {
		var w uint64
		w, src = uvarint(src)
		dst = append(dst, w)
	}
	return dst, src
}

// uvarint reads a number and gives the rest of s.
func uvarint(s string) (uint64, string) {
	var x uint64
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		b := s[i]
		if b < 0x80 {
			return x | uint64(b)<<shift, s[i+1:]
		}
		x |= uint64(b&0x7f) << shift
	}
}

// local is the thread's part of a saved state, as a key that is valid until the next call.
func (t *table) local(words []uint64, p state.Parts) []byte {
	t.buf = appendWords(t.buf[:0], words[p.Thread:p.Objects])
	t.buf = appendWords(t.buf, words[p.Own:])
	return t.buf
}

// state gives view v as a saved state. The words are valid until the next call, and must not be changed.
func (t *table) state(v int32) ([]uint64, state.Parts) {
	if t.words != nil && t.at == v {
		return t.words, t.parts
	}
	x := &t.views[v]
	c := t.common[x.common]
	var p state.Parts
	w := append(t.words[:0], c.head...)
	p.Thread = len(w)
	w, rest := readWords(w, x.local)
	p.Objects = len(w)
	w = append(w, c.objects...)
	p.Own = len(w)
	w, _ = readWords(w, rest)
	t.words, t.parts, t.at = w, p, v
	return w, p
}
