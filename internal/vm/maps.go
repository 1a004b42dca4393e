// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"bytes"
	"fmt"
	"sort"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// A map is an object whose elements are its entries, in an order that means
// nothing: a state holds them sorted (see state/encode.go), and ranging over a map asks
// the Chooser for every entry.

// Two things are beside the state, and made again where they are missing: the index of a large map, and
// the room that its entries have. A program can tell neither.
// indexedFrom is the number of entries from which a map gets an index.
const indexedFrom = 16

// mapOp executes the instructions on maps. A map is one memory location: reading
// any entry is an access to it.
func (m *Machine) mapOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	if in.Op == ir.OpMakeMap {
		regs[in.Dst] = state.Pointer(m.Alloc(in.T.Entry, 0), 0)
		return ctlNext
	}
	p := state.Operand(regs, m.img.Prog.Consts, in.A)
	if in.Op != ir.OpMapRange && p != 0 && !m.gate(m.Visible(t, p, 1, mapWrites(in.Op))) {
		return ctlStop
	}
	if p != 0 && mapWrites(in.Op) { // also one that finds nothing to change
		m.CheckWrite(p, 1)
	}
	switch in.Op {
	case ir.OpMapGet:
		return m.mapGet(t, in, regs)
	case ir.OpMapSet:
		return m.mapSet(t, in, regs)
	case ir.OpMapDel:
		return m.mapDelete(t, in, regs)
	case ir.OpMapClear:
		if p != 0 {
			m.Touch(state.ObjectID(p))
			m.Objs[p>>32].Count = 0
			delete(m.Maps, state.ObjectID(p))
		}
	case ir.OpMapLen:
		n := uint64(0)
		if p != 0 {
			n = uint64(m.Objs[p>>32].Count)
		}
		regs[in.Dst] = n
	case ir.OpMapRange:
		m.mapRange(in, regs)
	default:
		m.mapNext(in, regs)
	}
	return ctlNext
}

// mapWrites says that an instruction changes a map.
func mapWrites(op ir.Op) bool { return op == ir.OpMapSet || op == ir.OpMapDel || op == ir.OpMapClear }

// find returns the number of the entry with a key, or -1.
func (m *Machine) find(id int, t *ir.Type, key []uint64) (entry int, bad *ir.Type) {
	k, ok, bad := m.appendKey(nil, t.Key, key)
	if bad != nil || !ok || id == 0 {
		return -1, bad
	}
	o := &m.Objs[id]
	// The index compares the key's bits with those of all keys at once, so whatever in it is an item or a key of the
	// search counts as looked at; below, equalWords notes only what it compares.
	if o.Count > indexedFrom && !m.leadsToNothing(t.Key, key) {
		m.LooksAtAll(key)
		if i, found := m.indexOf(id, t).At[string(k)]; found {
			return int(i), nil
		}
		return -1, nil
	}
	size := t.Entry.Size
	for i := range int(o.Count) {
		at := o.At + i*size
		if eq, _ := m.equalWords(t.Key, m.Mem[at:at+t.Key.Size], key); eq {
			return i, nil
		}
	}
	return -1, nil
}

// indexOf returns the index of a map, made anew if it does not fit.
func (m *Machine) indexOf(id int, t *ir.Type) *state.MapIndex {
	x := m.Maps[id]
	if x != nil && x.Count == m.Objs[id].Count {
		return x
	}
	x = &state.MapIndex{At: make(map[string]int32), Count: m.Objs[id].Count}
	o := &m.Objs[id]
	for i := range o.Count {
		at := o.At + int(i)*t.Entry.Size
		if k, ok, _ := m.appendKey(nil, t.Key, m.Mem[at:at+t.Key.Size]); ok {
			x.At[string(k)] = i
		}
	}
	if m.Maps == nil {
		m.Maps = map[int]*state.MapIndex{}
	}
	m.Maps[id] = x
	return x
}

