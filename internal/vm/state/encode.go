// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"slices"

	"pangolin/internal/ir"
)

// The canonical form of a state, in words:
//
//	header       how the program ended, number of threads
//	output       standard output, standard error (String words)
//	base         number of changed base objects; for each its number and contents
//	hashes       the values of the hash function so far, if it is made up
//	addresses    which have been given, if any have
//	roots        number of the engine's roots, pointers
//	threads      head, tag, [panic], for each frame its function, pc and flags, live registers, [locks held]
//	objects      all others that are reachable, in order of first reach: header, [address], [channel], words
//
// Objects are renumbered in the order in which they are reached: from the base objects first, then
// from each thread. Threads whose identity the program cannot observe are sorted by what they hold.
// So two states that differ in nothing but the numbers of objects, garbage, dead registers or the
// names of threads have the same form. The form is precise: it is also what Load reads.

// encoder is the working memory of Save.
type encoder struct {
	renum   []uint32 // by object: its new number, 0 if it has none yet
	order   []uint32 // objects that have new numbers, in that order
	head    []int32  // indices in heap of the objects' headers
	heap    []uint64 // their encoding
	fresh   uint32   // greater numbers were given by the thread that is being encoded
	global  uint32   // numbers up to this one were given before the threads
	rooted  uint32   // numbers up to this one are reached from base objects and roots
	crossed []uint32 // objects that a second thread reaches
	work    []uint32 // scratch of markCrossed
	perm    []int    // threads in canonical order
	keys    [][]uint64
	tie     bool // two threads had equal keys
	// What the threads' keys are made of, by thread: the words of the stack, and the
	// objects that only threads reach, as orders[ends[i-1]:ends[i]].
	stacks                     []int
	orders                     []uint32
	ends                       []int
	owner                      []uint32 // by object: the thread whose key holds it, plus one
	keyed                      bool     // the keys have been computed
	items                      wordNames
	numbers                    wordNames
	globalItems, globalNumbers int  // names given before the threads
	shares                     bool // an object is in two threads' keys
	relative                   bool // threads' own objects and items are numbered relative to the thread, see parts.go
	best                       []uint64
	bestPerm                   []int
	tied                       []int // scratch of breakTies
	try                        []uint64
	parts                      Parts
	common                     []common // objects of several threads' keys
}

const (
	headShared uint64 = 1 << 31
	headChan   uint64 = 1 << 30
	headKnown  uint64 = 1 << 29 // written only where classes are assumed to be frozen or guarded
	headOpen   uint64 = 1 << 25 // of an IsOpen slice: a word behind the head tells how many elements certainly fit, see room.go
	headPlaced        = 19      // position of atCommon and atOwn, see sameplace.go
)

// Save appends the canonical form of the state to dst. The machine's state does
// not change, except that Permutation tells the new order of the threads.
func (m *State) Save(dst []uint64) []uint64 {
	e := &m.enc
	e.reset(len(m.Objs))
	if m.Tracked.On && (m.spent() || !m.reachesTracked()) {
		m.Forget()
	}
	e.global = uint32(m.img.BaseCount())
	head := len(dst)
	dst = m.saveHead(dst)
	if m.End.Kind != Running {
		e.identity(len(m.Thread))
		return append(dst, m.End.Text, m.End.Pos)
	}
	dst = m.saveFront(dst)
	m.scan(0)
	e.global += uint32(len(e.order))
	e.rooted = e.global
	common := len(e.heap)
	e.globalItems, e.globalNumbers = len(e.items.order), len(e.numbers.order)
	start := len(dst)
	if m.ordersAlike() {
		dst = m.saveAlike(dst)
	} else {
		dst = m.saveSorted(dst)
	}
	e.parts = Parts{Thread: start - head, Objects: len(dst) - len(e.heap) - head}
	e.parts.Own = e.parts.Objects + common
	if m.Numbers && !m.OneOfMany { // the words in front of the thread are common to all, see graft.go
		dst[head] |= countNumbers(len(e.numbers.order))
	}
	if e.tie && (e.shares || len(e.crossed) > 0 || m.TieNumber != nil) {
		dst = m.breakTies(dst, start)
	}
	if m.Hunting {
		if !m.ordersAlike() {
			m.numberAgain()
		}
		dst = m.saveTracked(dst)
	}
	return dst
}

