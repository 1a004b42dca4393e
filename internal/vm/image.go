// Package vm executes compiled programs (package ir) with Go's semantics, over
// states that can be saved as flat, canonical words and loaded again.
//
// A Machine holds one state: threads with frames of word registers, a heap of
// typed objects, and what has been printed. Step runs one thread: it executes the
// visible access the thread stands at, then everything local up to the next one.
// An access is visible if another thread can reach the memory it touches, or if it
// synchronises. Every decision that Go leaves open is put to a Chooser.
//
// The package knows Go and nothing else: it does not search (package explore
// does), has no notion of operations, histories or properties, and does not load
// source code.
package vm

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/layout"
)

// Image is a program made ready for execution: what all machines share. It is
// immutable but for its caches, which are safe for concurrent use.
type Image struct {
	Prog    *ir.Program
	Strings *Strings

	codes []*code
	crash *code       // the last one
	types []*typeInfo // by type ID; the machine's own record types come last
	own   ownTypes
	// iterators gives, by the ID of a map type, the record of an iterator's list.
	iterators map[int]*ir.Type

	// The heap after package initialisation. Its objects keep their numbers in
	// every state, and a state holds only those that differ.
	base    []object
	baseMem []uint64
	// initInState says that package initialisation needs a decision, starts a
	// thread or blocks; then it is the first part of the first thread's run.
	initInState bool
	// usesThreadIDs says that the program can ask for a thread's number; then
	// threads are not interchangeable.
	usesThreadIDs bool
	// usesCallers says that the program can ask for the calls in progress.
	usesCallers bool
	classes     int
	// hasTry says that the program can find out whether a lock is held.
	hasTry bool
	// purposes are what the words of the program's types are for, found when first asked.
	purposes func() *ir.Purposes
}

// ownTypes are the layouts of objects that the machine makes for itself.
type ownTypes struct {
	cell  *ir.Type // a defer list: pointer to the newest record
	panic *ir.Type // a panic in progress: see panicking.go
	ptr   *ir.Type
	word  *ir.Type
	iface *ir.Type
	str   *ir.Type
}

// code is a function made ready.
type code struct {
	fn      *ir.Func
	instrs  []ir.Instr
	pos     []ir.Pos
	params  int
	free    int
	results int
	zero    bool // registers are cleared on entry
	builtin *builtin
	target  *code // of an external function's body: the function itself
	once    sync.Once
	live    *ir.Live
	lists   []atomic.Pointer[[]liveReg]
}

// liveReg is a register that is part of a state.
type liveReg struct {
	reg  int32
	kind ir.Kind
}

// typeInfo is what the machine asks about a type again and again.
type typeInfo struct {
	typ    *ir.Type
	layout []ir.Kind
	refs   []int32 // offsets of words that may hold references, interface data included
	// unordered is the key type of a map's entries or an iterator's list, whose
	// order means nothing; otherwise nil.
	unordered *ir.Type
	class     int32  // the first of the type's classes, see frozen.go
	locks     []bool // which words belong to locks, see locks.go; nil: none
}

// NewImage prepares a program and runs its package initialisation.
func NewImage(prog *ir.Program) (*Image, error) {
	img := &Image{Prog: prog, Strings: newStrings(prog.Strings)}
	img.purposes = sync.OnceValue(func() *ir.Purposes { return ir.FindPurposes(prog) })
	img.prepareTypes()
	for _, f := range prog.Funcs {
		img.codes = append(img.codes, prepare(prog, f))
		img.usesCallers = img.usesCallers || f.Name == "runtime.Callers" || f.Name == "runtime.Caller"
		img.usesThreadIDs = img.usesThreadIDs || f.Name == "pangolin/mark.Thread"
		img.hasTry = img.hasTry || tries[f.Name]
	}
	img.crash = img.crashCode()
	img.codes = append(img.codes, img.crash)
	if err := img.initialise(); err != nil {
		return nil, err
	}
	img.numberClasses()
	return img, nil
}

func (img *Image) prepareTypes() {
	for _, t := range img.Prog.Types {
		img.types = append(img.types, newTypeInfo(t))
	}
	ptr := img.addType(&ir.Type{Name: "pointer", Class: ir.PointerClass, Size: 1})
	word := img.addType(&ir.Type{Name: "word", Class: ir.Uint64, Size: 1})
	iface := img.addType(&ir.Type{Name: "interface {}", Class: ir.Interface, Size: 2})
	str := img.addType(&ir.Type{Name: "string", Class: ir.StringClass, Size: 1})
	img.own = ownTypes{ptr: ptr, word: word, iface: iface, str: str}
	img.own.cell = img.addType(record("defer list", ptr))
	img.own.panic = img.addType(record("panic", ptr, iface, word, word))
	img.iterators = map[int]*ir.Type{}
	for _, t := range img.Prog.Types {
		if t != nil && t.Class == ir.Map {
			img.iterators[t.ID] = img.addType(record("iterator", t.Key, word))
			img.types[t.Entry.ID].unordered = t.Key
			img.types[len(img.types)-1].unordered = t.Key
		}
	}
}

