// SPDX-License-Identifier: BSD-3-Clause

package state

import (
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
const MaxItems = 31

const itemBase uint64 = 0x3a7c5e19d2b40000

// Item is the word of item k.
func Item(k int) uint64 { return itemBase + uint64(k) }

// AsItem returns which item a word is, if it is one.
func AsItem(w uint64) (k int, ok bool) { return int(w - itemBase), IsItem(w) }

// IsItem says whether a word is a generic item.
func IsItem(w uint64) bool { return w-itemBase < MaxItems }

// Looked reports in which forbidden ways the code has looked at words: at items at all; at keys
// other than by comparing them; at threads' numbers other than by asking whether they are equal;
// and whether it has asked for a thread's number at all.
func (m *State) Looked() Looked {
	return Looked{Items: m.Inspected, Keys: m.Miscompared, Numbers: m.Misnumbered, Asked: m.Asked}
}

// Looked is a set of kinds of words.
type Looked struct{ Items, Keys, Numbers, Asked bool }

// With is the union with what another machine did.
func (l Looked) With(o Looked) Looked {
	return Looked{l.Items || o.Items, l.Keys || o.Keys, l.Numbers || o.Numbers, l.Asked || o.Asked}
}

// Inspect records that an engine has looked at a word, for example at a result that it does more
// with than copying.
func (m *State) Inspect(w uint64) { m.LooksAt(w, w) }

// LooksAt records that an instruction looks at two words.
func (m *State) LooksAt(a, b uint64) {
	if m.Watching {
		m.Inspected = m.Inspected || IsItem(a) || IsItem(b)
		m.Miscompared = m.Miscompared || isKey(a) || isKey(b)
		m.Misnumbered = m.Misnumbered || IsNumber(a) || IsNumber(b)
	}
}

// LooksAtAll records a look at words: if one is an item or a key, values may not be renamed any
// more.
func (m *State) LooksAtAll(words []uint64) {
	if !m.Watching {
		return
	}
	for _, w := range words {
		m.LooksAt(w, w)
	}
}

// LooksAtIface records a look at the value in an interface.
func (m *State) LooksAtIface(w []uint64) {
	if m.Watching && w[0] != 0 {
		m.LooksAtAll(m.IfaceValue(w))
	}
}

// ItemOrder lists the items of the last saved state in the order of their new
// names. It is valid until the next Save, and must not be changed.
func (m *State) ItemOrder() []uint8 { return m.enc.items.order }

// ItemOrderOf lists the items as ItemOrder does if Save put the threads in another
// order, one that Options.Tie is asked about.
func (m *State) ItemOrderOf(dst []uint8, perm []int) []uint8 {
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

// appendScalars appends words that hold no references.
func (m *State) appendScalars(dst, words []uint64) []uint64 {
	at := len(dst)
	dst = append(dst, words...)
	if m.Items || m.Numbers {
		for i, w := range dst[at:] {
			if w >= leastNamed {
				dst[at+i] = m.scalar(w)
			}
		}
	}
	return dst
}

// leastNamed is the least word that is renamed: nearly all words are less.
const leastNamed = min(itemBase, numberBase)

// scalar renames a word if it is an item or a thread's number.
func (m *State) scalar(w uint64) uint64 {
	switch {
	case m.Items && IsItem(w):
		name := m.enc.items.of(int(w - itemBase))
		if m.enc.relative && name >= uint64(m.enc.globalItems) {
			name += firstOwnItem - uint64(m.enc.globalItems)
		}
		return itemBase + name
	case m.Numbers && IsNumber(w):
		return renumbered(w, m.enc.ownNumber(m.enc.numbers.of(numberOf(w))))
	}
	return w
}

// ownNumber is the name of a number in the part of the thread that is being encoded.
func (e *encoder) ownNumber(name uint64) uint64 {
	if e.relative && name >= uint64(e.globalNumbers) {
		name += firstOwnNumber - uint64(e.globalNumbers)
	}
	return name
}

// LookedAt lists the operands that an instruction calculates with rather than copying them: of
// OpStrLen the string. The most frequent instructions and built-in functions are not in the list:
// they call LooksAt where they are executed.
func LookedAt(in *ir.Instr) [3]ir.Reg {
	none := ir.NoReg
	switch in.Op {
	case ir.OpMul, ir.OpDiv, ir.OpRem, ir.OpAnd, ir.OpOr, ir.OpXor, ir.OpAndNot, ir.OpShl, ir.OpShr, ir.OpMakeSlice:
		return [3]ir.Reg{in.A, in.B, none}
	case ir.OpNeg, ir.OpCompl, ir.OpConvert, ir.OpRuneToStr, ir.OpMakeChan:
		return [3]ir.Reg{in.A, none, none}
	case ir.OpElem, ir.OpArrayElem, ir.OpIndex, ir.OpStrIndex:
		return [3]ir.Reg{in.B, none, none}
	case ir.OpSlice, ir.OpSliceArr:
		return [3]ir.Reg{in.B, in.C, ir.Reg(in.N)}
	case ir.OpStrSlice:
		return [3]ir.Reg{in.B, in.C, none}
	}
	return [3]ir.Reg{none, none, none}
}
