// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Objects that operations return have numbers: a harness asks for them with
//
//	func pangolinObject(table *[32]any, x any) int
//
// which has no body. The number of the object that x points to is its place in the table, plus one; one that is not
// in it takes the next place. It is 0 of nil and of what is no pointer. Asking is no access that another thread
// could notice: what depends on the order of two such calls is which number is whose, and an oracle that
// numbers objects takes any (package subject, named.go).
//
// An object that nothing but the table leads to cannot be returned again: its place stays, and it is forgotten, so
// that states do not differ in what it held.

// objectFunction is the name of the function, in whatever package the harness belongs to.
const objectFunction = "pangolinObject"

// MostObjects is how many objects have numbers; a machine that is to number one more has a fault.
const MostObjects = 30

var objectBuiltins = map[string]*builtin{
	"pangolin/mark.object": {run: numberObject},
}

func numberObject(c *call) control {
	typ, data := c.args[1], c.args[2]
	if typ == 0 || data == 0 || c.m.img.Types[typ&^ir.TypeTag].Type.Class != ir.PointerClass {
		return ctlNext
	}
	table := c.object(0, 2*MostObjects)
	at := 0
	for ; at < MostObjects && table[2*at] != 0; at++ {
		if table[2*at] == typ && table[2*at+1] == data {
			c.out[0] = uint64(at + 1)
			return ctlNext
		}
	}
	if at == MostObjects {
		c.m.Fail(FaultUnsupported, fmt.Sprintf("operations return more than %d objects, and no more of them are told apart", MostObjects))
		return ctlNext
	}
	c.out[0] = uint64(at + 1)
	id := state.ObjectID(c.args[0])
	c.m.Touch(id)
	c.m.forgetObjects(id, table)
	table[2*at], table[2*at+1] = typ, data
	c.m.Publish(data >> 32)
	return ctlNext
}

// forgetObjects drops from a table of objects those that nothing else leads to.
func (m *Machine) forgetObjects(table int, words []uint64) {
	var work []uint32
	for _, id := range m.Dirty() {
		if int(id) != table {
			work = m.References(work, &m.Objs[id])
		}
	}
	for _, p := range m.Kept {
		work = append(work, uint32(p>>32))
	}
	for _, t := range m.Thread {
		work = m.threadReferences(work, t, false)
	}
	for id := range m.Objs { // what the program began with leads to itself alone
		if id <= m.img.BaseCount() {
			m.Objs[id].Flags |= state.IsMarked
		}
	}
	m.mark(work)
	for i := 0; i < len(words) && words[i] != 0; i += 2 {
		if p := words[i+1]; p != 0 && m.Objs[p>>32].Flags&state.IsMarked == 0 {
			words[i+1] = 0
		}
	}
	for id := range m.Objs {
		m.Objs[id].Flags &^= state.IsMarked
	}
}
