// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"fmt"
	"strconv"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/layout"
)

// Location is a piece of memory as people think of it: an object, and a path inside. All
// names of memory are made of it. There are two styles: with the object's number, for
// those who follow one execution, and without, for texts that must not depend on how a
// state was reached.
type Location struct {
	Object  int      // number of the object in this state
	Channel bool     // the object is a channel, and Type the type of its elements
	Global  string   // the package variable that the object is, with the package's path; "": none
	Type    *ir.Type // type of the variable, or of the object's elements
	Element int      // index of the element; -1 if the object is one element or a variable
	Path    string   // path of fields and elements inside, ".next", "[2].key"; "": all of it
	Leaf    *ir.Type // the innermost type at that place, see ir.Type.LeafAt
}

// Location finds what p points to. The object must exist.
func (m *State) Location(p uint64) Location {
	l := Location{Object: ObjectID(p), Element: -1}
	o, off := &m.Objs[l.Object], Offset(p)
	l.Type, l.Channel = o.Info.Type, o.Flags&IsChan != 0
	if l.Object <= len(m.img.Prog.Globals) {
		g := m.img.Prog.Globals[l.Object-1]
		l.Global, l.Type = g.Name, g.Type
	} else if o.Count > 1 && l.Type.Size > 0 {
		l.Element = off / l.Type.Size
		off %= l.Type.Size
	}
	l.Path = l.Type.FieldPath(off)
	l.Leaf, _ = l.Type.LeafAt(off)
	return l
}

// Name names the object: "node#3", or a variable without its package.
func (l *Location) Name() string {
	if l.Global != "" {
		return l.Global[strings.LastIndexByte(l.Global, '.')+1:]
	}
	name := shortType(l.Type) + "#" + strconv.Itoa(l.Object)
	if l.Channel { // the channel itself, not an element
		return "chan " + name
	}
	return name
}

// Inside is the path within the object: "[2].next".
func (l *Location) Inside() string {
	if l.Element < 0 {
		return l.Path
	}
	return fmt.Sprintf("[%d]%s", l.Element, l.Path)
}

// String names the memory by the object's number: "node#3.next".
func (l *Location) String() string { return l.Name() + l.Inside() }

// Anonymous names the memory without a number: a package variable and what is inside it,
// "main.bank.accounts[3].mu", or a field of a named type, "the mu of a main.Account". It is
// empty for memory that has no such name.
func (l *Location) Anonymous() string {
	path := strings.TrimPrefix(l.Path, ".")
	switch t := l.Type; {
	case l.Global != "":
		return l.Global[strings.LastIndexByte(l.Global, '/')+1:] + l.Path
	case !t.Named || t.Class != ir.Struct || t.Size == 0:
		return ""
	case path == "" && strings.HasPrefix(t.PkgPath, "sync"):
		return ""
	case path == "":
		return "a " + t.Name
	default:
		return fmt.Sprintf("the %s of a %s", path, t.Name)
	}
}

// shortType is a type's name without its package and type arguments.
func shortType(t *ir.Type) string {
	name, _, _ := strings.Cut(t.Name, "[")
	if name == "" {
		name = t.Name
	}
	return name[strings.LastIndex(name, ".")+1:]
}

// ScalarAt is the type of the word off of a value: inside a type such as atomic.Int64, that
// of its word.
func ScalarAt(t *ir.Type, off int) *ir.Type {
	for {
		f := t.FieldAt(off)
		switch {
		case t.Class == ir.Struct && f != nil:
			t, off = f.Type, off-f.Offset
		case t.Class == ir.Array && t.Elem.Size > 0:
			t, off = t.Elem, off%t.Elem.Size
		default:
			return t
		}
	}
}

// Value is a value as people read it.
type Value struct {
	// Text is the value as Go writes it; a reference as the name of what it refers to.
	Text string
	// To is what a reference refers to; nil if the value is no reference, or nil.
	To *Location
}

// ValueOf reads a word of a kind and type (nil: not known), and the words around it: words
// is what holds it, at place i.
func (m *State) ValueOf(words []uint64, i int, kind ir.Kind, t *ir.Type) Value {
	w := words[i]
	if kind == ir.Scalar && w == OpenCap {
		return Value{Text: "open"} // a capacity that the language leaves open and that nobody has asked for
	}
	switch kind {
	case ir.Pointer, ir.Unsafe, layout.UnsafeSecond:
		if w == 0 {
			return Value{Text: "nil"}
		}
		if w&ir.TypeTag == 0 && m.refers(w) {
			return m.refersTo(w)
		}
	case ir.String:
		return Value{Text: strconv.Quote(m.Text(w))}
	case ir.Code:
		if w == 0 {
			return Value{Text: "nil"}
		}
		v := Value{Text: "func"}
		if w&ir.FuncTag == 0 && m.refers(w) {
			to := m.Location(w)
			v.To = &to
		}
		return v
	case ir.IfaceType:
		if i+1 < len(words) {
			return m.ifaceOf(words[i : i+2])
		}
	}
	if t != nil && t.Size == 1 {
		if text, ok := format.Basic(Printed{State: m}, t, w); ok {
			return Value{Text: text}
		}
	}
	return Value{Text: strconv.FormatInt(int64(w), 10)}
}

// refers reports whether the word of a pointer is one. It may be a number: if two unsafe pointers
// were laid over an interface.
func (m *State) refers(w uint64) bool {
	id := ObjectID(w)
	return id > 0 && id < len(m.Objs) && m.Objs[id].Info != nil
}

// refersTo is the value of a pointer: the object if it points to its start.
func (m *State) refersTo(p uint64) Value {
	to := m.Location(p)
	if Offset(p) == 0 {
		return Value{Text: to.Name(), To: &to}
	}
	return Value{Text: "&" + to.String(), To: &to}
}

// ifaceOf is the value that an interface holds.
func (m *State) ifaceOf(w []uint64) Value {
	if w[0] == 0 {
		return Value{Text: "nil"}
	}
	t := m.img.Types[w[0]&^ir.TypeTag].Type
	if t.Size == 1 {
		return m.ValueOf(w, 1, t.Layout()[0], t)
	}
	return Value{Text: shortType(t) + "{…}"}
}

// ValueText prints the n words at p.
func (m *State) ValueText(p uint64, n int) string {
	words := m.Words(p, n)
	if n == 1 {
		return m.WordText(p, words[0])
	}
	if at := m.Location(p); at.Leaf.Size == n && at.Leaf.Class == ir.Interface {
		return m.ifaceOf(words).Text
	}
	parts := make([]string, n)
	for i := range n {
		parts[i] = m.WordText(p+uint64(i), words[i])
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// WordText prints a word as one that stands at p.
func (m *State) WordText(p, w uint64) string {
	info := m.Objs[p>>32].Info
	off := Offset(p) % max(1, info.Type.Size)
	return m.ValueOf([]uint64{w}, 0, info.Layout[off], ScalarAt(info.Type, off)).Text
}

// MemoryName names the memory that p points to, if it has a name that does not depend on
// how the state was reached; a channel has none.
func (m *State) MemoryName(p uint64) string {
	id := ObjectID(p)
	if id <= 0 || id >= len(m.Objs) || id > len(m.img.Prog.Globals) && m.Objs[id].Flags&IsChan != 0 {
		return ""
	}
	at := m.Location(p)
	return at.Anonymous()
}
