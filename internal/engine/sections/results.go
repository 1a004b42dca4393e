// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// What results lead to. The harness compares some of what an operation returns, and reads that as its caller would. Of the rest a proof says which of it callers may not read.

// mostInside bounds how deep results are looked into.
const mostInside = 4

// unread says of each operation what its result may lead to that calls write, so that its caller may not read it without the lock; sorted.
func (t *table) unread() (list []string) {
	for _, c := range t.invocations {
		if c.fn.Harness || c.fn.Library() || c.from == nil || !c.from.fn.Harness || c.phase == making {
			continue
		}
		for _, e := range c.ends {
			at := 0
			for _, typ := range c.fn.Results {
				n := inside{t, map[string]bool{}}
				for i := range typ.Size {
					if v := e.results[at+i]; v.may&shared != 0 || v.may&own != 0 && e.holds&shared != 0 {
						n.leads(typ, i, v.may&shared != 0, mostInside)
					}
				}
				at += typ.Size
				for name := range n.names {
					list = append(list, fmt.Sprintf("callers of %s do not read %s in what it returns, which calls write", short(c.fn), name))
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// short is the name of a method.
func short(f *ir.Func) string { return f.Short[strings.LastIndexByte(f.Short, '.')+1:] }

// inside notes the words that calls write of what results lead to.
type inside struct {
	t     *table
	names map[string]bool
}

// leads looks at what word i of a value of a type leads to; not at the first object, if that is own.
func (n *inside) leads(holder *ir.Type, i int, others bool, deep int) {
	if deep == 0 {
		return
	}
	if holder.Class == ir.Map {
		n.add(n.t.p.classes.entriesOf(holder), others)
		for _, part := range []*ir.Type{holder.Key, holder.Elem} {
			for k := range part.Size {
				n.leads(part, k, true, deep-1)
			}
		}
		return
	}
	to := holder.PointeeAt(i)
	if to == nil {
		return
	}
	for k := range to.Size {
		if to.Class == ir.Struct || to.Class == ir.Array {
			n.add(n.t.p.classes.inner(to, k), others)
		} else {
			n.add(n.t.p.classes.accessed(to, elemOf(to))[0], others)
		}
		n.leads(to, k, true, deep-1)
	}
}

// add notes words of a class, if calls write them and others may have the object.
func (n *inside) add(c class, others bool) {
	if others && slices.ContainsFunc(n.t.written, c.conflicts) {
		n.names[c.people()] = true
	}
}