// saveHead appends the header and the output: the first two words of every state.
func (m *State) saveHead(dst []uint64) []uint64 {
	return append(dst, uint64(m.End.Kind)|uint64(uint8(m.End.Code))<<8|uint64(len(m.Thread))<<16|uint64(m.nextThreadID())<<32,
		m.Out.Stdout|m.Out.Stderr<<32)
}

// saveFront appends what is between the output and the threads: changed base objects, hashes,
// addresses, roots.
func (m *State) saveFront(dst []uint64) []uint64 {
	head := len(dst) - 2
	dst = m.saveBase(dst)
	if m.Hashing {
		dst = append(dst, m.Hashes)
	}
	if m.Addresses.Given {
		dst[head] |= hasAddresses
		dst = append(dst, m.Addresses.word())
	}
	dst = append(dst, uint64(len(m.Kept)))
	for _, p := range m.Kept {
		dst = append(dst, m.renumber(p))
	}
	return dst
}

// Permutation returns, for each position in the state saved last, the index of the thread there. It
// is valid until the next Save.
func (m *State) Permutation() []int { return m.enc.perm }

// Sorted tells Permutation the order of the threads in a state that an engine has saved by itself.
func (m *State) Sorted(perm []int) { m.enc.perm = append(m.enc.perm[:0], perm...) }

func (m *State) nextThreadID() int {
	if m.img.ThreadIDs && !m.Numbers {
		return m.nextID
	}
	return 0
}

func (e *encoder) reset(objects int) {
	if cap(e.renum) < objects {
		e.renum = make([]uint32, objects, 2*objects)
		e.owner = make([]uint32, objects, 2*objects)
	}
	e.renum, e.owner = e.renum[:objects], e.owner[:objects]
	clear(e.renum)
	clear(e.owner)
	e.order, e.head, e.heap, e.crossed = e.order[:0], e.head[:0], e.heap[:0], e.crossed[:0]
	e.tie, e.fresh = false, 0
	e.keyed, e.shares = false, false
	e.items.reset()
	e.numbers.reset()
	e.stacks, e.orders, e.ends = e.stacks[:0], e.orders[:0], e.ends[:0]
}

func (e *encoder) identity(n int) {
	e.perm = e.perm[:0]
	for i := range n {
		e.perm = append(e.perm, i)
	}
}

// saveBase encodes the base objects that differ from their first contents.
func (m *State) saveBase(dst []uint64) []uint64 {
	slices.Sort(m.dirty)
	count := len(dst)
	dst = append(dst, 0)
	for _, id := range m.dirty {
		if m.Pristine(int(id)) {
			continue
		}
		dst[count]++
		dst = append(dst, uint64(id))
		dst = m.saveObject(dst, int(id), headShared)
	}
	return dst
}

// Pristine reports whether a base object has its initial contents.
func (m *State) Pristine(id int) bool {
	a, b := &m.Objs[id], &m.img.Base[id]
	if a.Count != b.Count || a.Flags&(IsChan|IsOpen) != 0 && a.Aux != b.Aux || (a.Flags^b.Flags)&Held != 0 {
		return false
	}
	n := a.Words()
	return slices.Equal(m.Mem[a.At:a.At+n], m.img.BaseMem[b.At:b.At+n])
}

// scan encodes the objects that have numbers but no encoding yet.
func (m *State) scan(flags uint64) {
	e := &m.enc
	for len(e.head) < len(e.order) {
		e.head = append(e.head, int32(len(e.heap)))
		f := flags
		if e.fresh == 0 {
			f |= headShared
		}
		e.heap = m.saveObject(e.heap, int(e.order[len(e.head)-1]), f)
	}
}

// saveObject encodes one object.
func (m *State) saveObject(dst []uint64, id int, flags uint64) []uint64 {
	o := &m.Objs[id]
	if o.Info.Unordered != nil && o.Count > 1 {
		m.sortEntries(id)
		o = &m.Objs[id]
	}
	head := uint64(o.Info.Type.ID) | uint64(uint32(o.Count))<<32 | flags
	if m.Follows && (o.Flags&IsKnown != 0 || flags&headShared != 0) {
		head |= headKnown
		if m.OneOfMany {
			head |= headShared
		}
	}
	head |= uint64(o.Flags&placed) << headPlaced
	if o.Flags&(IsChan|IsAddressed|IsOpen|IsLent) == 0 {
		dst = append(dst, head)
	} else {
		dst = m.saveHeader(dst, id, head)
	}
	words := m.Mem[o.At : o.At+o.Words()]
	if len(o.Info.Refs) == 0 {
		return m.appendScalars(dst, words)
	}
	return m.saveWords(dst, words, o.Info.Layout)
}

