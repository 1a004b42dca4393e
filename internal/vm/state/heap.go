// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
)

// The program's memory: objects over one array of words. A pointer is the number of an
// object and an offset; where the object's words stand is looked up at every access, so
// that a collector may move them, and offsets never reach beyond an object.
//
// What other threads may reach is known per object, by flags that only grow between two
// saves: IsShared makes its accesses visible, and whatever is stored into a shared object
// is shared with all that it leads to, at once. It may be marked too often, never too
// seldom: a mark too many costs a scheduling point, one too few an interleaving.

// Object is a piece of memory: count elements of one type. A map is an object
// whose elements are its entries, a channel one whose elements are what it
// buffers.
type Object struct {
	At    int // index of its first word in Machine.mem
	Count int32
	Aux   uint32 // of a channel: capacity<<1 | closed | ofTimer; of a map: number of elements it has room for, 0 for count
	Info  *TypeInfo
	class int32 // the first of its classes, see frozen.go
	Flags uint16
}

const (
	IsShared    uint16 = 1 << iota // another thread than the one that made it may reach it
	IsDirty                        // a base object that may differ from its first contents
	IsMarked                       // seen by the collector
	IsChan                         // a channel
	IsKnown                        // has been shared at some time, see frozen.go
	IsAddressed                    // it has an address, see addresses.go
)

// Words is how many words the object has: its elements times the words of one.
func (o *Object) Words() int { return int(o.Count) * o.Info.Type.Size }

// Pointer is the address of word off of object id: Pointer(2, 1) is 0x200000001.
func Pointer(id int, off int) uint64 { return uint64(id)<<32 | uint64(uint32(off)) }

// ObjectID is the number of the object that an address leads to; 0 of nil.
func ObjectID(p uint64) int { return int(p >> 32) }

// Offset is the word of the object that an address leads to, from 0 on.
func Offset(p uint64) int { return int(uint32(p)) }

// Alloc makes count zeroed elements of type t and returns the object's number.
func (m *State) Alloc(t *ir.Type, count int) int {
	if n, k := t.Flatten(); k > 1 || n != t {
		t, count = n, count*k
	}
	info := m.img.Types[t.ID]
	words := count * t.Size
	at := m.Grow(words)
	clear(m.Mem[at:])
	return m.AddObject(Object{At: at, Count: int32(count), Info: info, Flags: m.Born()})
}

// AllocRaw makes count elements of type t, which is no array, with arbitrary contents.
func (m *State) AllocRaw(t *ir.Type, count int) int {
	return m.AddObject(Object{At: m.Grow(count * t.Size), Count: int32(count), Info: m.img.Types[t.ID], Flags: m.Born()})
}

// Born is the flags of a new object: without fusing it is shared at once.
func (m *State) Born() uint16 {
	if m.Fusing {
		return 0
	}
	return IsShared | IsKnown
}

// Grow extends the memory by so many words and returns where they begin. Their
// contents are arbitrary.
func (m *State) Grow(words int) int {
	at := len(m.Mem)
	if at+words <= cap(m.Mem) {
		m.Mem = m.Mem[:at+words]
		return at
	}
	if at+words > m.Limits.HeapWords {
		m.Fail(FaultMemory, fmt.Sprintf("the program's memory exceeds %d MiB", m.Limits.HeapWords>>17))
		if words > overshoot {
			words = 0
		}
	}
	bigger := make([]uint64, at+words, 2*(at+words)+64)
	copy(bigger, m.Mem)
	m.Mem = bigger
	return at
}

// overshoot is how many words are given beyond the limit, so that only what
// allocates in bulk has to look for the fault at once.
const overshoot = 1 << 16

// AddObject adds an object to the heap and returns its number.
func (m *State) AddObject(o Object) int {
	o.class = o.Info.class
	if n := len(m.Free); n > 0 {
		id := m.Free[n-1]
		m.Free = m.Free[:n-1]
		m.Objs[id] = o
		return int(id)
	}
	m.Objs = append(m.Objs, o)
	return len(m.Objs) - 1
}

// Words returns the n words that p points to.
func (m *State) Words(p uint64, n int) []uint64 {
	i := m.Objs[p>>32].At + Offset(p)
	return m.Mem[i : i+n : i+n]
}

// Touch is called before an object's words change.
func (m *State) Touch(id int) {
	o := &m.Objs[id]
	m.Wrote = m.Wrote || o.Flags&(IsShared|IsKnown) != 0
	if id <= m.img.BaseCount() && o.Flags&IsDirty == 0 {
		o.Flags |= IsDirty
		m.dirty = append(m.dirty, int32(id))
	}
}

// Dirty lists the base objects that may differ from their first contents.
func (m *State) Dirty() []int32 { return m.dirty }

