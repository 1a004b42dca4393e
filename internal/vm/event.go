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
// synchronises, for people to read.
type Event struct {
	Function string // where it happens
	File     string
	Line     int
	What     string // "read head.next = node#3", "lock mu", …

	complete func() string
}

// Upcoming describes the access that thread i is about to make; nil if its next
// instruction is none. Finish completes it when the instruction has been executed.
func (m *Machine) Upcoming(i int) *Event {
	t := m.threads[i]
	if t.idle() {
		return nil
	}
	complete := m.describe(t)
	if complete == nil {
		return nil
	}
	f := m.userFrame(t)
	pos := f.code.positionNear(int(f.pc))
	e := &Event{Function: f.code.fn.Short, Line: int(pos.Line), complete: complete}
	if int(pos.File) < len(m.img.Prog.Files) {
		e.File = m.img.Prog.Files[pos.File]
	}
	return e
}

// Finish adds the values that an access has read or written.
func (e *Event) Finish() { e.What = e.complete() }

// userFrame is the innermost call outside the models of the standard library.
func (m *Machine) userFrame(t *thread) *frame {
	for i := len(t.frames) - 1; i >= 0; i-- {
		if f := &t.frames[i]; f.code.target == nil && !f.code.fn.Model {
			return f
		}
	}
	return t.top()
}

// describe returns what prints the access that a thread stands at, once it is done.
func (m *Machine) describe(t *thread) func() string {
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
		return fixed(strings.TrimPrefix(in.Op.String(), "map") + " of " + m.objectName(objectID(p)))
	case ir.OpSend, ir.OpRecv, ir.OpSelect, ir.OpClose:
		return fixed(in.Op.String())
	case ir.OpCall:
		return m.describeCall(t)
	}
	return nil
}

func fixed(s string) func() string { return func() string { return s } }

func (m *Machine) describeCall(t *thread) func() string {
	c := m.builtinAt(t)
	if c == nil || c.b == nil || c.b.visible == never {
		return nil
	}
	name := c.fn.Name[strings.LastIndex(c.fn.Name, ".")+1:]
	if len(c.args) == 0 || c.b.visible != ifShared {
		return fixed(name)
	}
	if !m.shared(c.args[0]) {
		return nil
	}
	return fixed(name + " " + m.placeName(c.args[0]))
}

// describeAccess prints an access to p when it is done.
func (m *Machine) describeAccess(t *thread, in *ir.Instr, p uint64) func() string {
	n := 1
	if in.Op == ir.OpLoad || in.Op == ir.OpStore {
		n = in.T.Size
	}
	place := m.placeName(p)
	before := m.valueText(p, n)
	consts := m.img.Prog.Consts
	regs := append([]uint64(nil), t.registers()...)
	return func() string {
		after := m.valueText(p, n)
		switch in.Op {
		case ir.OpLoad, ir.OpAtomicLoad:
			return fmt.Sprintf("read %s = %s", place, before)
		case ir.OpStore, ir.OpAtomicStore:
			return fmt.Sprintf("write %s = %s (was %s)", place, after, before)
		case ir.OpAtomicSwap:
			return fmt.Sprintf("swap %s = %s (was %s)", place, after, before)
		case ir.OpAtomicCAS:
			want := m.wordText(p, value(regs, consts, in.B))
			put := m.wordText(p, value(regs, consts, in.C))
			if want == before {
				return fmt.Sprintf("compare-and-swap %s from %s to %s: done", place, want, put)
			}
			return fmt.Sprintf("compare-and-swap %s from %s to %s: fails, it is %s", place, want, put, before)
		}
		return fmt.Sprintf("%s %s: %s becomes %s", strings.TrimPrefix(in.Op.String(), "atomic"), place, before, after)
	}
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
func (m *Machine) placeName(p uint64) string {
	id := objectID(p)
	o := &m.objs[id]
	name, t, off := m.objectName(id), o.info.typ, offset(p)
	if o.count > 1 && t.Size > 0 {
		name += fmt.Sprintf("[%d]", off/t.Size)
		off %= t.Size
	}
	path, _ := fieldPath(t, off)
	return name + path
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

// placeOf names what a pointer points to: the object if it points to its start.
func (m *Machine) placeOf(p uint64) string {
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
