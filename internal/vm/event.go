package vm

import (
	"fmt"
	"strconv"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/layout"
)

// Event is an access of a thread to memory that others can reach, or a call that
// synchronises, with what people want to know of it. Values are written as Go writes
// them, objects by type and number.
type Event struct {
	Op       ir.Op
	Function string // of OpCall: the built-in function, "Lock"
	Object   string // "node#3", or the name of a global; "" if none is accessed
	Type     string // the object's
	Field    string // path within the object, ".next"
	Old, New string // what stands there before and after; New is empty if nothing is written
	// Of OpAtomicCAS: what is expected, what is to take its place, and whether it did.
	Expected, Proposed string
	Done               bool
	Place              // in the user's frame
	Stack              []Frame

	after func() string // gives New
}

// Upcoming describes the access that thread i is about to make; nil if its next
// instruction is none. Finish completes it when the instruction has been executed.
func (m *Machine) Upcoming(i int) *Event {
	t := m.threads[i]
	if t.idle() {
		return nil
	}
	e := m.describe(t)
	if e == nil {
		return nil
	}
	f := m.userFrame(t)
	if f == nil {
		f = t.top()
	}
	e.Place, e.Stack = m.placeIn(f), m.calls(t)
	return e
}

// Finish adds the value that an access has written.
func (e *Event) Finish() {
	if e.after != nil {
		e.New = e.after()
	}
}

// describe returns what is known of the access that a thread stands at before it is made.
func (m *Machine) describe(t *thread) *Event {
	in := t.instr()
	regs, consts := t.registers(), m.img.Prog.Consts
	switch in.Op {
	case ir.OpLoad, ir.OpAtomicLoad, ir.OpStore, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS,
		ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		p := value(regs, consts, in.A)
		if p == 0 || !m.shared(p) || in.Op == ir.OpLoad && in.T.Size == 0 || in.Op == ir.OpStore && in.T.Size == 0 {
			return nil
		}
		return m.describeAccess(t, in, p)
	case ir.OpMapGet, ir.OpMapSet, ir.OpMapDel, ir.OpMapClear, ir.OpMapLen:
		p := value(regs, consts, in.A)
		if p == 0 || !m.shared(p) {
			return nil
		}
		id := objectID(p)
		return &Event{Op: in.Op, Object: m.objectName(id), Type: m.objs[id].info.typ.Name}
	case ir.OpSend, ir.OpRecv, ir.OpSelect, ir.OpClose:
		return &Event{Op: in.Op}
	case ir.OpCall:
		return m.describeCall(t)
	}
	return nil
}

func (m *Machine) describeCall(t *thread) *Event {
	c := m.builtinAt(t)
	if c == nil || c.b == nil || c.b.visible == never {
		return nil
	}
	e := &Event{Op: ir.OpCall, Function: c.fn.Name[strings.LastIndex(c.fn.Name, ".")+1:]}
	if len(c.args) == 0 || c.b.visible != ifShared {
		return e
	}
	if !m.shared(c.args[0]) {
		return nil
	}
	m.nameMemory(e, c.args[0])
	return e
}

// nameMemory names the memory that an event accesses.
func (m *Machine) nameMemory(e *Event, p uint64) {
	id := objectID(p)
	e.Object, e.Type, e.Field = m.objectName(id), m.objs[id].info.typ.Name, m.pathIn(p)
}

// describeAccess describes an access to p.
func (m *Machine) describeAccess(t *thread, in *ir.Instr, p uint64) *Event {
	n := 1
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	e := &Event{Op: in.Op, Old: m.valueText(p, n)}
	m.nameMemory(e, p)
	if in.Op == ir.OpLoad || in.Op == ir.OpAtomicLoad {
		return e
	}
	e.after = func() string { return m.valueText(p, n) }
	if in.Op == ir.OpAtomicCAS {
		regs, consts := t.registers(), m.img.Prog.Consts
		want := value(regs, consts, in.B)
		e.Expected, e.Proposed = m.wordText(p, want), m.wordText(p, value(regs, consts, in.C))
		e.Done = want == m.at(p, 1)[0]
	}
	return e
}