// Write stores values of a type's words and publishes what they refer to.
func (m *State) Write(p uint64, src []uint64, info *TypeInfo) {
	id := ObjectID(p)
	m.Touch(id)
	m.GhostWrites(id)
	m.CheckWrite(p, len(src))
	copy(m.Words(p, len(src)), src)
	if m.Objs[id].Flags&IsShared != 0 && len(info.Refs) > 0 {
		m.PublishWords(src, info)
	}
}

// PublishWords makes everything that the words of a value refer to shared.
func (m *State) PublishWords(words []uint64, info *TypeInfo) {
	for _, r := range info.Refs {
		if ref := m.Reference(words, int(r), info.Layout[r]); ref != 0 {
			m.Publish(ref)
		}
	}
}

// Reference returns the object that word i of words, of the given kind, refers to,
// or 0. Interface data has its type word in front.
func (m *State) Reference(words []uint64, i int, kind ir.Kind) uint64 {
	w := words[i]
	switch kind {
	case ir.Pointer:
		return w >> 32
	case ir.Code:
		if w&ir.FuncTag == 0 {
			return w >> 32
		}
	case layout.UnsafeSecond:
		if w&ir.TypeTag == 0 && words[i-1]&ir.TypeTag != 0 {
			return m.dataReference(words[i-1], w)
		}
		fallthrough
	case ir.Unsafe:
		if w&ir.TypeTag == 0 {
			return w >> 32
		}
	case ir.IfaceData:
		return m.dataReference(words[i-1], w)
	}
	return 0
}

// dataReference is the object that interface data w with type word typ refers to.
func (m *State) dataReference(typ, w uint64) uint64 {
	if typ == 0 {
		return 0
	}
	info := m.img.Types[typ&^ir.TypeTag]
	switch info.Type.Size {
	case 0:
		return 0
	case 1:
		return m.Reference([]uint64{w}, 0, info.Layout[0])
	default:
		return w >> 32
	}
}

// Publish marks an object and all it refers to as shared.
func (m *State) Publish(ref uint64) {
	if !m.Tracking || ref == 0 {
		return
	}
	o := &m.Objs[ref]
	if o.Flags&IsShared != 0 {
		return
	}
	o.Flags |= IsShared | IsKnown
	size := o.Info.Type.Size
	if len(o.Info.Refs) == 0 {
		return
	}
	info, at := o.Info, o.At
	for i := range int(o.Count) {
		m.PublishWords(m.Mem[at+i*size:at+(i+1)*size], info)
	}
}

// IfaceValue returns the words of the value in an interface that is not nil.
func (m *State) IfaceValue(iface []uint64) []uint64 {
	t := m.img.Types[iface[0]&^ir.TypeTag].Type
	switch t.Size {
	case 0:
		return nil
	case 1:
		return iface[1:2]
	default:
		return m.Words(iface[1], t.Size)
	}
}

// Dynamic is the type of the value in an interface, by its type word; nil if there
// is none.
func (m *State) Dynamic(word uint64) *ir.Type {
	if word == 0 {
		return nil
	}
	return m.img.Types[word&^ir.TypeTag].Type
}

// References appends the objects that an object refers to.
func (m *State) References(dst []uint32, o *Object) []uint32 {
	size := o.Info.Type.Size
	if len(o.Info.Refs) == 0 {
		return dst
	}
	for at := o.At; at < o.At+o.Words(); at += size {
		w := m.Mem[at : at+size]
		for _, r := range o.Info.Refs {
			if ref := m.Reference(w, int(r), o.Info.Layout[r]); ref != 0 {
				dst = append(dst, uint32(ref))
			}
		}
	}
	return dst
}

// GhostWrites reports a fault if ghost code writes an object that other threads know.
func (m *State) GhostWrites(id int) {
	if m.Ghost && m.Objs[id].Flags&IsKnown != 0 && m.Fusing {
		m.Fail(FaultUnsupported, "a linearization point's condition or operation writes memory")
	}
}

// ofTimer marks the channel of a timer or ticker. It holds one moment that has come, and shows
// neither that nor any room: what is in it is taken back when the timer is stopped, so that nobody
// may rely on it (Go 1.23).
const ofTimer = 1 << 31

// Room is a channel's capacity.
func (o *Object) Room() uint32 { return o.Aux &^ ofTimer >> 1 }

// ShownRoom is what the program's cap returns: the capacity, and 0 for the channel of a timer.
func (o *Object) ShownRoom() uint32 {
	if o.OfTimer() {
		return 0
	}
	return o.Room()
}

// OfTimer reports whether a channel belongs to a timer.
func (o *Object) OfTimer() bool { return o.Aux&ofTimer != 0 }

// MarkTimer marks a channel as a timer's.
func (o *Object) MarkTimer() { o.Aux |= ofTimer }