func (m *Machine) mapGet(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	p := state.Operand(regs, consts, in.A)
	i, bad := m.find(state.ObjectID(p), in.T, state.Operands(regs, consts, in.B, in.T.Key.Size))
	if bad != nil {
		return m.unhashable(t, p, bad)
	}
	n := in.T.Elem.Size
	dst := state.Result(regs, in.Dst, n)
	if i < 0 {
		clear(dst)
	} else {
		at := m.Objs[p>>32].At + i*in.T.Entry.Size + in.T.Key.Size
		copy(dst, m.Mem[at:at+n])
	}
	if in.Ok && in.Dst != ir.NoReg {
		regs[int(in.Dst)+n] = truth(i >= 0)
	}
	return ctlNext
}

// unhashable panics because of a key that is looked up; the runtime has another text
// where there is nothing to be found.
func (m *Machine) unhashable(t *state.Thread, p uint64, bad *ir.Type) control {
	if p == 0 || m.Objs[p>>32].Count == 0 {
		return m.throwPlain(t, "hash of unhashable type: "+bad.Name)
	}
	return m.throwError(t, "hash of unhashable type "+bad.Name)
}

func (m *Machine) mapSet(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	key, elem := state.Operands(regs, consts, in.B, in.T.Key.Size), state.Operands(regs, consts, in.C, in.T.Elem.Size)
	return m.setEntry(t, state.Operand(regs, consts, in.A), in.T, [2][]uint64{key, elem})
}

// setEntry sets an entry, key and element, of the map at p, of type mt.
func (m *Machine) setEntry(t *state.Thread, p uint64, mt *ir.Type, entry [2][]uint64) control {
	key, elem := entry[0], entry[1]
	if p == 0 {
		return m.throwPlain(t, "assignment to entry in nil map")
	}
	id := state.ObjectID(p)
	i, bad := m.find(id, mt, key)
	if bad != nil {
		return m.throwError(t, "hash of unhashable type "+bad.Name)
	}
	// The key is written although it is there: +0 and -0 are equal keys, and the one that was set last is what ranging
	// over the map gives, in the runtime as well.
	m.Touch(id)
	if i < 0 {
		i = m.addEntry(id, mt, key)
		if m.Failure != nil {
			return ctlStop
		}
	}
	base := state.Pointer(id, i*mt.Entry.Size)
	if mt.Key.Size > 0 {
		m.Write(base, key, m.img.Types[mt.Key.ID])
	}
	if mt.Elem.Size > 0 {
		m.Write(base+uint64(mt.Key.Size), elem, m.img.Types[mt.Elem.ID])
	}
	return ctlNext
}

// addEntry adds an entry without a key yet and returns its number.
func (m *Machine) addEntry(id int, t *ir.Type, key []uint64) int {
	n := int(m.Objs[id].Count)
	var x *state.MapIndex
	if n > indexedFrom {
		x = m.indexOf(id, t)
	}
	m.extend(id)
	if x != nil {
		if k, ok, _ := m.appendKey(nil, t.Key, key); ok {
			x.At[string(k)] = int32(n)
		}
		x.Count++
	}
	return n
}

// extend adds one zeroed element to a map's entries or an iterator's keys. Its
// aux counts the elements there is room for, if that is more than count.
func (m *Machine) extend(id int) {
	o := m.Objs[id]
	n, size := int(o.Count), o.Info.Type.Size
	if n >= int(o.Aux) {
		room := max(2*n, 4)
		at := m.Grow(room * size)
		if m.Failure != nil {
			return
		}
		copy(m.Mem[at:], m.Mem[o.At:o.At+n*size])
		o.At, o.Aux = at, uint32(room)
	}
	o.Count++
	clear(m.Mem[o.At+n*size : o.At+(n+1)*size])
	m.Objs[id] = o
}

func (m *Machine) mapDelete(t *state.Thread, in *ir.Instr, regs []uint64) control {
	consts := m.img.Prog.Consts
	return m.deleteEntry(t, state.Operand(regs, consts, in.A), in.T, state.Operands(regs, consts, in.B, in.T.Key.Size))
}

