// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// types puts the types of a program into groups, and words of memory into classes. Two types are of one group if Go lets one convert a pointer to one into a pointer to the
// other: what they are declared as is the same, but for names of the types themselves and tags. A group may be larger, never smaller: what is said of a larger one is said of
// more words. So all types of functions are one, for a program says nothing of what a named one is declared as.
type types struct {
	p     *ir.Program
	group []int           // of a type, by its ID: the ID of the first type of its group
	locks map[int]bool    // groups of structs with words of package sync, and of atomic.Value
	leaf  map[[2]int]int  // the group of the field that is no struct and no array and has this word, by the group of the struct and the word; missing: none has
	first map[[2]int]bool // that field begins with this word
}

// class is a sort of words. Words of two different classes that do not conflict are different words.
type class struct {
	sort classSort
	of   int // a group, see there; anything: 0
	n    int // field: which word of the struct
}

type classSort uint8

// The sorts of classes.
const (
	field    classSort = iota + 1 // word n of structs of the group, not of a part of them that is a struct or an array itself
	elem                          // an element or variable of the group, which is no struct and no array
	some                          // a word of which it is not known whether it is a field: any one of values of the group, which are no structs and no arrays
	entries                       // keys and elements of maps of the group
	channels                      // what is in channels whose elements are of the group, and whether they are closed
	anything                      // any word but those of maps and channels
)

func newTypes(p *ir.Program) *types {
	t := &types{p: p, group: make([]int, len(p.Types)), locks: map[int]bool{}, leaf: map[[2]int]int{}, first: map[[2]int]bool{}}
	alike := map[string][]*ir.Type{}
	for id, of := range p.Types {
		if of == nil {
			continue
		}
		t.group[id] = id
		key := fmt.Sprint(of.Class, len(of.Fields), of.Len, of.Size)
		for _, other := range alike[key] {
			if alias(of, other) {
				t.group[id] = t.group[other.ID]
				break
			}
		}
		if t.group[id] == id {
			alike[key] = append(alike[key], of)
		}
		if of.Class == ir.Struct && of.Size > 0 && isPrivate(of) {
			t.locks[t.group[id]] = true
		}
	}
	for id, of := range p.Types {
		if of != nil && of.Class == ir.Struct && t.group[id] == id {
			t.fields(of)
		}
	}
	return t
}

// isPrivate says whether nobody but the standard library accesses the words of a struct.
func isPrivate(of *ir.Type) bool {
	return of.PkgPath == "sync" || of.PkgPath == "internal/sync" || of.PkgPath == "sync/atomic" && of.Name == "atomic.Value"
}

// fields notes which words of a struct are of fields that are no structs and no arrays.
func (t *types) fields(of *ir.Type) {
	for i := range of.Fields {
		f := &of.Fields[i]
		if !isLeaf(f.Type) {
			continue
		}
		for w := range f.Type.Size {
			t.leaf[[2]int{of.ID, f.Offset + w}] = t.group[f.Type.ID]
		}
		t.first[[2]int{of.ID, f.Offset}] = true
	}
}

// isLeaf says whether a type is no struct and no array.
func isLeaf(t *ir.Type) bool {
	return t.Class != ir.Struct && t.Class != ir.Array && t.Class != ir.Record
}

// alias says whether two types are of one group: what is declared is the same, whatever the types are called.
func alias(a, b *ir.Type) bool {
	if a == b {
		return true
	}
	if a.Class != b.Class || a.Len != b.Len || len(a.Fields) != len(b.Fields) {
		return false
	}
	switch a.Class {
	case ir.PointerClass, ir.Slice, ir.Array, ir.Chan:
		return same(a.Elem, b.Elem)
	case ir.Map:
		return same(a.Key, b.Key) && same(a.Elem, b.Elem)
	case ir.Interface:
		return strings.Join(a.IfaceMethods, "\n") == strings.Join(b.IfaceMethods, "\n")
	case ir.Struct:
		for i := range a.Fields {
			f, g := &a.Fields[i], &b.Fields[i]
			if f.Name != g.Name || f.Embedded != g.Embedded || f.Exported != g.Exported || f.PkgPath != g.PkgPath || !same(f.Type, g.Type) {
				return false
			}
		}
		return true
	}
	return a.Class != ir.Record
}

// same says whether two types are identical but for tags. A type with a name is identical to itself alone, so this comes to an end.
func same(a, b *ir.Type) bool {
	return a == b || a != nil && b != nil && !a.Named && !b.Named && alias(a, b)
}

