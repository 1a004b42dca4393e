// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"encoding/binary"
	"slices"
)

// Flags are what a view remembers of the operation in progress.
type Flags uint16

// The flags.
const (
	Linearized Flags = 1 << iota // its effect on the content has been seen
	SawEmpty                     // at some moment since the call nothing was held
	SawAbsent                    // at some moment since the call k was not held
	SawPresent                   // at some moment since the call k was held

	// its descriptor is in a register, so others may complete it
	Announced
	GuardTrue  // since the descriptor was put there, at some moment the other registers allowed its effect
	GuardFalse // at some moment they did not
	SawRight   // at some moment since the call it would have changed nothing and returned k, or j

	Offering // it has an open offer, or one of which it does not know what became
)

// Frame is a call in progress.
type Frame struct {
	Func, PC int32
	Defers   []int32 // deferred calls by their number in the program, first to last
}

// View is what one thread sees: the part of the heap that it can reach from the collection
// and its registers, its calls in progress, and its operation. A thread between two
// operations has no frames; its view is idle.
type View struct {
	Heap
	// Frames are the calls in progress, outermost first; none if the thread is idle.
	Frames []Frame
	// Regs are the live registers of all frames, and behind those of each frame the words of
	// what it has deferred.
	Regs  []Word
	Op    uint8 // index of the operation
	Param Class // the class of its argument, if it has one
	Flags Flags
	Taken Word // the item that its effect has taken out; Nil: none so far
	// Mine is the cell with the descriptor of an operation that is Announced. It is set while a
	// step is made; in a view of the table it is the first of Regs.
	Mine Word
}

// Idle says whether the thread is in no operation.
func (v *View) Idle() bool { return len(v.Frames) == 0 }

// Ghosts is how many of the first Regs are ghosts, which belong to no call.
func (v *View) Ghosts() int {
	if v.Flags&Announced != 0 {
		return 1
	}
	return 0
}

// Key appends what two views must have in common to be joined into one: everything but the kinds of
// the cells for which summaries stand, and whether these may be empty.
func (v *View) Key(dst []byte) []byte {
	dst = append(dst, v.Op, byte(v.Param), byte(v.Flags), byte(v.Flags>>8), byte(len(v.Frames)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(v.Taken))
	for i := range v.Frames {
		f := &v.Frames[i]
		dst = binary.LittleEndian.AppendUint16(dst, uint16(f.Func))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(f.PC))
		dst = append(dst, byte(len(f.Defers)))
		for _, c := range f.Defers {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(c))
		}
	}
	dst = appendWords(dst, v.Regs)
	return v.Heap.Key(dst)
}

// Key appends the hard part of a heap: see View.Key.
func (h *Heap) Key(dst []byte) []byte {
	for i := range h.Nodes {
		n := &h.Nodes[i]
		bits := byte(0)
		if n.Shared {
			bits |= 1
		}
		if n.Summary {
			dst = append(dst, bits|2, byte(n.Class))
			dst = binary.LittleEndian.AppendUint32(dst, uint32(n.Next))
			continue
		}
		if n.Offer.held() {
			dst = append(dst, bits|4, n.Offer.key())
		} else {
			dst = append(dst, bits)
		}
		dst = binary.LittleEndian.AppendUint16(dst, n.Type)
	}
	return appendWords(dst, h.Words)
}

// Exact appends a key of everything that makes up a view.
func (v *View) Exact(dst []byte) []byte { return v.soft(v.Key(dst)) }

// Exact appends a key of everything that makes up a heap.
func (h *Heap) Exact(dst []byte) []byte { return h.soft(h.Key(dst)) }

// soft appends what Key leaves out: kinds, and whether summaries may be empty.
func (h *Heap) soft(dst []byte) []byte {
	for i := range h.Nodes {
		if n := &h.Nodes[i]; n.Summary {
			opt := byte(0)
			if n.Opt {
				opt = 1
			}
			dst = append(dst, opt)
			for _, s := range [...]Set{n.Kinds, n.First, n.Last} {
				dst = binary.LittleEndian.AppendUint64(dst, uint64(s))
			}
		}
	}
	return dst
}

func appendWords(dst []byte, words []Word) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(words)))
	for _, w := range words {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(w))
	}
	return dst
}

// Clone is a copy that shares with the view nothing that is ever changed.
func (v *View) Clone() *View {
	c := *v
	c.Heap = v.Heap.Clone()
	c.Regs = slices.Clone(v.Regs)
	c.Frames = slices.Clone(v.Frames)
	return &c
}

// Join widens a heap so that it stands for everything that heap o stands for as well, and says
// whether that is more than before. Both have the same key.
func (h *Heap) Join(o *Heap) (grew bool) {
	for i := range h.Nodes {
		a, b := &h.Nodes[i], &o.Nodes[i]
		if !a.Summary || a.covers(b) {
			continue
		}
		grew = true
		a.Kinds |= b.Kinds
		a.First |= b.First
		a.Last |= b.Last
		a.Opt = a.Opt || b.Opt
	}
	return grew
}

// Covers says whether a heap stands for everything that heap o stands for. Both have the same key.
func (h *Heap) Covers(o *Heap) bool {
	for i := range h.Nodes {
		if h.Nodes[i].Summary && !h.Nodes[i].covers(&o.Nodes[i]) {
			return false
		}
	}
	return true
}

func (n *Node) covers(o *Node) bool {
	return o.Kinds&^n.Kinds == 0 && o.First&^n.First == 0 && o.Last&^n.Last == 0 && (n.Opt || !o.Opt)
}
