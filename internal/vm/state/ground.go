// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"strings"

	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
)

// Everything that is computed once for a program and read by all machines that execute it. Package
// initialisation has been executed before (initialise.go in vm), so a state contains only what has
// changed since. Otherwise thousands of objects of the standard library would be saved and loaded
// with every state.

// Ground is what all states of a program have in common: its functions and which of
// their registers matter where, the layouts of its types, and the heap that executions
// begin with. It is immutable, once made, but for its caches, which are safe for
// concurrent use.
type Ground struct {
	Prog    *ir.Program
	Strings *Strings

	Codes []*Code
	Types []*TypeInfo // by type ID; the machine's own record types come last
	Own   ownTypes
	// iterators gives, by the ID of a map type, the record of an iterator's list.
	Iterators map[int]*ir.Type

	// The heap after package initialisation. Its objects keep their numbers in
	// every state, and a state holds only those that differ.
	Base    []Object
	BaseMem []uint64
	// ThreadIDs is true if the program can ask for a thread's number; then threads are not
	// interchangeable.
	ThreadIDs bool
	classes   int
}

// ownTypes are the layouts of objects that the machine makes for itself.
type ownTypes struct {
	Cell  *ir.Type // a defer list: pointer to the newest record
	Panic *ir.Type // a panic in progress: see panicking.go
	ptr   *ir.Type
	Word  *ir.Type
	Iface *ir.Type
	Str   *ir.Type
}

// Code is a function with what a machine needs to execute it: its instructions, the words of its
// parameters, free variables and results, and which registers are live at each instruction.
type Code struct {
	Func    *ir.Func
	Instrs  []ir.Instr
	pos     []ir.Pos
	params  int
	free    int
	Results int
	zero    bool  // registers have to be cleared on entry
	Target  *Code // of the body of an external function: that function
	once    sync.Once
	live    *ir.Live
	lists   []atomic.Pointer[[]liveReg]
	ways    []atomic.Uint32 // what executions have come to, by instruction (ways.go); nil: it is not noted
}

// liveReg is a register that is part of a state.
type liveReg struct {
	Reg  int32
	Kind ir.Kind
}

// TypeInfo are facts of a type that accesses to memory need: the kinds of its words, and which of
// them are references or belong to locks.
type TypeInfo struct {
	Type   *ir.Type
	Layout []ir.Kind
	Refs   []int32 // offsets of words that may hold references, interface data included
	// Unordered is the key type of a map's entries or an iterator's list, whose order does not
	// matter; else nil.
	Unordered *ir.Type
	class     int32  // the first of the type's classes, see frozen.go
	locks     []bool // which words belong to locks, see locks.go; nil: none
}

// ThreadFunction is the name of a function without body that means mark.Thread. A harness declares
// it, so that the package need not import mark.
const ThreadFunction = "pangolinThread"

// OwnFunction is the name of a function without body that reads and writes a word of the calling thread, see own.go of package vm.
const OwnFunction = "pangolinOwn"

// tellsNumber reports whether a function of this name returns a thread's number: as a word, or in a
// stack trace ("goroutine 7 [running]:").
func tellsNumber(name string) bool {
	return asksNumber(name) || strings.HasSuffix(name, "."+ThreadFunction) || strings.HasSuffix(name, "."+OwnFunction)
}

// asksNumber reports whether the user's code learns the number of its thread by a function of this
// name. (A harness uses ThreadFunction and passes the number to operations as an argument.)
func asksNumber(name string) bool {
	switch name {
	case "pangolin/mark.Thread", "runtime.Stack", "runtime/debug.Stack", "runtime/debug.PrintStack":
		return true
	}
	return false
}

// AsksThread reports whether the code of a program can learn which thread executes it, as
// thread-local variables do.
func AsksThread(prog *ir.Program) bool {
	return slices.ContainsFunc(prog.Funcs, func(f *ir.Func) bool { return asksNumber(f.Name) })
}

// NewGround prepares a program. Its base heap has no objects yet: see SetBase.
func NewGround(prog *ir.Program) *Ground {
	img := &Ground{Prog: prog, Strings: newStrings(prog.Strings)}
	img.prepareTypes()
	for _, f := range prog.Funcs {
		img.AddCode(f)
		img.ThreadIDs = img.ThreadIDs || tellsNumber(f.Name)
	}
	return img
}

// AddCode adds the Code of a function that the program does not have, such as one that the machine
// calls itself.
func (img *Ground) AddCode(f *ir.Func) *Code {
	img.Codes = append(img.Codes, prepare(img.Prog, f))
	return img.Codes[len(img.Codes)-1]
}

func (img *Ground) prepareTypes() {
	for _, t := range img.Prog.Types {
		img.Types = append(img.Types, newTypeInfo(t))
	}
	ptr := img.addType(&ir.Type{Name: "pointer", Class: ir.PointerClass, Size: 1})
	word := img.addType(&ir.Type{Name: "word", Class: ir.Uint64, Size: 1})
	iface := img.addType(&ir.Type{Name: "interface {}", Class: ir.Interface, Size: 2})
	str := img.addType(&ir.Type{Name: "string", Class: ir.StringClass, Size: 1})
	img.Own = ownTypes{ptr: ptr, Word: word, Iface: iface, Str: str}
	img.Own.Cell = img.addType(record("defer list", ptr))
	img.Own.Panic = img.addType(record("panic", ptr, iface, word, word, str))
	img.Iterators = map[int]*ir.Type{}
	for _, t := range img.Prog.Types {
		if t != nil && t.Class == ir.Map {
			img.Iterators[t.ID] = img.addType(record("iterator", t.Key, word))
			img.Types[t.Entry.ID].Unordered = t.Key
			img.Types[len(img.Types)-1].Unordered = t.Key
		}
	}
}