// conflict says whether a word may be of both classes. Words of maps and channels have no addresses, so no pointer leads to one.
func (t *types) conflict(a, b class) bool {
	switch {
	case a == b:
		return true
	case a.sort == entries || b.sort == entries || a.sort == channels || b.sort == channels:
		return false
	case a.sort == anything || b.sort == anything:
		return true
	case a.sort == some:
		of, is := t.holds(b)
		return is && of == a.of
	case b.sort == some:
		return t.conflict(b, a)
	}
	return false
}

// holds is the group of the value of which a word of the class is a part; false if it is not known.
func (t *types) holds(c class) (group int, known bool) {
	if c.sort == field {
		group, known = t.leaf[[2]int{c.of, c.n}]
		return group, known
	}
	return c.of, c.sort == elem || c.sort == some
}

func (t *types) text(c class) string {
	name := "?"
	if c.of > 0 && c.of < len(t.p.Types) && t.p.Types[c.of] != nil {
		name = t.p.Types[c.of].Name
	}
	switch c.sort {
	case field:
		if f := t.p.Types[c.of].FieldAt(c.n); f != nil {
			return "field " + f.Name + " of " + name
		}
		return fmt.Sprintf("word %d of %s", c.n, name)
	case elem:
		return "an element or variable of type " + name
	case entries:
		return "the entries of " + name
	case channels:
		return "a channel of " + name
	case some:
		return "some " + name
	}
	return "any word"
}

// words are the classes of the words of a value of type of, at an address of which the hint is known. It has each class once.
func (t *types) words(of *ir.Type, at hint) []class {
	if isLeaf(of) {
		out := make([]class, 0, of.Size)
		for w := range of.Size {
			out = append(out, t.pointed(of, at, w))
		}
		return out
	}
	seen := map[class]bool{}
	t.within(of, false, func(c class) { seen[c] = true })
	out := make([]class, 0, len(seen))
	for c := range seen {
		out = append(out, c)
	}
	return out
}

// pointed is the class of word w of a value that is no struct and no array, at an address of which the hint is known.
func (t *types) pointed(of *ir.Type, at hint, w int) class {
	group := t.group[of.ID]
	switch at.sort {
	case isField:
		if is, has := t.leaf[[2]int{at.a, at.b}]; has && is == group && t.first[[2]int{at.a, at.b}] {
			return class{field, at.a, at.b + w}
		}
	case isElem:
		if at.a == group {
			return class{elem, group, 0}
		}
	}
	return class{some, group, 0}
}

// within visits the classes of the words of a struct or an array. part: it is a part of a struct.
func (t *types) within(of *ir.Type, part bool, visit func(class)) {
	switch {
	case of.Size == 0:
	case of.Class == ir.Array:
		if !isLeaf(of.Elem) {
			t.within(of.Elem, part, visit)
		} else {
			visit(inArray(t.group[of.Elem.ID], part))
		}
	case of.Class == ir.Struct:
		for i := range of.Fields {
			f := &of.Fields[i]
			if !isLeaf(f.Type) {
				t.within(f.Type, true, visit)
				continue
			}
			for w := range f.Type.Size {
				visit(class{field, t.group[of.ID], f.Offset + w})
			}
		}
	default:
		visit(class{sort: anything}) // a record of the compiler, which no instruction loads or stores
	}
}

// inArray is the class of a word in an array. Of one in a struct, it is not known whether a slice leads to it.
func inArray(group int, part bool) class {
	if part {
		return class{some, group, 0}
	}
	return class{elem, group, 0}
}

// word is the class of one word of a value of type of, at an address of which the hint is known.
func (t *types) word(of *ir.Type, at hint, w int) class {
	part := false
	for top := true; ; top = false {
		switch {
		case of.Class == ir.Array && of.Elem.Size > 0:
			w %= of.Elem.Size
			if isLeaf(of.Elem) {
				return inArray(t.group[of.Elem.ID], part)
			}
			of = of.Elem
		case of.Class == ir.Struct && of.FieldAt(w) != nil:
			f := of.FieldAt(w)
			if isLeaf(f.Type) {
				return class{field, t.group[of.ID], w}
			}
			of, w, part = f.Type, w-f.Offset, true
		case top && isLeaf(of):
			return t.pointed(of, at, w)
		default:
			return class{sort: anything}
		}
	}
}

// hasLock says whether a value of the type has words of a struct of package sync, or of an atomic.Value.
func (t *types) hasLock(of *ir.Type) bool {
	switch {
	case of.Size == 0:
		return false
	case of.Class == ir.Array:
		return t.hasLock(of.Elem)
	case of.Class == ir.Struct:
		if t.locks[t.group[of.ID]] {
			return true
		}
		for i := range of.Fields {
			if t.hasLock(of.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}

// isLock says whether words of the class are of a struct of package sync, or of an atomic.Value.
func (t *types) isLock(c class) bool { return c.sort == field && t.locks[c.of] }
