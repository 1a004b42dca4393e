// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// class is a set of words of which, by their types, accesses may be to the same one. Classes can be compared.
type class struct {
	sort  classSort
	canon string   // of the struct or map, or of the elements of the channels
	off   int      // of the field
	leaf  string   // the canonical type of the word
	typ   *ir.Type // some type of it, for people and certificates: of the struct, element or map
}

type classSort uint8

const (
	field    classSort = iota // a field of a struct
	element                   // an element or variable
	entries                   // of maps
	channels                  // what is in channels, and whether they are closed
	some                      // a field, element or variable of a type
	anything                  // any word
)

// classes knows the canonical names of types. Of two types between whose pointers Go converts it has one: they have the same fields, or the same elements.
type classes map[*ir.Type]string

// of is the canonical name of a type.
func (c classes) of(t *ir.Type) string {
	text, known := c[t]
	if !known {
		text = c.structure(t)
		c[t] = text
	}
	return text
}

// inside is the name of a type within another one, where declared types are told apart.
func (c classes) inside(t *ir.Type) string {
	if t.Named {
		return fmt.Sprintf("#%d", t.ID)
	}
	return c.of(t)
}

func (c classes) structure(t *ir.Type) string {
	switch t.Class {
	case ir.PointerClass:
		return "*" + c.inside(t.Elem)
	case ir.Slice:
		return "[]" + c.inside(t.Elem)
	case ir.Chan:
		return "chan " + c.inside(t.Elem)
	case ir.Map:
		return "map[" + c.inside(t.Key) + "]" + c.inside(t.Elem)
	case ir.Array:
		return fmt.Sprintf("[%d]%s", t.Len, c.inside(t.Elem))
	case ir.Interface:
		return "interface{" + strings.Join(t.IfaceMethods, ";") + "}"
	case ir.FuncClass:
		return "func"
	case ir.Struct, ir.Record:
		var b strings.Builder
		b.WriteString("struct{")
		for i := range t.Fields {
			f := &t.Fields[i]
			fmt.Fprintf(&b, "%s.%s %s;", f.PkgPath, f.Name, c.inside(f.Type))
		}
		return b.String() + "}"
	}
	return fmt.Sprint("basic ", t.Class)
}

// inner is the class of word i of a value of a struct or array.
func (c classes) inner(t *ir.Type, i int) class {
	array, in := false, (*ir.Type)(nil)
	for at := 0; ; {
		switch t.Class {
		case ir.Struct, ir.Record:
			f := t.FieldAt(i)
			array, in, at = false, t, f.Offset
			t, i = f.Type, i-f.Offset
		case ir.Array:
			array = true
			t, i = t.Elem, i%t.Elem.Size
		default:
			switch leaf := c.of(t); {
			case array && in != nil:
				return class{sort: some, leaf: leaf, typ: t}
			case in == nil:
				return class{sort: element, canon: leaf, leaf: leaf, typ: t}
			default:
				return class{sort: field, canon: c.of(in), off: at, leaf: leaf, typ: in}
			}
		}
	}
}

// start is the hint of a pointer to a struct: to its word 0, if that is one of its own fields.
func (c classes) start(t *ir.Type) hint {
	if t.Class == ir.Struct && t.Size > 0 {
		if w := c.inner(t, 0); w.sort == field && w.typ == t {
			return hint{sort: isField, typ: t}
		}
	}
	return hint{}
}

// accessed are the classes of the words of an access to a value of a type, by what is known of its address.
func (c classes) accessed(t *ir.Type, h hint) (list []class) {
	switch {
	case t.Class == ir.Struct || t.Class == ir.Record || t.Class == ir.Array:
		for i := range t.Size {
			list = append(list, c.inner(t, i))
		}
		return list
	case h.sort == isField:
		return []class{{sort: field, canon: c.of(h.typ), off: h.n, leaf: c.of(t), typ: h.typ}}
	case h.sort == isElem:
		return []class{{sort: element, canon: c.of(t), leaf: c.of(t), typ: t}}
	}
	return []class{{sort: some, leaf: c.of(t), typ: t}}
}

// atomically is the class of a word that is accessed atomically: its address may be that of a struct of package sync/atomic, which begins with the word.
func (c classes) atomically(h hint) class {
	switch h.sort {
	case isField:
		return c.inner(h.typ, h.n)
	case isElem:
		return class{sort: element, canon: c.of(h.typ), leaf: c.of(h.typ), typ: h.typ}
	}
	return class{sort: anything}
}

// entriesOf is the class of the entries of maps of a type.
func (c classes) entriesOf(t *ir.Type) class {
	return class{sort: entries, canon: c.of(t), typ: t}
}

// channelsOf is the class of channels with elements of a type.
func (c classes) channelsOf(elem *ir.Type) class {
	return class{sort: channels, canon: c.of(elem), typ: elem}
}

// key is a class without what is for people.
func (c class) key() class {
	c.typ = nil
	return c
}

// canonical is the canonical type of the struct, or of the word, where it has none.
func (c class) canonical() string {
	if c.sort == field {
		return c.canon
	}
	return c.leaf
}

// conflicts reports whether words of both may be one.
func (c class) conflicts(d class) bool {
	c, d = c.key(), d.key()
	switch {
	case c == d:
		return true
	case c.sort == channels || d.sort == channels:
		return false // they have no addresses
	case c.sort == anything || d.sort == anything:
		return true
	case c.sort == some || d.sort == some:
		return c.sort != entries && d.sort != entries && c.leaf == d.leaf
	}
	return false
}

// texts are the words of the class as certificates have them.
func (c class) texts() (list []string) {
	switch c.sort {
	case field:
		for i := range c.typ.FieldAt(c.off).Type.Size {
			list = append(list, fmt.Sprintf("is %d+%d", c.typ.ID, c.off+i))
		}
	case element:
		list = append(list, fmt.Sprintf("elem %d", c.typ.ID))
	case entries:
		list = append(list, fmt.Sprintf("map %d", c.typ.ID))
	case channels:
		list = append(list, fmt.Sprintf("chan %d", c.typ.ID))
	}
	return list
}

// channelOf begins what a class of channels is called in messages.
const channelOf = "a channel of "

// people is the class in messages: "Registry.names", "an element of type int".
func (c class) people() string {
	switch c.sort {
	case field:
		_, name, found := strings.Cut(c.typ.Name, ".")
		if !found {
			name = c.typ.Name
		}
		return name + c.typ.FieldPath(c.off)
	case entries:
		return "a " + c.typ.Name
	case channels:
		return channelOf + c.typ.Name
	case anything:
		return "memory"
	}
	return "a variable or element of type " + c.typ.Name
}

// guards reports whether a value of a type contains a lock or another object of package sync, or an atomic.Value, whose words others access.
func guards(t *ir.Type) bool {
	switch t.Class {
	case ir.Array:
		return guards(t.Elem)
	case ir.Struct:
		if t.PkgPath == "sync" || t.PkgPath == "internal/sync" || t.Name == "sync/atomic.Value" || t.Name == "atomic.Value" {
			return true
		}
		for i := range t.Fields {
			if guards(t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}
