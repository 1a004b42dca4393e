// SPDX-License-Identifier: BSD-3-Clause

package state

import "pangolin/internal/ir"

// A state taken apart. Most states are a heap that all threads can reach and threads that share
// nothing else. Such a state is a tuple of parts, each of which comes again in thousands of states:
//
//	heap     everything but the threads, what the base objects and the roots reach, and behind it the
//	         objects that two threads reach otherwise, which the heap has lost (common.go)
//	thread   its stack, and what nobody but it reaches
//
// Not all states are of that form: two threads may share an item that no object of the heap has,
// one may hold another's number, which the heap has not, or they share objects of which nothing
// says which comes first.
//
// In a thread's part the heap's objects, items and threads' numbers have the names that they have
// in the state; what is its own is counted from firstOwn, firstOwnItem and firstOwnNumber, so that
// the part does not depend on what other threads hold. These names are greater than any of the
// heap's, as they are in the state, so parts have the order that the threads' encodings have there
// (symmetry.go). The only number that a thread may hold and the heap does not is its own.
//
// Whether a state can be taken apart is a property of its canonical form: either all ways to it
// find so, or none.

const (
	firstOwn       uint32 = 1 << 30 // object numbers of threads' parts
	firstOwnItem   uint64 = 128     // offsets of item words; leaves the range of items
	firstOwnNumber        = 128     // names of threads' numbers
)

// Pieces are the parts of a state as they have just been encoded. They are valid until the
// state is saved or taken apart again.
type Pieces struct {
	Front   []uint64 // the words before the threads
	Heap    []uint64 // the encoding of the heap's objects
	Objects []uint32 // the numbers that the heap's objects have in the machine, by new number
	Rooted  int      // how many of them base objects and roots reach; the others follow
	Items   []uint8  // the items in the heap, by new name
	Numbers []uint8  // the threads' numbers in the heap, by new name
	Threads []Piece  // in the order of the machine
}

// Piece is a thread's part.
type Piece struct {
	Words   []uint64 // stack, then own objects; the second word is the thread's tag
	Stack   int      // words of the stack
	Objects []uint32
	Items   []uint8
	Numbers []uint8 // the thread's own number, if it or what only it reaches holds that and the heap does not
	ID      int     // the thread's number in the machine
}

// Apart is the result of dividing a state.
type Apart uint8

const (
	Whole  Apart = iota // impossible: the program has ended, or threads have fixed places or are told apart
	Shared              // two threads share something that cannot be part of the heap; SaveShared goes on from there
	Parted              // divided
)

// TakeApart divides the state into parts.
func (m *State) TakeApart(p *Pieces) Apart {
	if m.End.Kind != Running || m.Addresses.Given || m.img.ThreadIDs && !m.Numbers || m.WholeProgram || m.ForLife || len(m.Thread) < 2 {
		return Whole
	}
	e := &m.enc
	e.reset(len(m.Objs))
	e.global = uint32(m.img.BaseCount())
	p.Front = m.saveFront(m.saveHead(p.Front[:0]))
	m.scan(0)
	p.Rooted = len(e.order)
	e.rooted = e.global + uint32(p.Rooted)
	m.relativeKeys()
	if e.shares {
		if !m.orderCommon() {
			return Shared
		}
		if m.moveCommon(); e.shares {
			return Whole
		}
	}
	if e.globalNumbers > firstOwnNumber {
		return Whole
	}
	p.Heap, p.Objects, p.Items, p.Numbers = e.heap, e.order, e.items.order, e.numbers.order
	p.Front[0] |= countNumbers(e.globalNumbers)
	p.Threads = p.Threads[:0]
	for i, t := range m.Thread {
		p.Threads = append(p.Threads, Piece{e.keys[i], e.stacks[i], e.private(i), e.items.part(i), e.numbers.part(i), t.id})
	}
	return Parted
}

// relativeKeys encodes all threads. In each encoding the thread's own objects, items and number are
// counted from firstOwn, firstOwnItem and firstOwnNumber on, so that it does not depend on the
// other threads.
func (m *State) relativeKeys() {
	e := &m.enc
	e.global = uint32(m.img.BaseCount() + len(e.order))
	e.globalItems, e.globalNumbers = len(e.items.order), len(e.numbers.order)
	e.relative = true
	m.threadKeys()
	e.relative = false
}

// SaveShared is Save for a state of which TakeApart, the last call before, has returned Shared. It
// uses the threads' keys that TakeApart has made; that these name a thread's own things in another
// way does not change their order.
func (m *State) SaveShared(dst []uint64, p *Pieces) []uint64 {
	e := &m.enc
	e.identity(len(m.Thread))
	m.sortThreads(0)
	head := len(dst)
	dst = append(dst, p.Front...)
	start := len(dst)
	dst = m.saveThreads(dst, e.perm)
	dst[head] |= countNumbers(len(e.numbers.order))
	if e.tie {
		dst = m.breakTies(dst, start)
	}
	return dst
}

// Place is a word of a thread's part that names an object, an item or a thread's number: At is its
// index in the part.
type Place struct {
	At int32
	Of Named
}

// Named is what a word names: an object, an item or a thread's number.
type Named uint8

const (
	NamedObject Named = iota // an object that is no base object
	NamedItem                // an item
	NamedNumber              // a thread's number; in the part's first word the thread's own
)