// objectName names an object by its type and number, or a global by its name.
func (m *Machine) objectName(id int) string {
	if id <= len(m.img.Prog.Globals) {
		name := m.img.Prog.Globals[id-1].Name
		return name[strings.LastIndex(name, ".")+1:]
	}
	return shortType(m.objs[id].info.typ) + "#" + strconv.Itoa(id)
}

// shortType is a type's name without its package and type arguments.
func shortType(t *ir.Type) string {
	name, _, _ := strings.Cut(t.Name, "[")
	if name == "" {
		name = t.Name
	}
	return name[strings.LastIndex(name, ".")+1:]
}

// placeName names the memory at p: "node#3.next".
func (m *Machine) placeName(p uint64) string { return m.objectName(objectID(p)) + m.pathIn(p) }

// pathIn is the path of elements and fields to p within its object: "[2].next".
func (m *Machine) pathIn(p uint64) string {
	o := &m.objs[objectID(p)]
	t, off, element := o.info.typ, offset(p), ""
	if o.count > 1 && t.Size > 0 {
		element = fmt.Sprintf("[%d]", off/t.Size)
		off %= t.Size
	}
	path, _ := fieldPath(t, off)
	return element + path
}

// fieldPath names the word off of a value of type t, and gives the type of what
// stands there. The single word inside a type such as atomic.Int64 has no name of
// its own.
func fieldPath(t *ir.Type, off int) (string, *ir.Type) {
	switch t.Class {
	case ir.Struct:
		for _, f := range t.Fields {
			if off >= f.Offset && off < f.Offset+f.Type.Size {
				path, leaf := fieldPath(f.Type, off-f.Offset)
				if strings.HasPrefix(t.Name, "atomic.") || strings.HasPrefix(t.Name, "sync.") {
					return "", leaf
				}
				return "." + f.Name + path, leaf
			}
		}
	case ir.Array:
		path, leaf := fieldPath(t.Elem, off%t.Elem.Size)
		return fmt.Sprintf("[%d]", off/t.Elem.Size) + path, leaf
	}
	return "", t
}

// valueText prints the n words at p.
func (m *Machine) valueText(p uint64, n int) string {
	if n > 1 {
		o := &m.objs[p>>32]
		if _, leaf := fieldPath(o.info.typ, offset(p)%max(1, o.info.typ.Size)); leaf.Size == n && leaf.Class == ir.Interface {
			return m.ifaceText(m.at(p, 2))
		}
		parts := make([]string, n)
		for i := range n {
			parts[i] = m.valueText(p+uint64(i), 1)
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return m.wordText(p, m.at(p, 1)[0])
}

// wordText prints a word as one that stands at p.
func (m *Machine) wordText(p, w uint64) string {
	o := &m.objs[p>>32]
	off := offset(p) % max(1, o.info.typ.Size)
	_, leaf := fieldPath(o.info.typ, off)
	switch o.info.layout[off] {
	case ir.Pointer, ir.Unsafe, layout.UnsafeSecond:
		if w == 0 {
			return "nil"
		}
		if w&ir.TypeTag == 0 {
			return m.placeOf(w)
		}
	case ir.String:
		return strconv.Quote(m.Text(w))
	case ir.Code:
		if w == 0 {
			return "nil"
		}
		return "func"
	}
	if text, ok := format.Basic(printed{m}, leaf, w); ok && leaf.Size == 1 {
		return text
	}
	return strconv.FormatInt(int64(w), 10)
}

// placeOf names what a pointer points to: the object if it points to its start. What
// stands where a pointer may stand and is none, an integer behind an unsafe.Pointer, is a
// number.
func (m *Machine) placeOf(p uint64) string {
	switch id := objectID(p); {
	case p == 0:
		return "nil"
	case id <= 0 || id >= len(m.objs) || m.objs[id].info == nil:
		return strconv.FormatInt(int64(p), 10)
	}
	if offset(p) == 0 {
		return m.objectName(objectID(p))
	}
	return "&" + m.placeName(p)
}

func (m *Machine) ifaceText(w []uint64) string {
	if w[0] == 0 {
		return "nil"
	}
	t := m.img.types[w[0]&^ir.TypeTag].typ
	if t.Size == 1 && t.Class == ir.PointerClass {
		return m.placeOf(w[1])
	}
	if t.Size == 1 {
		if text, ok := format.Basic(printed{m}, t, w[1]); ok {
			return text
		}
	}
	return shortType(t) + "{…}"
}
