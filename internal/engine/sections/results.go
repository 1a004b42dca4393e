// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// What results lead to. The harness compares some of what an operation returns, and reads that as its caller would. Of the rest a proof says which of it callers may not read.

// unread says of each operation what its result may lead to that calls write, so that its caller may not read it without the lock; sorted.
func (t *table) unread() (list []string) {
	for _, c := range t.invocations {
		if !c.ofCaller() {
			continue
		}
		for _, e := range c.ends {
			at := 0
			for _, typ := range c.fn.Results {
				n := inside{t, map[string]bool{}, map[seen]bool{}}
				for i := range typ.Size {
					if v := e.results[at+i]; v.may&shared != 0 || v.may&own != 0 && e.holds&shared != 0 {
						n.leads(typ, i, v.may&shared != 0, true)
					}
				}
				at += typ.Size
				for name := range n.names {
					list = append(list, ofCallers(short(c.fn), name))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// keeps says of each operation that may keep what it was given that its callers do not write there; sorted. It may if it publishes something of its own, from which an argument is not told
// apart, or stores memory that package variables lead to, as pointers of the harness are.
func (t *table) keeps() (list []string) {
	for _, c := range t.invocations {
		if !c.ofCaller() {
			continue
		}
		var from origins
		if slices.ContainsFunc(c.ends, func(e end) bool { return e.published }) {
			from |= own
		}
		if t.given[c.fn] {
			from |= foreign
		}
		at := 0
		for i, typ := range c.fn.Params {
			for k, kind := range typ.Layout() {
				if i > 0 && kind == ir.Pointer && c.given[at+k].may&from != 0 {
					list = append(list, fmt.Sprintf("callers of %s do not write to the %s that they have given it", short(c.fn), typ.Name))
				}
			}
			at += typ.Size
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// keepsGiven notes that the method which the harness has called stores what may be part of its arguments.
func (t *table) keepsGiven(c *invocation) {
	for c != nil && !c.ofCaller() {
		c = c.from
	}
	if c == nil {
		return
	}
	if t.given == nil {
		t.given = map[*ir.Func]bool{}
	}
	t.given[c.fn] = true
}

// ofCaller reports whether it is a method that the harness calls.
func (c *invocation) ofCaller() bool {
	return !c.fn.Harness && !c.fn.Library() && c.from != nil && c.from.fn.Harness && c.phase != making
}

// registered says that what the constructor has given to package variables is used by the operations alone; sorted, by place.
func (t *table) registered() (list []string) {
	for at := range t.registers {
		list = append(list, "nobody else uses what the constructor gives to package variables, at "+at)
	}
	slices.Sort(list)
	return list
}

// short is the name of a method.
func short(f *ir.Func) string { return f.Short[strings.LastIndexByte(f.Short, '.')+1:] }

// inside notes the words that calls write of what results lead to.
type inside struct {
	t     *table
	names map[string]bool
	seen  map[seen]bool
}

// seen is a type whose values were looked into, or what pointers to it lead to.
type seen struct {
	t               *ir.Type
	pointee, others bool
}

// leads looks at what word i of a value of a type leads to; not at the first object, unless others may have it. A function that is a result itself (top) is called by the harness.
func (n *inside) leads(holder *ir.Type, i int, others, top bool) {
	switch leaf := leafAt(holder, i); {
	case leaf.Class == ir.Map:
		n.add(n.t.p.classes.entriesOf(leaf), others)
		n.value(leaf.Key)
		n.value(leaf.Elem)
	case leaf.Class == ir.Chan:
		if c := n.t.p.classes.channelsOf(leaf.Elem); !n.t.isAtomic(c) { // of an atomic class the caller's use is one more moment
			n.add(c, true)
		}
		n.value(leaf.Elem)
	case leaf.Class == ir.FuncClass:
		if !top || holder != leaf {
			n.names["functions"] = true
		}
	case leaf.Class == ir.Interface:
		if holder.Layout()[i] != ir.IfaceData {
			return
		}
		for _, t := range n.t.p.prog.Types {
			if t != nil && t.Dynamic && !slices.ContainsFunc(leaf.IfaceMethods, func(key string) bool { _, has := t.Methods[key]; return !has }) {
				n.value(t)
			}
		}
	default:
		if to := holder.PointeeAt(i); to != nil {
			n.pointee(to, others)
		}
	}
}

// value looks at what a value of a type leads to that others may have.
func (n *inside) value(t *ir.Type) {
	if !n.first(seen{t, false, true}) {
		return
	}
	for i := range t.Size {
		n.leads(t, i, true, false)
	}
}

// pointee looks at what a pointer to a type leads to.
func (n *inside) pointee(to *ir.Type, others bool) {
	if !n.first(seen{to, true, others}) {
		return
	}
	for i := range to.Size {
		if to.Class == ir.Struct || to.Class == ir.Array {
			n.add(n.t.p.classes.inner(to, i), others)
		} else {
			n.add(n.t.p.classes.accessed(to, elemOf(to))[0], others)
		}
		n.leads(to, i, true, false)
	}
}

// first reports whether something is looked into for the first time, and notes that it is.
func (n *inside) first(s seen) bool {
	if n.seen[s] {
		return false
	}
	n.seen[s] = true
	return true
}

// leafAt is the type of word i of a value that is no struct and no array.
func leafAt(t *ir.Type, i int) *ir.Type {
	for {
		switch {
		case t.Class == ir.Struct || t.Class == ir.Record:
			f := t.FieldAt(i)
			t, i = f.Type, i-f.Offset
		case t.Class == ir.Array:
			t, i = t.Elem, i%t.Elem.Size
		default:
			return t
		}
	}
}

// ofCallers is the assumption about callers of an operation, by what is noted of its results.
func ofCallers(operation, name string) string {
	switch {
	case name == "functions":
		return fmt.Sprintf("callers of %s do not call functions in what it returns", operation)
	case strings.HasPrefix(name, channelOf):
		return fmt.Sprintf("callers of %s do not use %s in what it returns, which calls use with the lock", operation, name)
	}
	return fmt.Sprintf("callers of %s do not read %s in what it returns, which calls write", operation, name)
}

// add notes words of a class, if calls write them and others may have the object.
func (n *inside) add(c class, others bool) {
	if others && slices.ContainsFunc(n.t.written, c.conflicts) {
		n.names[c.people()] = true
	}
}
