// SPDX-License-Identifier: BSD-3-Clause

// Package ir is the small instruction set to which Go programs are compiled
// before they are executed or analysed.
//
// A Program is typed and flat. Every value is a sequence of 64-bit words, and a
// Kind says what each word holds. A function has word registers, numbered from
// 0, and a list of instructions grouped into basic blocks; control transfers name
// instructions by their index. All memory is reached through explicit
// instructions (OpLoad, OpStore, the atomics, maps, channels), each with a source
// position, so an engine sees every access.
//
// The package describes programs and nothing else: it does not load Go source
// (package front does), it does not execute anything and has no opinion on
// scheduling, states or properties (packages vm, explore).
package ir

import "fmt"

// Program is a closed set of functions: everything reachable from its roots.
type Program struct {
	Funcs   []*Func   // a function's ID is its index
	Types   []*Type   // a type's ID is its index; Types[0] is nil, the type of a nil interface
	Globals []*Global // object i+1 of the initial heap is global i
	Calls   []*Call   // indexed by OpCall, OpGo and OpDefer
	Selects []*Select // indexed by OpSelect
	Lists   [][]Arg   // indexed by OpReturn, OpMakeClosure, OpPrint and OpAnnounce

	Consts     []uint64 // constant words; register ^i names Consts[i]
	ConstKinds []Kind   // what each constant word holds
	Strings    []string // string constants; a String word is an index; Strings[0] is ""
	Messages   []string // texts of OpUnsupported
	Files      []string // file names that positions refer to

	Args  []string // os.Args without the program's name
	Clock Clock

	// Simple are the keys of the methods that reflection may call, sorted: exported, without parameters and results.
	Simple []string

	// Notes collects what a verdict about the program has to mention because an execution got
	// there.
	Notes *Notes

	Roots []*Func // functions that an engine may call, in the order asked for
	Init  *Func   // initialises the packages' variables; nil if there is nothing to do

	Errors Errors
}

// Errors are the types of the values with which the machine itself panics, named as in package
// runtime. Their underlying type is string. Assertion and Nil are pointers in programs that can
// name them, where they are the types of package runtime.
type Errors struct {
	Runtime   *Type // the message without its prefix "runtime error: "
	Bounds    *Type // the same, for an index out of range
	Plain     *Type // the message, without a prefix
	Assertion *Type // the same, for a type assertion
	Nil       *Type // the same, for panic(nil)
}

// List lists them.
func (e *Errors) List() []*Type { return []*Type{e.Runtime, e.Bounds, e.Plain, e.Assertion, e.Nil} }

// Global is a package-level variable.
type Global struct {
	Name string // package path and name, "pkg/path.name"
	Type *Type
	// ReadOnly says that no function but the package initialisers can write the
	// variable itself: nothing else stores to it or takes its address.
	ReadOnly bool
}

// Func is a function, method, closure body or synthetic wrapper.
type Func struct {
	ID      int
	Name    string // full and unique, e.g. "(*pkg/path.Queue[int]).Enqueue"
	Short   string // for people, e.g. "(*Queue[int]).Enqueue"
	Params  []*Type
	Results []*Type
	Free    []*Type // free variables; in registers behind the parameters

	Code    []Instr
	Pos     []Pos   // one for each instruction
	Blocks  []Block // in order; together they cover Code
	NumRegs int
	Kinds   []Kind // of each register
	// Names are the source variables known to have registers of their own, by register. Others are
	// in unnamed registers, or in memory.
	Names []Name

	// DeferReg holds the function's defer list (a pointer to a cell), or NoReg
	// if it defers nothing. The register is nil on entry.
	DeferReg Reg
	// Recover is the instruction at which the function goes on after one of its
	// deferred calls recovered a panic, or -1.
	Recover int
	// Wrapper marks a synthetic function that stands between a caller and the
	// function that was meant: a deferred call of a wrapper counts as a deferred
	// call of what it calls, so that recover works there.
	Wrapper bool
	// External says that the function has no Code: the machine has a built-in
	// meaning for its Name, or none, which is an error when it is called.
	External bool
	// Model says that the function stands for one of the standard library's.
	Model bool
	// Standard says that the function's package belongs to the standard library, though its
	// source is compiled like the program's own.
	Standard bool
	// NoRace says that the function's accesses are no data races, whatever they meet.
	NoRace bool
	// Harness is true for functions in Request.Harness of package front, which are nobody's code:
	// they call the operations.
	Harness bool
	// Declared is the position of the function's declaration.
	Declared Pos
}