// saveHeader appends the words between an object's head and contents: its slot, the words given
// away, and Aux.
func (m *State) saveHeader(dst []uint64, id int, head uint64) []uint64 {
	o, at := &m.Objs[id], len(dst)
	dst = append(dst, head)
	if o.Flags&IsAddressed != 0 {
		dst[at] |= headAddressed
		dst = append(dst, uint64(uint32(m.slots[id])))
	}
	if o.Flags&IsLent != 0 {
		dst[at] |= headLent
		dst = append(dst, uint64(m.lent[id]))
	}
	switch {
	case o.Flags&IsChan != 0:
		dst[at] |= headChan
	case o.Flags&IsOpen != 0:
		dst[at] |= headOpen
	default:
		return dst
	}
	return append(dst, uint64(o.Aux))
}

// headerWords is the number of words before the contents of a saved object.
func headerWords(head uint64) int {
	n := 1
	if head&headAddressed != 0 {
		n++
	}
	if head&headLent != 0 {
		n++
	}
	if head&(headChan|headOpen) != 0 {
		n++
	}
	return n
}

// saveWords appends words with references renumbered; layout repeats.
func (m *State) saveWords(dst, words []uint64, layout []ir.Kind) []uint64 {
	k := 0
	for i, w := range words {
		switch kind := layout[k]; kind {
		case ir.Scalar:
			if w >= leastNamed {
				w = m.scalar(w)
			}
		case ir.String, ir.IfaceType:
		case ir.Pointer:
			if w != 0 {
				w = m.renumber(w)
			}
		default:
			w = m.saveReference(words, i, kind)
		}
		dst = append(dst, w)
		if k++; k == len(layout) {
			k = 0
		}
	}
	return dst
}

// saveReference renumbers a word that may be a reference.
func (m *State) saveReference(words []uint64, i int, kind ir.Kind) uint64 {
	if m.Reference(words, i, kind) == 0 {
		return m.scalar(words[i])
	}
	return m.renumber(words[i])
}

// renumber replaces the object in a pointer by its new number.
func (m *State) renumber(p uint64) uint64 {
	id := uint32(p >> 32)
	e := &m.enc
	if int(id) <= m.img.BaseCount() {
		return p
	}
	n := e.renum[id]
	switch {
	case n == 0:
		e.order = append(e.order, id)
		n = uint32(m.img.BaseCount() + len(e.order))
		if e.relative {
			n += firstOwn - e.global - 1
		}
		e.renum[id] = n
	case n <= e.global:
	case n <= e.fresh:
		e.crossed = append(e.crossed, id)
	case n >= leastRank:
		return m.crowd.edge(p, n)
	}
	return uint64(n)<<32 | p&0xffffffff
}

// encodeThread encodes a thread, and the objects that it is the first to reach. If anything holds
// the thread's number, its name plus one is in the head.
func (m *State) encodeThread(dst []uint64, t *Thread) []uint64 {
	head := len(dst)
	dst = m.saveThread(dst, t)
	m.scanPrivate()
	if e := &m.enc; m.Numbers && t.numbered() && e.numbers.name[t.id] != 0 {
		dst[head] |= (e.ownNumber(uint64(e.numbers.name[t.id])-1) + 1) << threadNumber
	}
	return dst
}

// saveThread encodes a thread's stack.
func (m *State) saveThread(dst []uint64, t *Thread) []uint64 {
	at := len(dst)
	head := uint64(t.Phase) | uint64(len(t.Frames))<<16
	if !t.Keep {
		head |= threadSpawned
	}
	if t.Knows {
		head |= threadKnows
	}
	if m.img.ThreadIDs && !m.Numbers && !t.vacant() {
		head |= uint64(t.id) << threadNumber & (threadSpawned - 1)
	}
	if t.Panics != 0 {
		dst = append(dst, head|threadPanics, t.Tag, m.renumber(t.Panics))
	} else {
		dst = append(dst, head, t.Tag)
	}
	for i := range t.Frames {
		dst = m.saveFrame(dst, t, i)
	}
	return m.saveHeld(dst, at, t)
}