func (img *Image) addType(t *ir.Type) *ir.Type {
	t.ID = len(img.types)
	img.types = append(img.types, newTypeInfo(t))
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

func newTypeInfo(t *ir.Type) *typeInfo {
	if t == nil {
		return nil
	}
	flat, n := t.Flatten()
	info := &typeInfo{typ: t}
	if n > ir.MaxLayout { // objects of it have the element's type
		info.layout, info.locks = flat.Layout(), locksOf(flat)
	} else {
		info.layout, info.locks = t.Layout(), locksOf(t)
	}
	for i := len(info.layout) - 1; i > 0; i-- {
		if info.layout[i] == ir.Unsafe && info.layout[i-1] == ir.Unsafe {
			info.layout = slices.Clone(info.layout)
			info.layout[i] = layout.UnsafeSecond
		}
	}
	for i, k := range info.layout {
		switch k {
		case ir.Pointer, ir.Unsafe, layout.UnsafeSecond, ir.Code, ir.IfaceData:
			info.refs = append(info.refs, int32(i))
		}
	}
	return info
}

func prepare(prog *ir.Program, f *ir.Func) *code {
	c := &code{fn: f, params: f.ParamWords(), free: f.FreeWords(), results: f.ResultWords()}
	if f.External {
		return c.external()
	}
	c.instrs, c.pos = f.Code, f.Pos
	c.zero = f.DeferReg != ir.NoReg || f.Recover >= 0
	c.lists = make([]atomic.Pointer[[]liveReg], 2*len(f.Code))
	return c
}

// external gives a function without code a body, so that threads can stand in it
// when it is deferred, started with go or called through a value: it calls the
// built-in meaning with its own parameters and returns what that gives.
func (c *code) external() *code {
	f := *c.fn
	f.NumRegs, f.DeferReg, f.Recover, f.Wrapper = c.params+c.results, ir.NoReg, -1, true
	f.Kinds = nil
	for _, list := range [][]*ir.Type{f.Params, f.Results} {
		for _, t := range list {
			f.Kinds = append(f.Kinds, t.Layout()...)
		}
	}
	c.builtin, c.target = meaning(f.Name), c
	c.fn = &f
	c.instrs = []ir.Instr{
		{Op: ir.OpCall, X: -1, N: int32(c.params), Dst: ir.Reg(c.params)},
		{Op: ir.OpReturn, X: -1, A: ir.Reg(c.params), N: int32(c.results)},
	}
	c.pos = []ir.Pos{f.Declared, f.Declared}
	c.lists = make([]atomic.Pointer[[]liveReg], 2*len(c.instrs))
	params, results, none := c.withKinds(span(0, c.params)), c.withKinds(span(c.params, c.results)), []liveReg{}
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

// before lists the registers that belong to a state in which a thread stands at
// pc; during, those of a frame that waits for the call at pc.
func (c *code) before(p *ir.Program, pc int) []liveReg { return c.list(p, 2*pc) }

func (c *code) during(p *ir.Program, pc int) []liveReg { return c.list(p, 2*pc+1) }

func (c *code) list(p *ir.Program, i int) []liveReg {
	if l := c.lists[i].Load(); l != nil {
		return *l
	}
	return c.makeList(p, i)
}

func (c *code) makeList(p *ir.Program, i int) []liveReg {
	c.once.Do(func() { c.live = ir.NewLive(p, c.fn) })
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
func (c *code) withKinds(regs []ir.Reg) []liveReg {
	l := make([]liveReg, 0, len(regs))
	for _, r := range regs {
		kind := c.fn.Kinds[r]
		if kind == ir.IfaceData && (len(l) == 0 || l[len(l)-1].reg != int32(r)-1) {
			l = append(l, liveReg{int32(r) - 1, ir.IfaceType})
		}
		l = append(l, liveReg{int32(r), kind})
	}
	return l
}

// UsesThreadIDs says that the program can ask for a thread's number: then threads are
// not interchangeable, and saved states keep their order, unless Options.Numbers is set.
func (img *Image) UsesThreadIDs() bool { return img.usesThreadIDs }
