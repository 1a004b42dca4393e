package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// Items are the values that a collection stores and gives back. If code only copies
// them, which item is which cannot matter, and states that differ by a renaming of
// items are one: Save numbers items in the order in which it meets them.
//
// Item k is the word itemBase+k, a number that no program computes by chance. That
// code only copies items is an assumption: every instruction that looks at the words
// it works on, by comparing, calculating, hashing or handing them to a built-in
// function, checks that none of them is an item, and records it otherwise (Looked).
// As long as nothing is recorded, a renaming of items maps executions to executions.

// MaxItems is how many items there can be at a time.
const MaxItems = 16

const itemBase uint64 = 0x3a7c5e19d2b40000

// Item is the word of item k.
func Item(k int) uint64 { return itemBase + uint64(k) }

// AsItem returns which item a word is, if it is one.
func AsItem(w uint64) (k int, ok bool) { return int(w - itemBase), isItem(w) }

func isItem(w uint64) bool { return w-itemBase < MaxItems }

// inspect records that an instruction looks at two words.
func (m *Machine) inspect(a, b uint64) {
	if m.watching {
		m.inspected = m.inspected || isItem(a) || isItem(b)
		m.miscompared = m.miscompared || isKey(a) || isKey(b)
	}
}

func (m *Machine) inspectAll(words []uint64) {
	if !m.watching {
		return
	}
	for _, w := range words {
		m.inspect(w, w)
	}
}

// inspectMemory records that a built-in function may look at items or keys in memory
// that its arguments refer to. Those of the packages below handle locks, threads and
// channels, and look at nothing else.
func (m *Machine) inspectMemory(f *ir.Func) {
	if !m.watching || slices.ContainsFunc(contentBlind, func(p string) bool { return strings.HasPrefix(f.Name, p) }) {
		return
	}
	for _, t := range f.Params {
		switch t.Class {
		case ir.PointerClass, ir.Slice, ir.Interface, ir.Map, ir.Struct, ir.Array, ir.UnsafePointer:
			m.inspected, m.miscompared = true, true
		}
	}
}

var contentBlind = []string{"(*sync.", "sync.", "runtime.", "pangolin/mark.", "pangolin/prelude.atomic",
	"pangolin/prelude.await", "pangolin/prelude.waitGroup", "pangolin/prelude.choose", "pangolin/prelude.output"}

// itemNames gives new names to items while a state is saved.
type itemNames struct {
	name  [MaxItems]uint8 // new name plus one; 0: none yet
	order []uint8         // items in order of their new names
	// Of the threads' keys, by thread: the items that only threads hold, as
	// parts[ends[i-1]:ends[i]].
	parts []uint8
	ends  []int
	owned [MaxItems]bool // held by some thread's key
}

func (n *itemNames) reset() {
	n.name, n.order = [MaxItems]uint8{}, n.order[:0]
	n.parts, n.ends = n.parts[:0], n.ends[:0]
	n.owned = [MaxItems]bool{}
}

// rename gives an item its new name.
func (n *itemNames) rename(w uint64) uint64 {
	k := w - itemBase
	if n.name[k] == 0 {
		n.order = append(n.order, uint8(k))
		n.name[k] = uint8(len(n.order))
	}
	return itemBase + uint64(n.name[k]) - 1
}

// forget takes back all names but the first ones.
func (n *itemNames) forget(count int) {
	for _, k := range n.order[count:] {
		n.name[k] = 0
	}
	n.order = n.order[:count]
}

// part lists the items that thread i's key named.
func (n *itemNames) part(i int) []uint8 {
	if i == 0 {
		return n.parts[:n.ends[0]]
	}
	return n.parts[n.ends[i-1]:n.ends[i]]
}

// keep remembers what a thread's key named, and says whether another one did too.
func (n *itemNames) keep(global int) (shared bool) {
	for _, k := range n.order[global:] {
		shared = shared || n.owned[k]
		n.owned[k] = true
		n.parts = append(n.parts, k)
	}
	n.ends = append(n.ends, len(n.parts))
	return shared
}

// ItemOrder lists the items of the last saved state in the order of their new
// names. It is valid until the next Save, and must not be changed.
func (m *Machine) ItemOrder() []uint8 { return m.enc.items.order }

// ItemOrderOf lists the items as ItemOrder does if Save put the threads in another
// order, one that Options.Tie is asked about.
func (m *Machine) ItemOrderOf(dst []uint8, perm []int) []uint8 {
	e := &m.enc
	if e.shares || !e.keyed {
		return append(dst, e.items.order...)
	}
	dst = append(dst, e.items.order[:e.globalItems]...)
	for _, i := range perm {
		dst = append(dst, e.items.part(i)...)
	}
	return dst
}

// scalarsOf appends words that hold no references.
func (m *Machine) appendScalars(dst, words []uint64) []uint64 {
	at := len(dst)
	dst = append(dst, words...)
	if m.items {
		for i, w := range dst[at:] {
			if isItem(w) {
				dst[at+i] = m.enc.items.rename(w)
			}
		}
	}
	return dst
}

// scalar renames a word if it is an item.
func (m *Machine) scalar(w uint64) uint64 {
	if m.items && isItem(w) {
		return m.enc.items.rename(w)
	}
	return w
}

// inspectOperands records that an instruction looks at its operands A and B.
func (m *Machine) inspectOperands(in *ir.Instr, regs []uint64) {
	if !m.watching {
		return
	}
	consts := m.img.Prog.Consts
	for _, r := range [...]ir.Reg{in.A, in.B, in.C} {
		if r != ir.NoReg {
			w := value(regs, consts, r)
			m.inspect(w, w)
		}
	}
}