// PartNames lists the words of a thread's part that name something.
func (m *State) PartNames(words []uint64, stack int) []Place {
	n := namer{m: m, words: words}
	n.stack()
	for n.at < len(words) {
		n.object()
	}
	if n.end != stack {
		panic("state: a thread's part is not what it was said to be")
	}
	return n.found
}

// namer goes through a thread's part.
type namer struct {
	m     *State
	words []uint64
	at    int
	end   int // index of the end of the stack
	found []Place
}

func (n *namer) stack() {
	head := n.words[0]
	if nameInHead(head) > 0 {
		n.found = append(n.found, Place{0, NamedNumber})
	}
	n.at = 2
	if head&threadPanics != 0 {
		n.word(ir.Pointer)
	}
	frames := int(head >> 16 & 0xffffff)
	for i := range frames {
		w := n.words[n.at]
		f := Frame{Code: n.m.img.Codes[w>>40], PC: int32(w >> 8 & 0xffffffff), Flags: FrameFlags(w)}
		n.at++
		for _, l := range n.m.LiveIn(&f, i == frames-1) {
			n.word(l.Kind)
		}
	}
	if head&threadHolds != 0 {
		held := n.words[n.at]
		n.at++
		for range held {
			n.word(ir.Pointer)
		}
	}
	n.end = n.at
}

func (n *namer) object() {
	head := n.words[n.at]
	n.at += headerWords(head)
	info := n.m.img.Types[head&0xffffff]
	for i := range int(uint32(head>>32)) * info.Type.Size {
		n.word(info.Layout[i%len(info.Layout)])
	}
}

// word goes on to the next word, which is of a kind.
func (n *namer) word(kind ir.Kind) {
	w := n.words[n.at]
	switch {
	case n.m.Reference(n.words, n.at, kind) > uint64(n.m.img.BaseCount()):
		n.found = append(n.found, Place{At: int32(n.at)})
	case kind == ir.String || kind == ir.IfaceType:
	case isItemOfPart(w):
		n.found = append(n.found, Place{int32(n.at), NamedItem})
	case n.m.Numbers && IsNumber(w):
		n.found = append(n.found, Place{int32(n.at), NamedNumber})
	}
	n.at++
}

// Names returns what a word of a thread's part names: the index among the thread's own objects,
// items or numbers, or among the heap's, both from 0 on.
func (img *Ground) Names(w uint64, p Place) (index int, own bool) {
	switch {
	case p.Of == NamedObject:
		return img.ownObject(w)
	case p.Of == NamedItem:
		return ownItem(w)
	case p.At == 0:
		index = nameInHead(w) - 1
	default:
		index = numberOf(w)
	}
	if index >= firstOwnNumber {
		return index - firstOwnNumber, true
	}
	return index, false
}

func (img *Ground) ownObject(w uint64) (index int, own bool) {
	if n := uint32(w >> 32); n >= firstOwn {
		return int(n - firstOwn), true
	}
	return int(w>>32) - img.BaseCount() - 1, false
}

func isItemOfPart(w uint64) bool { return IsItem(w) || w-itemBase-firstOwnItem < MaxItems }

func ownItem(w uint64) (index int, own bool) {
	if k := w - itemBase; k >= firstOwnItem {
		return int(k - firstOwnItem), true
	}
	return int(w - itemBase), false
}

// Joined is a word of a part as it is in a state, if `before` objects, items or numbers come before
// the thread's own.
func (img *Ground) Joined(w uint64, p Place, before int) uint64 {
	k, own := img.Names(w, p)
	name := uint64(before + k)
	switch {
	case !own:
		return w
	case p.Of == NamedObject:
		return (uint64(img.BaseCount()+1)+name)<<32 | w&0xffffffff
	case p.Of == NamedItem:
		return itemBase + name
	case p.At == 0:
		return w&^(0xff<<threadNumber) | (name+1)<<threadNumber
	}
	return renumbered(w, name)
}

// NumberJoined adds to the first word of a state the number of threads' numbers that threads hold
// and the heap does not.
func NumberJoined(head uint64, own int) uint64 { return head + countNumbers(own) }

// Idle reports whether the thread of a part has nothing to execute.
func Idle(part []uint64) bool { return Depth(part) == 0 }

// Depth is the number of calls in progress of a part's thread; 0 if it is idle.
func Depth(part []uint64) int { return int(part[0] >> 16 & 0xffffff) }

// Lost appends the words of an object that a step has taken out of the heap, with objects by their
// numbers in the machine. ok is false if it leads to an object numbered above objects, or to an
// item that is not among the first items: to something that was not in the heap. A thread's number
// that was not in the heap is that of the thread that made the step, as no other part may hold one.
func (m *State) Lost(dst []uint64, id, objects, items int) (words []uint64, ok bool) {
	o := &m.Objs[id]
	dst = append(dst, uint64(o.Info.Type.ID)|uint64(uint32(o.Count))<<32, uint64(o.Flags)|uint64(o.Aux)<<16)
	content := m.Mem[o.At : o.At+o.Words()]
	for i, w := range content {
		if m.Reference(content, i, o.Info.Layout[i%len(o.Info.Layout)]) > uint64(objects) || IsItem(w) && w-itemBase >= uint64(items) {
			return dst, false
		}
	}
	return append(dst, content...), true
}
