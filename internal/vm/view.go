// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// View is a state as people, pictures and analyses see it: objects with their fields and
// what these hold, locks with their owners, and what each thread's registers refer to. It
// is a copy: it does not change when the machine goes on.
type View struct {
	// Objects are those that the program can reach: from package variables that differ
	// from their first values, from what an engine keeps, and from threads, in the order
	// in which they are met.
	Objects []ObjectView
	Threads []ThreadView
}

// ObjectView is one object.
type ObjectView struct {
	state.Location
	Shared bool        // several threads may reach it
	Kind   ObjectKind  //
	Room   int         // of a channel: its capacity
	Closed bool        // of a channel
	Fields []FieldView // the words that hold something, in order
}

// ObjectKind says what an object is.
type ObjectKind uint8

const (
	PlainObject   ObjectKind = iota // a variable, a struct, an array, what a slice points to
	MapObject                       // its fields are its entries
	ChannelObject                   // its fields are what is buffered
	ClosureObject                   // its fields are the function and its free variables
)

// FieldView is a word, or an interface value, of an object.
type FieldView struct {
	Path    string   // within the object, ".next", "[2].key"; of a map "[key]"
	Type    *ir.Type // of what stands there
	Purpose ir.Purpose
	Value   state.Value
	// Owners are the threads that hold the lock that stands here. They are known only where
	// the machine follows who holds what (Options.Guards, Options.Frozen).
	Owners []int
}

// ThreadView is one thread.
type ThreadView struct {
	Name   string // see Goroutine
	Idle   bool
	Can    bool // it can go on
	Frames []FrameView
	Holds  []Held // locks, see FieldView.Owners
}

// Held is a lock that a thread holds.
type Held struct {
	state.Location
	Reading bool // for reading, beside others
}

// FrameView is a call in progress, innermost first.
type FrameView struct {
	Function  string
	At        string // "file.go:12"
	Variables []Variable
}

// Variable is a register whose value matters from here on.
type Variable struct {
	Name  string // in the source; "" if that is not known
	Type  *ir.Type
	Value state.Value
}

// View describes the current state.
func (m *Machine) View() *View {
	v := &viewer{m: m, seen: map[int]bool{}, view: &View{}}
	for id := 1; id <= m.img.BaseCount(); id++ {
		if m.Objs[id].Flags&state.IsDirty != 0 && !m.Pristine(id) {
			v.meet(id)
		}
	}
	for _, p := range m.Kept {
		v.meet(state.ObjectID(p))
	}
	for i := range m.Thread {
		v.view.Threads = append(v.view.Threads, v.thread(i))
	}
	for i := 0; i < len(v.order); i++ {
		v.view.Objects = append(v.view.Objects, v.object(v.order[i]))
	}
	return v.view
}

// viewer makes a view.
type viewer struct {
	m     *Machine
	view  *View
	seen  map[int]bool
	order []int // objects, as they are met
}

// meet notes an object, to be described.
func (v *viewer) meet(id int) {
	if id > 0 && !v.seen[id] {
		v.seen[id] = true
		v.order = append(v.order, id)
	}
}

// value reads a word, and meets what it refers to.
func (v *viewer) value(words []uint64, i int, kind ir.Kind, t *ir.Type) state.Value {
	v.meet(int(v.m.Reference(words, i, v.referring(words, i, kind))))
	return v.m.ValueOf(words, i, kind, t)
}

// referring is the kind of a word as far as references go: an interface's value stands
// behind its type.
func (v *viewer) referring(words []uint64, i int, kind ir.Kind) ir.Kind {
	if kind == ir.IfaceType && i+1 < len(words) {
		v.meet(int(v.m.Reference(words, i+1, ir.IfaceData)))
	}
	return kind
}

// object describes one object.
func (v *viewer) object(id int) ObjectView {
	m := v.m
	o := &m.Objs[id]
	x := ObjectView{Location: m.Location(state.Pointer(id, 0)), Shared: o.Flags&state.IsShared != 0}
	x.Path, x.Leaf, x.Element = "", x.Type, -1
	switch t := o.Info.Type; {
	case o.Flags&state.IsChan != 0:
		x.Kind, x.Room, x.Closed = ChannelObject, int(o.ShownRoom()), o.Aux&1 != 0
	case o.Info.Unordered != nil:
		x.Kind = MapObject
	case t.Class == ir.Record && len(o.Info.Layout) > 0 && o.Info.Layout[0] == ir.Code:
		x.Kind = ClosureObject
	}
	size := o.Info.Type.Size
	for e := range int(o.Count) {
		words := m.Mem[o.At+e*size : o.At+(e+1)*size]
		x.Fields = append(x.Fields, v.element(&x, e, words)...)
	}
	return x
}

