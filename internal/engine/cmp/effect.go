// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Interference. A step of one thread changes what all threads see. This change is an effect. It consists of the
// memory behind the step, in which every object that was common before is still known by its number, and of cells
// that the acting thread knew although the collection does not lead to them any more, if the step has changed them or
// links to them. Another thread may know such a cell as well, or may not: each of its own cells that holds the same,
// and to which the collection does not lead either, may be that cell or another one. Both cases are followed.

// effect is what a step does to what others see, in one common memory.
type effect struct {
	number int32 // index in search.effects
	by     int32 // the view of the acting thread
	lasts  bool  // some call that does it goes on behind it
	// the memory behind the step; its roots are the collection, then the common objects, then cells
	post    []uint64
	objects int          // how many objects were common before the step
	cells   []state.Cell // cells of the acting thread, as they were before the step
	// locks that the acting thread held; the numbers of its cells follow those of the common objects
	held    []hold
	content oracle.StateID // behind the step
	numbers numbers        // of threads
	at      string         // "file.go:12 in F", where the acting thread stood
	does    string         // the access of the step, as text
}

// image is the state before a step, kept to find out what the step changes.
type image struct {
	words []uint64 // the saved state
	parts state.Parts
	cells []state.Cell // all objects, the common ones first
	base  []uint64     // base objects before the step
	after []uint64     // base objects behind it
	count int          // how many of the cells are common objects
}

// look takes the image of the view that has just been loaded. words are its saved state, of which p are the parts,
// and count is how many of its objects are common.
func (s *search) look(words []uint64, p state.Parts, count int) {
	s.pre.words, s.pre.parts, s.pre.count = append(s.pre.words[:0], words...), p, count
	s.pre.cells = s.m.Cells(s.pre.words[p.Objects:])
	s.pre.base = s.m.BaseImage(s.pre.base[:0])
}

// change is what a step has done to memory that others may know.
type change struct {
	any  bool   // something was changed
	own  []int  // those of the acting thread's own cells that were changed, by index
	kind string // names of the changed fields; it tells apart steps that begin at one instruction
}

// changed compares the machine's memory with the image before the step. Cells that no other thread has ever known do
// not count.
func (s *search) changed() change {
	var x change
	var fields []string
	s.pre.after = s.m.BaseImage(s.pre.after[:0])
	if !slices.Equal(s.pre.after, s.pre.base) {
		x.any = true
		fields = append(fields, "package variables")
	}
	for i := range s.pre.cells {
		c := &s.pre.cells[i]
		if i >= s.pre.count && !c.Known() || s.m.Is(s.base+1+i, c) {
			continue
		}
		x.any = true
		fields = append(fields, fieldsOf(s.m, s.base+1+i, c.Words)...)
		if i >= s.pre.count {
			x.own = append(x.own, i-s.pre.count)
		}
	}
	x.kind = kindOf(fields)
	return x
}

// kindOf makes one text of the names of changed fields, each once, in order.
func kindOf(fields []string) string {
	slices.Sort(fields)
	return strings.Join(slices.Compact(fields), " ")
}

// fieldsOf names the fields in which an object differs from the words that it had before, as "node.next".
func fieldsOf(m *vm.Machine, id int, words []uint64) []string {
	o := &m.Objs[id]
	now := m.Words(state.Pointer(id, 0), o.Words())
	var list []string
	for i, w := range words {
		if i < len(now) && now[i] == w {
			continue
		}
		name := o.Info.Type.Name
		if size := o.Info.Type.Size; size > 0 {
			name += indexes.ReplaceAllString(o.Info.Type.FieldPath(i%size), "[]")
		}
		list = append(list, name)
	}
	if len(now) > len(words) {
		list = append(list, o.Info.Type.Name+" entries")
	}
	return list
}

// indexes matches the index of an element in the path of a field, which says nothing about the kind of a step.
var indexes = regexp.MustCompile(`\[\d+\]`)