// deleteEntry removes a key from the map at p, of type mt.
func (m *Machine) deleteEntry(t *state.Thread, p uint64, mt *ir.Type, key []uint64) control {
	id := state.ObjectID(p)
	i, bad := m.find(id, mt, key)
	if bad != nil {
		return m.unhashable(t, p, bad)
	}
	if i < 0 {
		return ctlNext
	}
	m.Touch(id)
	o := &m.Objs[id]
	size, last := mt.Entry.Size, int(o.Count)-1
	// The last entry takes the place: the order of entries means nothing, and a state has them sorted.
	copy(m.Mem[o.At+i*size:o.At+(i+1)*size], m.Mem[o.At+last*size:o.At+(last+1)*size])
	o.Count--
	m.forget(id, mt, i, key)
	return ctlNext
}

// forget keeps the index of a map up to date when entry i has been replaced by
// the last one.
func (m *Machine) forget(id int, t *ir.Type, i int, key []uint64) {
	x := m.Maps[id]
	if x == nil {
		return
	}
	o := &m.Objs[id]
	if k, ok, _ := m.appendKey(nil, t.Key, key); ok {
		delete(x.At, string(k))
	}
	if i < int(o.Count) {
		at := o.At + i*t.Entry.Size
		if k, ok, _ := m.appendKey(nil, t.Key, m.Mem[at:at+t.Key.Size]); ok {
			x.At[string(k)] = int32(i)
		}
	}
	x.Count--
}

// An iterator over a map is the map and an object that lists the keys the map had
// at the start and those produced since, each with a word that says whether it was
// produced.

// mapRange begins an iteration. It is no access, unlike all other instructions on maps: nothing is produced before
// the first mapNext, which is one and follows at once, so that the thread stands there for who looks for races.
// The keys that the map has now are noted because only of those that are added later may some be left out.
func (m *Machine) mapRange(in *ir.Instr, regs []uint64) {
	p := state.Operand(regs, m.img.Prog.Consts, in.A)
	t := in.T
	list := m.Alloc(m.img.Iterators[t.ID], 0)
	if p != 0 {
		o := m.Objs[p>>32]
		for i := range int(o.Count) {
			m.addKey(list, t, m.Words(p+uint64(i*t.Entry.Size), t.Key.Size), 0)
		}
	}
	regs[in.Dst], regs[in.Dst+1] = p, state.Pointer(list, 0)
}

func (m *Machine) addKey(list int, t *ir.Type, key []uint64, produced uint64) {
	n := int(m.Objs[list].Count)
	m.extend(list)
	if m.Failure == nil {
		w := m.Words(state.Pointer(list, n*(t.Key.Size+1)), t.Key.Size+1)
		copy(w, key)
		w[t.Key.Size] = produced
	}
}

// mapNext produces an entry that has not been produced yet; which one is a
// choice. An entry that was added during the iteration may be left out.
func (m *Machine) mapNext(in *ir.Instr, regs []uint64) {
	t := in.T
	p, it := regs[in.A], state.ObjectID(regs[in.A+1])
	dst := regs[in.Dst : int(in.Dst)+1+t.Key.Size+t.Elem.Size]
	clear(dst)
	if p == 0 {
		return
	}
	entry, key := m.nextEntry(state.ObjectID(p), it, t)
	if entry < 0 {
		return
	}
	dst[0] = 1
	copy(dst[1:], m.Words(p+uint64(entry*t.Entry.Size), t.Entry.Size))
	if key >= 0 {
		m.Words(state.Pointer(it, key*(t.Key.Size+1)), t.Key.Size+1)[t.Key.Size] = 1
	} else {
		m.addKey(it, t, dst[1:1+t.Key.Size], 1)
	}
}

// candidate is an entry that an iteration may produce, and where its key stands
// in the iterator's list (-1: it was added later).
type candidate struct{ entry, key int }

