package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
)

// object is a piece of memory: count elements of one type. A map is an object
// whose elements are its entries, a channel one whose elements are what it
// buffers.
type object struct {
	at    int // where its words begin in Machine.mem
	count int32
	aux   uint32 // of a channel: capacity<<1 | closed; of a map: elements there is room for, 0 for count
	info  *typeInfo
	class int32 // the first of its classes, see frozen.go
	flags uint8
}

const (
	isShared uint8 = 1 << iota // another thread than the one that made it may reach it
	isDirty                    // a base object that may differ from its first contents
	isMarked                   // seen by the collector
	isChan                     // a channel
	isKnown                    // has been shared at some time, see frozen.go
)

func (o *object) words() int { return int(o.count) * o.info.typ.Size }

func pointer(id int, off int) uint64 { return uint64(id)<<32 | uint64(uint32(off)) }

func objectID(p uint64) int { return int(p >> 32) }

func offset(p uint64) int { return int(uint32(p)) }

// alloc makes count zeroed elements of type t and returns the object's number.
func (m *Machine) alloc(t *ir.Type, count int) int {
	if n, k := t.Flatten(); k > 1 || n != t {
		t, count = n, count*k
	}
	info := m.img.types[t.ID]
	words := count * t.Size
	at := m.grow(words)
	clear(m.mem[at:])
	return m.addObject(object{at: at, count: int32(count), info: info, flags: m.born()})
}

// allocRaw makes count elements of type t, which is no array, with arbitrary contents.
func (m *Machine) allocRaw(t *ir.Type, count int) int {
	return m.addObject(object{at: m.grow(count * t.Size), count: int32(count), info: m.img.types[t.ID], flags: m.born()})
}

// born gives a new object's flags: without fusing, it counts as shared at once.
func (m *Machine) born() uint8 {
	if m.fusing {
		return 0
	}
	return isShared | isKnown
}

// grow extends the memory by so many words and returns where they begin. Their
// contents are arbitrary.
func (m *Machine) grow(words int) int {
	at := len(m.mem)
	if at+words <= cap(m.mem) {
		m.mem = m.mem[:at+words]
		return at
	}
	if at+words > m.limits.heapWords {
		m.fail(FaultMemory, fmt.Sprintf("the program's memory exceeds %d MiB", m.limits.heapWords>>17))
		if words > overshoot {
			words = 0
		}
	}
	bigger := make([]uint64, at+words, 2*(at+words)+64)
	copy(bigger, m.mem)
	m.mem = bigger
	return at
}

// overshoot is how many words are given beyond the limit, so that only what
// allocates in bulk has to look for the fault at once.
const overshoot = 1 << 16

func (m *Machine) addObject(o object) int {
	o.class = o.info.class
	if n := len(m.free); n > 0 {
		id := m.free[n-1]
		m.free = m.free[:n-1]
		m.objs[id] = o
		return int(id)
	}
	m.objs = append(m.objs, o)
	return len(m.objs) - 1
}

// at returns the n words that p points to.
func (m *Machine) at(p uint64, n int) []uint64 {
	i := m.objs[p>>32].at + offset(p)
	return m.mem[i : i+n : i+n]
}

// touch is called before an object's words change.
func (m *Machine) touch(id int) {
	if id <= m.img.baseCount() && m.objs[id].flags&isDirty == 0 {
		m.objs[id].flags |= isDirty
		m.dirty = append(m.dirty, int32(id))
	}
}

// write stores values of a type's words and publishes what they refer to.
func (m *Machine) write(p uint64, src []uint64, info *typeInfo) {
	id := objectID(p)
	m.touch(id)
	m.checkWrite(p, len(src))
	copy(m.at(p, len(src)), src)
	if m.objs[id].flags&isShared != 0 && len(info.refs) > 0 {
		m.publishWords(src, info)
	}
}

// publishWords makes everything that the words of a value refer to shared.
func (m *Machine) publishWords(words []uint64, info *typeInfo) {
	for _, r := range info.refs {
		if ref := m.reference(words, int(r), info.layout[r]); ref != 0 {
			m.publish(ref)
		}
	}
}

// reference returns the object that word i of words, of the given kind, refers to,
// or 0. Interface data has its type word in front.
func (m *Machine) reference(words []uint64, i int, kind ir.Kind) uint64 {
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
func (m *Machine) dataReference(typ, w uint64) uint64 {
	if typ == 0 {
		return 0
	}
	info := m.img.types[typ&^ir.TypeTag]
	switch info.typ.Size {
	case 0:
		return 0
	case 1:
		return m.reference([]uint64{w}, 0, info.layout[0])
	default:
		return w >> 32
	}
}

// publish marks an object and all it refers to as shared.
func (m *Machine) publish(ref uint64) {
	if !m.tracking || ref == 0 {
		return
	}
	o := &m.objs[ref]
	if o.flags&isShared != 0 {
		return
	}
	o.flags |= isShared | isKnown
	size := o.info.typ.Size
	if len(o.info.refs) == 0 {
		return
	}
	info, at := o.info, o.at
	for i := range int(o.count) {
		m.publishWords(m.mem[at+i*size:at+(i+1)*size], info)
	}
}