// element describes the words of one element.
func (v *viewer) element(x *ObjectView, e int, words []uint64) []FieldView {
	m, t := v.m, v.m.Objs[x.Object].Info.Type
	if x.Kind == MapObject {
		return v.entry(t, words)
	}
	var list []FieldView
	for i := 0; i < len(words); i++ {
		kind := m.Objs[x.Object].Info.Layout[i]
		p := state.Pointer(x.Object, e*len(words)+i)
		at := m.Location(p)
		f := FieldView{Path: at.Inside(), Type: at.Leaf, Purpose: m.img.purposes().Of(t, i)}
		f.Value = v.value(words, i, kind, state.ScalarAt(t, i))
		f.Owners = m.owners(p)
		// The words of a lock and the like are one thing; so is an interface value.
		n := 1
		if at.Leaf.Opaque() || kind == ir.IfaceType {
			_, off := t.LeafAt(i)
			n = at.Leaf.Size - off
		}
		list = append(list, f)
		for k := 1; k < n; k++ {
			v.value(words, i+k, m.Objs[x.Object].Info.Layout[i+k], nil)
		}
		i += n - 1
	}
	return list
}

// entry describes an entry of a map.
func (v *viewer) entry(t *ir.Type, words []uint64) []FieldView {
	key, elem := t.Fields[0], t.Fields[1]
	name := v.composite(words[:elem.Offset], key.Type)
	return []FieldView{{Path: "[" + name.Text + "]", Type: elem.Type, Value: v.composite(words[elem.Offset:], elem.Type)}}
}

// composite is a value of any number of words as one.
func (v *viewer) composite(words []uint64, t *ir.Type) state.Value {
	layout := t.Layout()
	if len(words) == 1 || len(layout) == ir.IfaceWords && layout[0] == ir.IfaceType {
		return v.value(words, 0, layout[0], state.ScalarAt(t, 0))
	}
	text := "{"
	for i := range layout {
		if layout[i] == ir.IfaceData {
			continue
		}
		if len(text) > 1 {
			text += " "
		}
		text += v.value(words, i, layout[i], state.ScalarAt(t, i)).Text
	}
	return state.Value{Text: text + "}"}
}

// owners are the threads that hold a lock, be it for reading.
func (m *Machine) owners(p uint64) []int {
	var list []int
	for i, t := range m.Thread {
		if t.Holds(p, false) {
			list = append(list, i)
		}
	}
	return list
}

// thread describes one thread.
func (v *viewer) thread(i int) ThreadView {
	m, t := v.m, v.m.Thread[i]
	x := ThreadView{Name: m.Goroutine(i), Idle: t.Idle(), Can: m.Enabled(i)}
	for k := len(t.Frames) - 1; k >= 0; k-- {
		x.Frames = append(x.Frames, v.frame(t, k))
	}
	for _, p := range t.Held {
		v.meet(state.ObjectID(p)) // although the thread may have no other way to it
		if p&state.WordHold != 0 {
			continue
		}
		x.Holds = append(x.Holds, Held{m.Location(p &^ state.ReadHold), p&state.ReadHold != 0})
	}
	return x
}

// frame describes one call: the registers that are part of the state, no others, for
// those may hold anything.
func (v *viewer) frame(t *state.Thread, k int) FrameView {
	m, f := v.m, &t.Frames[k]
	x := FrameView{Function: f.Code.Func.Short, At: m.img.Prog.Position(f.Code.PositionNear(int(f.PC)))}
	regs := t.Regs[f.Base:]
	for _, l := range m.LiveIn(f, k == len(t.Frames)-1) {
		if l.Kind == ir.IfaceData {
			continue // shown with its type
		}
		name, off := f.Code.Func.NameOf(ir.Reg(l.Reg))
		variable := Variable{}
		var scalar *ir.Type
		if name != nil {
			variable.Name, variable.Type = name.Name+name.Type.FieldPath(off), name.Type
			if name.Type.Class == ir.Slice && off > 0 {
				variable.Name = fmt.Sprintf("%s(%s)", [...]string{"", "len", "cap"}[off], name.Name)
			}
			scalar = state.ScalarAt(name.Type, off)
		}
		variable.Value = v.value(regs, int(l.Reg), l.Kind, scalar)
		x.Variables = append(x.Variables, variable)
	}
	return x
}
