package state

import "pangolin/internal/ir"

// A state taken apart. Most states are a heap that all threads can reach and threads that
// share nothing else. Such a state is a tuple of parts, each of which comes again in thousands of states:
//
//	heap     everything but the threads, what the base objects and the roots reach, and behind it the
//	         objects that two threads reach otherwise, which the heap has lost (common.go)
//	thread   its stack, and what nobody but it reaches
//
// Not all states are of that form: two threads may share an item that no object of the heap has, or
// objects of which nothing says which comes first.
//
// In a thread's part the heap's objects and items have the names that they have in the state;
// what is its own is counted from firstOwn and firstOwnItem, so that the part does not depend on
// what other threads hold. These names are greater than any of the heap's, as they are in the
// state, so parts have the order that the threads' encodings have there (symmetry.go).
//
// Whether a state can be taken apart is a property of its canonical form: either all ways to
// it find so, or none.

const (
	firstOwn     uint32 = 1 << 30 // object numbers of threads' parts
	firstOwnItem uint64 = 128     // offsets of item words; leaves the range of items
)

// Pieces are the parts of a state as they have just been encoded. They are valid until the
// state is saved or taken apart again.
type Pieces struct {
	Front   []uint64 // the words in front of the threads
	Heap    []uint64 // the encoding of the heap's objects
	Objects []uint32 // the numbers that the heap's objects have in the machine, by new number
	Rooted  int      // how many of them base objects and roots reach; the others follow
	Items   []uint8  // the items that the heap holds, by new name
	Threads []Piece  // in the order that they have in the machine
}

// Piece is a thread's part.
type Piece struct {
	Words   []uint64 // stack, then own objects; the second word is the thread's tag
	Stack   int      // words of the stack
	Objects []uint32
	Items   []uint8
}

// Apart says how far a state could be taken apart.
type Apart uint8

const (
	Whole  Apart = iota // not at all: it has ended, or its threads have places or numbers of their own
	Shared              // two threads share what cannot be made the heap's: SaveShared goes on from there
	Parted              // it is in pieces
)

// TakeApart takes the state apart.
func (m *State) TakeApart(p *Pieces) Apart {
	if m.End.Kind != Running || m.img.ThreadIDs || m.WholeProgram || m.ForLife || len(m.Thread) < 2 {
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
	p.Heap, p.Objects, p.Items = e.heap, e.order, e.items.order
	p.Threads = p.Threads[:0]
	for i := range m.Thread {
		p.Threads = append(p.Threads, Piece{e.keys[i], e.stacks[i], e.private(i), e.items.part(i)})
	}
	return Parted
}

// relativeKeys makes the keys of all threads behind the objects that have numbers.
func (m *State) relativeKeys() {
	e := &m.enc
	e.global = uint32(m.img.BaseCount() + len(e.order))
	e.globalItems = len(e.items.order)
	e.relative = true
	m.threadKeys()
	e.relative = false
}

// SaveShared is Save for a state that TakeApart, which must have been called last, has found
// to be Shared. The threads' keys are there; that they name what is a thread's own in another way does not
// change their order.
func (m *State) SaveShared(dst []uint64, p *Pieces) []uint64 {
	e := &m.enc
	e.identity(len(m.Thread))
	m.sortThreads(0)
	dst = append(dst, p.Front...)
	start := len(dst)
	dst = m.saveThreads(dst, e.perm)
	if e.tie {
		dst = m.breakTies(dst, start)
	}
	return dst
}

// Place is where a word of a thread's part stands that names something by a number.
type Place struct {
	At   int32
	Item bool
}

// PartNames lists where a thread's part names objects other than base objects, and items.
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

// namer walks over a thread's part.
type namer struct {
	m     *State
	words []uint64
	at    int
	end   int // of the stack
	found []Place
}

func (n *namer) stack() {
	head := n.words[0]
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
	n.at++
	if head&headChan != 0 {
		n.at++
	}
	info := n.m.img.Types[head&0xffffff]
	for i := range int(uint32(head>>32)) * info.Type.Size {
		n.word(info.Layout[i%len(info.Layout)])
	}
}

// word looks at a word of a kind.
func (n *namer) word(kind ir.Kind) {
	w := n.words[n.at]
	switch {
	case n.m.Reference(n.words, n.at, kind) > uint64(n.m.img.BaseCount()):
		n.found = append(n.found, Place{At: int32(n.at)})
	case kind != ir.String && kind != ir.IfaceType && isItemOfPart(w):
		n.found = append(n.found, Place{int32(n.at), true})
	}
	n.at++
}

// OwnObject returns which of a thread's own objects a word of its part refers to, or which of
// the heap's, both from 0 on.
func (img *Ground) OwnObject(w uint64) (index int, own bool) {
	if n := uint32(w >> 32); n >= firstOwn {
		return int(n - firstOwn), true
	}
	return int(w>>32) - img.BaseCount() - 1, false
}

func isItemOfPart(w uint64) bool { return IsItem(w) || w-itemBase-firstOwnItem < MaxItems }

// OwnItem is the same for items.
func OwnItem(w uint64) (index int, own bool) {
	if k := w - itemBase; k >= firstOwnItem {
		return int(k - firstOwnItem), true
	}
	return int(w - itemBase), false
}

// Joined is the word of a part as it stands in a state in which so many objects, or items, come
// before the thread's own.
func (img *Ground) Joined(w uint64, p Place, before int) uint64 {
	if p.Item {
		k, own := OwnItem(w)
		if !own {
			return w
		}
		return itemBase + uint64(before+k)
	}
	k, own := img.OwnObject(w)
	if !own {
		return w
	}
	return uint64(img.BaseCount()+1+before+k)<<32 | w&0xffffffff
}

// Idle says whether the thread of a part has nothing to execute, and Depth how many calls are in progress.
func Idle(part []uint64) bool { return Depth(part) == 0 }
func Depth(part []uint64) int { return int(part[0] >> 16 & 0xffffff) }

// Lost appends the words of an object that a step has taken out of the heap, as it has left them.
// They name objects by the numbers that they have in the machine. ok is false if it leads to an
// object above the number objects, or holds another item than the first ones: to what was in no
// heap.
func (m *State) Lost(dst []uint64, id, objects, items int) (words []uint64, ok bool) {
	o := &m.Objs[id]
	dst = append(dst, uint64(o.Info.Type.ID)|uint64(uint32(o.Count))<<32, uint64(o.Flags)|uint64(o.Aux)<<8)
	content := m.Mem[o.At : o.At+o.Words()]
	for i, w := range content {
		if m.Reference(content, i, o.Info.Layout[i%len(o.Info.Layout)]) > uint64(objects) || IsItem(w) && w-itemBase >= uint64(items) {
			return dst, false
		}
	}
	return append(dst, content...), true
}