// nextEntry chooses what the iteration produces; entry is -1 at its end.
func (m *Machine) nextEntry(id, it int, t *ir.Type) (entry, key int) {
	if !m.Tracking {
		return m.nextListed(id, it, t)
	}
	list, mayStop := m.candidates(id, it, t)
	n := len(list)
	if n == 0 {
		return -1, -1
	}
	if mayStop {
		n++
	}
	i := m.choose(n)
	if i == len(list) {
		return -1, -1
	}
	return list[i].entry, list[i].key
}

// candidates lists the entries that the iteration may produce next. It may stop
// if all of them were added since it began.
func (m *Machine) candidates(id, it int, t *ir.Type) (list []candidate, mayStop bool) {
	// Entries move when others are deleted, and a key may be deleted and added again in between: so the two lists are
	// matched by keys. A NaN is matched with the NaN of the same rank among equal bits, which cannot be told apart either.
	at := map[string]int{}
	size := t.Key.Size + 1
	names := keyNames{m: m, t: t.Key}
	for i := range int(m.Objs[it].Count) {
		at[names.of(m.Words(state.Pointer(it, i*size), t.Key.Size))] = i
	}
	mayStop = true
	names = keyNames{m: m, t: t.Key}
	for i := range int(m.Objs[id].Count) {
		j, listed := at[names.of(m.Words(state.Pointer(id, i*t.Entry.Size), t.Key.Size))]
		switch {
		case !listed:
			list = append(list, candidate{i, -1})
		case m.Words(state.Pointer(it, j*size), size)[t.Key.Size] == 0:
			list = append(list, candidate{i, j})
			mayStop = false
		}
	}
	return list, mayStop
}

// initOrderNote is what a verdict says if package initialisation iterates over a map with several entries.
const initOrderNote = "where package initialisation ranges over a map, it does in one order of the entries"

// nextListed produces the listed keys in order, without choices: for a machine
// that follows one execution only, and for package initialisation, whose loops over tables have too many orders. There the produced keys come first in the list.
func (m *Machine) nextListed(id, it int, t *ir.Type) (entry, key int) {
	size := t.Key.Size + 1
	n := int(m.Objs[it].Count)
	produced := func(i int) *uint64 { return &m.Words(state.Pointer(it, i*size), size)[t.Key.Size] }
	for i := sort.Search(n, func(i int) bool { return *produced(i) == 0 }); i < n; i++ {
		if e := m.listed(id, it, i, t); e >= 0 {
			if init, ok := m.chooser.(*undecided); ok && i+1 < n {
				init.ranged = true
			}
			return e, i
		}
		*produced(i) = 1
	}
	return -1, -1
}

// listed finds the entry for the key at place i of an iterator's list.
func (m *Machine) listed(id, it, i int, t *ir.Type) int {
	size := t.Key.Size + 1
	key := m.Words(state.Pointer(it, i*size), t.Key.Size)
	k, ok, _ := m.appendKey(nil, t.Key, key)
	if ok {
		e, _ := m.find(id, t, key)
		return e
	}
	nth := 0 // of the keys with these bits; they are equal to nothing
	for j := range i {
		if other, _, _ := m.appendKey(nil, t.Key, m.Words(state.Pointer(it, j*size), t.Key.Size)); bytes.Equal(k, other) {
			nth++
		}
	}
	for e := range int(m.Objs[id].Count) {
		other, _, _ := m.appendKey(nil, t.Key, m.Words(state.Pointer(id, e*t.Entry.Size), t.Key.Size))
		if bytes.Equal(k, other) {
			if nth == 0 {
				return e
			}
			nth--
		}
	}
	return -1
}

// keyNames gives the keys of one list names: equal keys have the same, and keys
// that hold a NaN, which equal nothing, are counted.
type keyNames struct {
	m    *Machine
	t    *ir.Type
	seen map[string]int
}

func (n *keyNames) of(key []uint64) string {
	k, ok, _ := n.m.appendKey(nil, n.t, key)
	if ok {
		return string(k)
	}
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	n.seen[string(k)]++
	return fmt.Sprintf("%s NaN %d", k, n.seen[string(k)])
}