// involved lists, by index, the acting thread's own cells that an effect has to describe besides common objects:
// cells that others may know, and that the step has changed or that common objects lead to, before or behind the
// step.
func (s *search) involved(changed []int) []int {
	first := s.base + 1 + s.pre.count
	if !slices.ContainsFunc(s.pre.cells[s.pre.count:], func(c state.Cell) bool { return c.Known() }) {
		return nil
	}
	in := make([]bool, len(s.pre.cells)-s.pre.count)
	seen := map[uint32]bool{}
	var work []uint32
	for id := 1; id < first; id++ {
		work = append(work, uint32(id))
	}
	for _, i := range changed {
		work = append(work, uint32(first+i))
	}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		work = s.m.References(work, &s.m.Objs[id])
		if i := int(id) - first; i >= 0 && i < len(in) {
			in[i] = true
			for _, to := range s.pre.cells[s.pre.count+i].To {
				if to != 0 {
					work = append(work, to)
				}
			}
		}
	}
	var list []int
	for i, yes := range in {
		if yes {
			list = append(list, i)
		}
	}
	return list
}

// effectOf makes the effect of the step that the machine has just made, and its key (see effect.key). held are the
// locks that the acting thread held before. It removes the thread from the machine's state.
func (s *search) effectOf(held []hold, changed []int, content oracle.StateID) (*effect, string) {
	cells := s.involved(changed)
	e := &effect{objects: s.pre.count, content: content}
	first := s.base + 1 + s.pre.count
	roots := len(s.m.Kept)
	for i := range s.pre.count {
		s.m.Kept = append(s.m.Kept, state.Pointer(s.base+1+i, 0))
	}
	number := map[uint32]uint32{}
	for k, i := range cells {
		s.m.Kept = append(s.m.Kept, state.Pointer(first+i, 0))
		number[uint32(first+i)] = uint32(first + k)
	}
	for _, i := range cells {
		e.cells = append(e.cells, renumbered(&s.pre.cells[s.pre.count+i], number))
	}
	for _, h := range held {
		switch n, known := number[uint32(h.lock>>32)]; {
		case int(h.lock>>32) < first:
			e.held = append(e.held, h)
		case known:
			e.held = append(e.held, hold{uint64(n)<<32 | h.lock&0xffffffff, h.left})
		}
	}
	own := s.m.NumberOf(0)
	s.m.RetireThreads(0)
	s.saved = s.m.Save(s.saved[:0])
	e.post = slices.Clone(s.saved)
	if s.m.Numbers {
		e.numbers = s.numbersOf(e.cells, own)
	}
	s.m.Kept = s.m.Kept[:roots]
	return e, e.key()
}

// renumbered is a copy of a cell in which references to some objects have new numbers.
func renumbered(c *state.Cell, number map[uint32]uint32) state.Cell {
	out := state.Cell{Head: c.Head, Aux: c.Aux, Words: slices.Clone(c.Words), To: slices.Clone(c.To)}
	for i, to := range c.To {
		if n, ok := number[to]; ok {
			out.To[i] = n
			out.Words[i] = uint64(n)<<32 | c.Words[i]&0xffffffff
		}
	}
	return out
}

// key is equal for two effects in one common memory if they do the same to every view.
func (e *effect) key() string {
	b := appendWords(nil, []uint64{uint64(e.content), uint64(len(e.cells))})
	b = appendWords(b, e.post)
	b = appendWords(b, wordsOfLocks(e.held))
	b = appendWords(b, e.numbers.words())
	for i := range e.cells {
		b = appendWords(b, append([]uint64{e.cells[i].Head, e.cells[i].Aux}, e.cells[i].Words...))
	}
	return string(b)
}

// apply does an effect to view v. Each view that may result is added to the table: one for each way in which cells of
// the acting thread may be cells of the view's thread, and in which numbers of threads that it knows may be those that the view's
// thread knows.
func (s *search) apply(e *effect, v int32) error {
	first := s.base + 1 + e.objects
	if excludes(relocated(e.held, nil, first), s.t.views[v].held) { // cells of two threads have the same numbers, and need not be the same
		return nil
	}
	words, p := s.t.state(v)
	var u *unifier
	if len(e.cells) > 0 && len(words) > p.Own {
		u = &unifier{theirs: e.cells, mine: s.m.Cells(words[p.Own:]), first: first}
	}
	every := func(names []int) error {
		if u == nil {
			return s.merge(e, v, nil, names)
		}
		u.names = names
		return u.all(func(to []int) error {
			if excludes(relocated(e.held, to, first), s.t.views[v].held) {
				return nil
			}
			return s.merge(e, v, to, names)
		})
	}
	if !s.m.Numbers {
		return every(nil)
	}
	return e.numbers.each(s.m.Numbering(words, p), every)
}