// saveHeld appends the locks that a thread holds, in canonical order. at is where the thread's
// encoding begins. A lock to which neither the base objects nor the thread's registers lead is
// forgotten: a queue lock leaves one locked mutex behind at every turn, and they would add up. This
// is safe: accesses under a forgotten lock count as unguarded, and its release as one by a thread
// that does not hold it (guarded.go, locks.go).
func (m *State) saveHeld(dst []uint64, at int, t *Thread) []uint64 {
	end, s := len(dst), &m.crowd
	locks := t.Held
	if s.on {
		locks = s.sortedHeld(locks)
	}
	for _, p := range locks {
		if id := int(p >> 32); id <= m.img.BaseCount() || m.known(m.enc.renum[id], dst[at+2:end]) {
			dst = append(dst, m.renumber(p))
			if s.on && m.enc.renum[id] >= leastRank {
				s.hold(p)
			}
		}
	}
	if n := len(dst) - end; n > 0 {
		slices.Sort(dst[end:])
		dst[at] |= threadHolds
		dst = append(dst, uint64(n))
		copy(dst[end+1:], dst[end:])
		dst[end] = uint64(n)
	}
	return dst
}

// known reports whether the object with a new number (0: none) is reached from base objects, or
// from a thread's words.
func (m *State) known(number uint32, words []uint64) bool {
	switch {
	case number == 0 || number <= m.enc.rooted:
		return number != 0
	case number >= leastRank:
		return m.crowd.leads(number)
	}
	return slices.ContainsFunc(words, func(w uint64) bool { return uint32(w>>32) == number })
}

const (
	threadPanics  uint64 = 1 << 8
	threadHolds   uint64 = 1 << 9
	threadKnows   uint64 = 1 << 10
	threadNumber         = 40      // position of the thread number's name
	threadSpawned uint64 = 1 << 63 // sorts such threads behind those of the engine
)

func (m *State) saveFrame(dst []uint64, t *Thread, i int) []uint64 {
	f := &t.Frames[i]
	dst = append(dst, uint64(f.Code.Func.ID)<<40|uint64(f.PC)<<8|uint64(f.Flags))
	regs := t.Regs[f.Base:]
	for _, l := range m.LiveIn(f, i == len(t.Frames)-1) {
		w := regs[l.Reg]
		switch l.Kind {
		case ir.Scalar:
			if w >= leastNamed {
				w = m.scalar(w)
			}
		case ir.String, ir.IfaceType:
		case ir.Pointer:
			if w != 0 {
				w = m.renumber(w)
			}
		default:
			w = m.saveReference(regs, int(l.Reg), l.Kind)
		}
		dst = append(dst, w)
	}
	return dst
}

// LiveIn lists the registers of a frame that are part of the state.
func (m *State) LiveIn(f *Frame, top bool) []liveReg {
	if top || f.Flags&FrameStart != 0 {
		return f.Code.Before(m.img.Prog, int(f.PC))
	}
	return f.Code.during(m.img.Prog, int(f.PC))
}

// markCrossed marks the objects that several threads reach as shared.
func (m *State) markCrossed() {
	e := &m.enc
	if len(e.crossed) == 0 {
		return
	}
	work := append(e.work[:0], e.crossed...)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		at := e.head[int(e.renum[id])-m.img.BaseCount()-1]
		if e.heap[at]&headShared != 0 {
			continue
		}
		e.heap[at] |= headShared
		if m.Follows {
			e.heap[at] |= headKnown
		}
		work = m.appendReferences(work, int(id))
	}
	e.work = work
}

// appendReferences appends the objects, other than base objects, that an object
// refers to.
func (m *State) appendReferences(dst []uint32, id int) []uint32 {
	o := &m.Objs[id]
	size := o.Info.Type.Size
	for i := range int(o.Count) {
		w := m.Mem[o.At+i*size : o.At+(i+1)*size]
		for _, r := range o.Info.Refs {
			if ref := m.Reference(w, int(r), o.Info.Layout[r]); ref > uint64(m.img.BaseCount()) {
				dst = append(dst, uint32(ref))
			}
		}
	}
	return dst
}