func (img *Ground) addType(t *ir.Type) *ir.Type {
	t.ID = len(img.Types)
	img.Types = append(img.Types, newTypeInfo(t))
	return t
}

func record(name string, fields ...*ir.Type) *ir.Type {
	t := &ir.Type{Name: name, Class: ir.Record}
	for i, f := range fields {
		t.Fields = append(t.Fields, ir.Field{Name: fmt.Sprint("f", i), Type: f, Offset: t.Size})
		t.Size += f.Size
	}
	return t
}

func newTypeInfo(t *ir.Type) *TypeInfo {
	if t == nil {
		return nil
	}
	flat, n := t.Flatten()
	info := &TypeInfo{Type: t}
	if n > ir.MaxLayout { // objects of it have the element's type
		info.Layout, info.locks = flat.Layout(), locksOf(flat)
	} else {
		info.Layout, info.locks = t.Layout(), locksOf(t)
	}
	for i := len(info.Layout) - 1; i > 0; i-- {
		if info.Layout[i] == ir.Unsafe && info.Layout[i-1] == ir.Unsafe {
			info.Layout = slices.Clone(info.Layout)
			info.Layout[i] = layout.UnsafeSecond
		}
	}
	for i, k := range info.Layout {
		switch k {
		case ir.Pointer, ir.Unsafe, layout.UnsafeSecond, ir.Code, ir.IfaceData:
			info.Refs = append(info.Refs, int32(i))
		}
	}
	return info
}

func prepare(prog *ir.Program, f *ir.Func) *Code {
	c := &Code{Func: f, params: f.ParamWords(), free: f.FreeWords(), Results: f.ResultWords()}
	if f.External {
		return c.external()
	}
	c.Instrs, c.pos = f.Code, f.Pos
	c.zero = f.DeferReg != ir.NoReg || f.Recover >= 0
	c.lists = make([]atomic.Pointer[[]liveReg], 2*len(f.Code))
	c.noted()
	return c
}

// external gives a function without code a body, so that threads can be inside it when it is
// deferred, started by go or called as a value. The body calls the built-in function with its own
// parameters and returns the results.
func (c *Code) external() *Code {
	f := *c.Func
	f.NumRegs, f.DeferReg, f.Recover, f.Wrapper = c.params+c.Results, ir.NoReg, -1, true
	f.Kinds = nil
	for _, list := range [][]*ir.Type{f.Params, f.Results} {
		for _, t := range list {
			f.Kinds = append(f.Kinds, t.Layout()...)
		}
	}
	c.Target = c
	c.Func = &f
	c.Instrs = []ir.Instr{
		{Op: ir.OpCall, X: -1, N: int32(c.params), Dst: ir.Reg(c.params)},
		{Op: ir.OpReturn, X: -1, A: ir.Reg(c.params), N: int32(c.Results)},
	}
	c.pos = []ir.Pos{f.Declared, f.Declared}
	c.lists = make([]atomic.Pointer[[]liveReg], 2*len(c.Instrs))
	params, results, none := c.withKinds(span(0, c.params)), c.withKinds(span(c.params, c.Results)), []liveReg{}
	for i, l := range []*[]liveReg{&params, &none, &results, &none} {
		c.lists[i].Store(l)
	}
	return c
}

// span lists n registers from r on.
func span(r, n int) []ir.Reg {
	regs := make([]ir.Reg, n)
	for i := range regs {
		regs[i] = ir.Reg(r + i)
	}
	return regs
}

// Before lists the registers that are part of a state in which a thread is at pc; during, those of
// a frame that waits for the call at pc.
func (c *Code) Before(p *ir.Program, pc int) []liveReg { return c.list(p, 2*pc) }

func (c *Code) during(p *ir.Program, pc int) []liveReg { return c.list(p, 2*pc+1) }

func (c *Code) list(p *ir.Program, i int) []liveReg {
	if l := c.lists[i].Load(); l != nil {
		return *l
	}
	return c.makeList(p, i)
}

func (c *Code) makeList(p *ir.Program, i int) []liveReg {
	c.once.Do(func() { c.live = ir.NewLive(p, c.Func) })
	var regs []ir.Reg
	if i%2 == 0 {
		regs = c.live.Before(i / 2)
	} else {
		regs = c.live.During(i / 2)
	}
	l := c.withKinds(regs)
	c.lists[i].Store(&l)
	return l
}

// withKinds adds kinds, and the type word before interface data.
func (c *Code) withKinds(regs []ir.Reg) []liveReg {
	l := make([]liveReg, 0, len(regs))
	for _, r := range regs {
		kind := c.Func.Kinds[r]
		if kind == ir.IfaceData && (len(l) == 0 || l[len(l)-1].Reg != int32(r)-1) {
			l = append(l, liveReg{int32(r) - 1, ir.IfaceType})
		}
		l = append(l, liveReg{int32(r), kind})
	}
	return l
}

// UsesThreadIDs reports whether the program can ask for a thread's number. Then threads are not
// interchangeable, and saved states keep their order unless Options.Numbers is set.
func (img *Ground) UsesThreadIDs() bool { return img.ThreadIDs }