// Library reports whether the function is not the user's: it belongs to the standard library or
// models a part of it.
func (f *Func) Library() bool { return f.External || f.Model || f.Standard }

// Name is a variable of the source: Type.Size words from Reg on.
type Name struct {
	Name string
	Reg  Reg
	Type *Type
}

// NameOf is the variable that a register belongs to, and which of its words it is; nil if
// it has no name.
func (f *Func) NameOf(r Reg) (name *Name, off int) {
	for i := range f.Names {
		if n := &f.Names[i]; r >= n.Reg && int(r) < int(n.Reg)+n.Type.Size {
			return n, int(r - n.Reg)
		}
	}
	return nil, 0
}

// ParamWords is the number of words of all parameters.
func (f *Func) ParamWords() int { return sizeOf(f.Params) }

// FreeWords is the number of words of all free variables.
func (f *Func) FreeWords() int { return sizeOf(f.Free) }

// ResultWords is the number of words of all results.
func (f *Func) ResultWords() int { return sizeOf(f.Results) }

func sizeOf(types []*Type) int {
	n := 0
	for _, t := range types {
		n += t.Size
	}
	return n
}

// Block is a maximal straight piece of code: Code[Start:End].
type Block struct {
	Start, End int
	Comment    string // what the block is, e.g. "for.body"
}

// Pos is a source position; File is an index into Program.Files. The zero Pos
// with Line 0 means that there is none.
type Pos struct {
	File, Line, Col int32
}

// Position prints a position as "file.go:12".
func (p *Program) Position(pos Pos) string {
	if pos.Line == 0 || int(pos.File) >= len(p.Files) {
		return "-"
	}
	return fmt.Sprintf("%s:%d", p.Files[pos.File], pos.Line)
}

// Reg names a word register of the running function (r >= 0) or a word of
// Program.Consts (r < 0, the index is ^r). A value of several words has
// consecutive registers, or consecutive constants.
type Reg int32

// NoReg stands for an absent operand.
const NoReg Reg = -1 << 31

// Const is the register that names constant word i.
func Const(i int) Reg { return ^Reg(i) }

// Word returns the register of the value's word i.
func (r Reg) Word(i int) Reg {
	if r < 0 {
		return r - Reg(i)
	}
	return r + Reg(i)
}

// Arg is a value that is passed somewhere: Type.Size words from Reg on.
type Arg struct {
	Reg  Reg
	Type *Type
}

// CallKind tells how the callee of a Call is found.
type CallKind uint8

// The ways to find the callee.
const (
	CallStatic  CallKind = iota // Call.Func
	CallClosure                 // the Func word in Call.Fn
	CallMethod                  // method Call.Method of the interface value in Call.Fn (two words)
)

// Call describes a call, wherever it stands: in OpCall, OpGo or OpDefer.
type Call struct {
	Kind   CallKind
	Func   *Func   // CallStatic
	Fn     Reg     // CallClosure, CallMethod
	Method string  // CallMethod: a key of Type.Methods
	Args   []Arg   // parameters in order; for CallMethod without the receiver
	Result []*Type // of the callee
	Record *Type   // OpDefer: layout of the record: next, index in Program.Calls, the callee's words (Fn), arguments
	ID     int     // index in Program.Calls
}

// FnWords is how many words the callee's value takes: none, a Func word, or an
// interface.
func (c *Call) FnWords() int { return int(c.Kind) }

// Select describes a select statement.
type Select struct {
	Cases    []SelectCase
	Blocking bool // it has no default case
}

// SelectCase is one communication of a select.
type SelectCase struct {
	Send bool
	Chan Reg
	Elem *Type
	Val  Reg // Send: what is sent; otherwise where a received value goes (NoReg: nowhere)
	Pos  Pos
}

// FuncTag and TypeTag are set in Func words of functions without free variables
// and in the type words of interface values. No pointer has the bit.
const (
	FuncTag uint64 = 1 << 63
	TypeTag uint64 = 1 << 63
)

// FuncWord is the value of a function without free variables.
func FuncWord(f *Func) uint64 { return FuncTag | uint64(f.ID) }

// TypeWord is the type word of an interface value with dynamic type t; nil
// interfaces have 0.
func TypeWord(t *Type) uint64 { return TypeTag | uint64(t.ID) }

// GlobalPointer is the address of global i: word 0 of object i+1.
func GlobalPointer(i int) uint64 { return uint64(i+1) << 32 }
