// SPDX-License-Identifier: BSD-3-Clause

// Package shape is the abstract state of the unbounded engine: what one thread sees of a
// collection's memory, with any number of cells folded into finitely many.
//
// A View is a heap, the thread's calls in progress and what is remembered of its
// operation. Node 0 of the heap is the collection. Other nodes are concrete, and stand for
// exactly one cell each, or are summaries, which stand for a chain of cells that nothing but
// its neighbours refers to. Scalars are small constants, or the class of an item with
// respect to one arbitrary value k that is never fixed.
//
// The package makes views canonical, joins them, and unfolds summaries. It executes
// nothing, knows no threads but the one, and has no opinion on what is correct.
package shape

import "fmt"

// Word is the abstract value of one word of memory or of a register.
type Word uint32

// The forms of a word, in its upper four bits.
const (
	formConst Word = iota << 28
	formRef
	formData
	formTop
	formFunc
	formDead
)

const (
	formMask    Word = 0xf << 28
	payloadMask Word = 1<<28 - 1
	offBits          = 12
	maxConst         = 1<<27 - 1
	maxNodes         = 1 << 15
)

// Nil is the zero word: a nil pointer, false, 0.
const Nil Word = 0

// Top is a scalar of which nothing is known. Pointers are always known.
const Top = formTop

// Const is a scalar with a known value, or Top if it is too large to be kept.
func Const(x uint64) Word {
	if s := int64(x); s >= -maxConst && s <= maxConst {
		return formConst | Word(uint32(s))&payloadMask
	}
	return Top
}

// Ref is the address of a word of a node.
func Ref(node, off int) Word { return formRef | Word(node)<<offBits | Word(off) }

// Data is an item or key of a class.
func Data(c Class) Word { return formData | Word(c) }

// FuncValue is a function without free variables.
func FuncValue(id int) Word { return formFunc | Word(id) }

// IsConst, IsRef, IsData, IsTop and IsFunc tell the forms.
func (w Word) IsConst() bool { return w&formMask == formConst }
func (w Word) IsRef() bool   { return w&formMask == formRef }
func (w Word) IsData() bool  { return w&formMask == formData }
func (w Word) IsTop() bool   { return w&formMask == formTop }
func (w Word) IsFunc() bool  { return w&formMask == formFunc }

// Value is the value of a constant, sign-extended.
func (w Word) Value() uint64 { return uint64(int64(int32(w<<4)) >> 4) }

// Node is the node that a Ref points into.
func (w Word) Node() int { return int(w&payloadMask) >> offBits }

// Off is the offset in words of a Ref within its node.
func (w Word) Off() int { return int(w & (1<<offBits - 1)) }

// Class is the class of Data.
func (w Word) Class() Class { return Class(w & payloadMask) }

// Func is the function of a FuncValue.
func (w Word) Func() int { return int(w & payloadMask) }

// at is a Ref with the same offset to another node.
func (w Word) at(node int) Word { return Ref(node, w.Off()) }

func (w Word) String() string {
	switch {
	case w == Nil:
		return "0"
	case w.IsConst():
		return fmt.Sprint(int64(w.Value()))
	case w.IsRef() && w.Off() == 0:
		return fmt.Sprintf("@%d", w.Node())
	case w.IsRef():
		return fmt.Sprintf("@%d+%d", w.Node(), w.Off())
	case w.IsData():
		return w.Class().String()
	case w.IsDead():
		return "_"
	case w.IsFunc():
		return fmt.Sprintf("func%d", w.Func())
	}
	return "?"
}

// Class says how an item compares with the arbitrary value k.
type Class uint8

// The classes. Of items that have no order, those that differ from k are Above.
const (
	Below Class = iota // < k
	Equal              // = k
	Above              // > k, or only known to differ

	// Of objects with registers there may be a second arbitrary value j, for registers whose values are
	// never compared with those that are compared with k.
	EqualJ // = j
	OtherJ // only known to differ from j
)

func (c Class) String() string { return [...]string{"<k", "=k", ">k", "=j", ">j"}[c] }

// Certain says whether a class has one value.
func (c Class) Certain() bool { return c == Equal || c == EqualJ }

// OfJ says whether a class compares with j.
func (c Class) OfJ() bool { return c >= EqualJ }

// Set is a set of kinds, as bits.
type Set uint64

// Kind is the number of a kind: a type of cells and all its words but the one that links
// to the next cell.
type Kind uint8

// MaxKinds is how many kinds there may be.
const MaxKinds = 64

// Has says whether a kind is in the set.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// With is the set with a kind.
func (s Set) With(k Kind) Set { return s | 1<<k }