// merge adds the view behind an effect, for the case that cell k of the effect is the view's own cell to[k]; -1: it
// is none of them; and that the name k of a thread's number in the view is names[k] in the effect.
func (s *search) merge(e *effect, v int32, to, names []int) error {
	s.merged++
	words, p := s.t.state(v)
	s.m.Load(e.post)
	kept := s.m.Kept
	roots := len(kept) - e.objects - len(e.cells)
	ids := s.ids[:0]
	for i := range e.objects {
		ids = append(ids, uint32(state.ObjectID(kept[roots+i])))
	}
	for k, i := range to {
		if i < 0 {
			continue
		}
		for len(ids) <= e.objects+i {
			ids = append(ids, 0)
		}
		ids[e.objects+i] = uint32(state.ObjectID(kept[roots+e.objects+k]))
	}
	s.ids = ids
	s.m.Graft(words, p, ids, e.numbers.after(names))
	if err := misused(s.m, e.at); err != nil {
		return err
	}
	s.m.Kept = kept[:roots]
	s.m.SetTag(0, uint64(s.model.sees(ghost(s.m.Tag(0)), e.content)))
	return s.add(e.content, v, e.number)
}

// unifier finds the ways in which cells of one thread can be cells of another.
type unifier struct {
	theirs, mine []state.Cell // cells of the acting thread, and those of the thread whose view it is
	first        int          // the number of the first own cell, which is the same for both threads
	names        []int        // the names of mine for numbers of threads in theirs, see numbers.each; nil: any may be any
	to           []int        // for each of theirs the index of the same cell in mine; -1: it is none of these
	taken        []bool       // of mine, those that are in to
}

// all calls tell once for each way, with the list to. The list is valid during the call only.
func (u *unifier) all(tell func(to []int) error) error {
	u.to, u.taken = make([]int, len(u.theirs)), make([]bool, len(u.mine))
	for i := range u.to {
		u.to[i] = -1
	}
	return u.from(0, tell)
}

// from chooses for their cells k and following, and calls tell for each choice that is consistent.
func (u *unifier) from(k int, tell func(to []int) error) error {
	if k == len(u.to) {
		if !u.closed() {
			return nil
		}
		return tell(u.to)
	}
	if err := u.from(k+1, tell); err != nil {
		return err
	}
	for i := range u.mine {
		if u.taken[i] || !u.alike(k, i) {
			continue
		}
		u.to[k], u.taken[i] = i, true
		err := u.from(k+1, tell)
		u.to[k], u.taken[i] = -1, false
		if err != nil {
			return err
		}
	}
	return nil
}

// alike says that their cell k and my cell i hold the same, as far as they can be compared alone: references to own
// cells are not followed.
func (u *unifier) alike(k, i int) bool {
	a, b := &u.theirs[k], &u.mine[i]
	if !b.Known() || a.Head != b.Head || a.Aux != b.Aux {
		return false
	}
	for w := range a.Words {
		if int(a.To[w]) >= u.first && int(b.To[w]) >= u.first {
			if uint32(a.Words[w]) != uint32(b.Words[w]) {
				return false
			}
		} else if !u.equal(a.Words[w], b.Words[w]) || a.To[w] != b.To[w] {
			return false
		}
	}
	return true
}

// equal says that two words that refer to no own cells may be the same: theirs, and mine.
func (u *unifier) equal(theirs, mine uint64) bool {
	k, number := state.NumberIn(mine)
	n, both := state.NumberIn(theirs)
	switch {
	case !number || !both:
		return theirs == mine
	case u.names == nil:
		return state.SameAdded(theirs, mine)
	}
	return state.SameAdded(theirs, mine) && u.names[k] == n
}

// closed says that where two cells are the same, the cells that they refer to are the same, too.
func (u *unifier) closed() bool {
	for k, i := range u.to {
		if i < 0 {
			continue
		}
		for w, to := range u.theirs[k].To {
			if int(to) >= u.first && u.to[int(to)-u.first] != int(u.mine[i].To[w])-u.first {
				return false
			}
		}
	}
	return true
}
