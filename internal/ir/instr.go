// SPDX-License-Identifier: BSD-3-Clause

package ir

// Instr is one instruction. What its operands mean stands at its Op; an operand
// that is not mentioned there is not used.
type Instr struct {
	Op  Op
	Num Num  // number format
	Ok  bool // the comma-ok form; OpSend, OpSelect: see there
	Dst Reg  // where the result goes
	A   Reg  // operands
	B   Reg
	C   Reg
	N   int32 // a count, an offset, a target
	X   int32 // an index into a table of the program; of instructions that index or cut, see there
	T   *Type
}

// AssertsReceiver is the X of the OpAssert in front of a method value, which an interface must not
// be nil for.
const AssertsReceiver = 1

// Op is an operation.
type Op uint8

// In the descriptions, x is the word of operand X; x.. are several words. "Panics"
// means a Go panic of the running thread.
const (
	OpNop Op = iota
	// OpUnsupported ends the execution: the program needs something that has no
	// meaning here; Messages[X] says what.
	OpUnsupported

	// Registers.
	OpMove // Dst.. = a.., N words; with Ok the data of a slice, taken by unsafe.SliceData
	OpZero // Dst.. = 0, N words

	// Numbers in format Num. Integer results wrap.
	OpAdd
	OpSub
	OpMul
	OpDiv // panics on integer division by zero
	OpRem // panics on integer division by zero
	OpAnd
	OpOr
	OpXor
	OpAndNot
	OpShl // Dst = a << b; b is a count in the format N (a Num), panics if negative
	OpShr
	OpNeg
	OpCompl // bitwise complement
	OpNot   // Dst = !a
	OpEq    // Dst = a == b in format Num (Str compares strings, Word bits)
	OpNe
	OpLt
	OpLe
	OpEqual   // Dst = a.. == b.., values of type T; panics on interfaces that hold uncomparable values
	OpConvert // Dst = a converted from format Num to format N (a Num)

	// Strings.
	OpConcat // Dst = a + b
	OpStrLen // Dst = len(a)
	// Of what indexes or cuts, the bits of X say which indices are unsigned numbers of 64 bits, in
	// their order: the texts of panics show them.
	OpStrIndex   // Dst = a[b], a byte; panics if out of range
	OpStrSlice   // Dst = a[b:c]; B, C may be NoReg; panics if out of range
	OpStrToBytes // Dst.. = []byte(a); T is the slice type; with N its capacity is open; with X it is the string's own memory
	OpStrToRunes // Dst.. = []rune(a); T is the slice type; with N its capacity is open
	OpBytesToStr // Dst = string(a..), a slice of bytes; with N the string consists of that memory
	OpRunesToStr // Dst = string(a..), a slice of runes
	OpRuneToStr  // Dst = string(rune(a)), a an integer in format Num
	OpStrNext    // Dst, Dst+1, Dst+2 = ok, index, rune: the next rune of string a from byte offset a+1, which is advanced. A is a register pair

	// Memory. A nil pointer panics.
	OpNew       // Dst = pointer to a new zeroed T
	OpMakeSlice // Dst.. = make([]T, a, b); panics on a bad length
	OpLoad      // Dst.. = *a, T.Size words
	OpStore     // *a = b.., T.Size words
	OpField     // Dst = &a.field: pointer plus N words; X is the field's index, T the struct
	OpElem      // Dst = &a[b], a.. a slice with elements T; panics if out of range
	OpArrayElem // Dst = &a[b], a a pointer to an array of N elements T
	OpIndex     // Dst.. = a[b], a.. an array of N elements T in registers
	OpSlice     // Dst.. = a[b:c:n], a.. a slice with elements T; B, C and Reg(N) may be NoReg
	OpSliceArr  // Dst.. = a[b:c:n], a a pointer to an array; T is the array type
	OpArrayPtr  // Dst = (*[N]T)(a..), a.. a slice; panics if it is shorter
	OpAppend    // Dst.. = append(a.., b..), slices with elements T; with Ok, b is a string. C, if not NoReg, points to where a.. was loaded from and Dst.. is stored next; with N the capacity of Dst.. is open
	OpCap       // Dst = cap(a..), a slice with elements T
	OpCopy      // Dst = copy(a.., b..), slices with elements T; with Ok, b is a string
	OpClear     // clear(a..), a slice with elements T
	OpAddress   // Dst = the address of what a, an unsafe.Pointer, refers to, as a number
	OpCast      // Dst = a, an unsafe.Pointer, as a pointer to T; an error unless the memory there has T's layout

	// Atomic accesses to one word.
	OpAtomicLoad  // Dst = *a
	OpAtomicStore // *a = b
	OpAtomicSwap  // Dst = *a; *a = b
	OpAtomicCAS   // Dst = *a == b; if so *a = c
	OpAtomicAdd   // *a += b; Dst = *a (the new value), format Num
	OpAtomicAnd   // Dst = *a (the old value); *a &= b
	OpAtomicOr    // Dst = *a (the old value); *a |= b

	// Maps; T is the map type.
	OpMakeMap  // Dst = make(T)
	OpMapGet   // Dst.. = a[b..]; with Ok one more word: whether it was there
	OpMapSet   // a[b..] = c..; panics if a is nil
	OpMapDel   // delete(a, b..)
	OpMapClear // clear(a)
	OpMapLen   // Dst = len(a)
	OpMapRange // Dst, Dst+1 = an iterator over a
	OpMapNext  // Dst = ok, Dst+1.. = key.., then element..: the next of iterator a..

	// Channels; T is the channel type.
	OpMakeChan // Dst = make(T, a); panics on a bad size
	OpSend     // a <- b..
	OpRecv     // Dst.. = <-a; with Ok one more word
	OpClose    // close(a)
	OpChanLen  // Dst = len(a)
	OpChanCap  // Dst = cap(a)
	OpSelect   // Dst = index of the chosen case (-1: default), Dst+1 = received (not closed); Selects[X]

	// Interfaces.
	OpMakeIface // Dst, Dst+1 = a.. as an interface value with dynamic type T
	OpAssert    // Dst.. = a..(T); with Ok one more word and no panic; N is the ID of the type that a has in the source
	// With X = AssertsReceiver its failure is a nil dereference.

	// Functions.
	OpMakeClosure // Dst = closure of function N with free variables Lists[X]; T is the record: Func word, variables
	OpCall        // Dst.. = Calls[X]
	OpGo          // go Calls[X]
	OpDefer       // defer Calls[X], on the list in A (a value of OpDeferList) or, with NoReg, the function's own
	OpDeferList   // Dst = the function's own defer list
	OpRunDefers   // runs the function's deferred calls, last first
	OpPanic       // panic(a..), an interface value
	OpRecover     // Dst, Dst+1 = recover(); with Ok in a function that stands for a deferred recover()
	OpReturn      // return Lists[X]
	OpJump        // go on at N
	OpIf          // go on at N if a, else at X
	OpPrint       // print(Lists[X]...); with Ok println

	// Ghost code: what a policy wants evaluated together with an access. It is no access
	// itself, writes no memory of the program and takes no step of its own unless it must.
	OpGhost    // with Ok ghost code begins, else it ends
	OpAnnounce // in ghost code: an announcement with the words of Lists[X]: a rule's number, whose call it is, values
	OpSlots    // a is the pointer to what ghost code keeps for the call of this thread, a call of the bottom function; with Ok it is not needed any more
	OpSlotsOf  // Dst = that pointer of the thread in place a; nil if it has none
	OpThreads  // Dst = the number of places of threads; with Ok that of the running one

	numOps
)

var opNames = [numOps]string{
	OpNop: "nop", OpUnsupported: "unsupported", OpMove: "move", OpZero: "zero",
	OpAdd: "add", OpSub: "sub", OpMul: "mul", OpDiv: "div", OpRem: "rem", OpAnd: "and", OpOr: "or",
	OpXor: "xor", OpAndNot: "andnot", OpShl: "shl", OpShr: "shr", OpNeg: "neg", OpCompl: "compl",
	OpNot: "not", OpEq: "eq", OpNe: "ne", OpLt: "lt", OpLe: "le", OpEqual: "equal", OpConvert: "convert",
	OpConcat: "concat", OpStrLen: "strlen", OpStrIndex: "strindex", OpStrSlice: "strslice",
	OpStrToBytes: "strtobytes", OpStrToRunes: "strtorunes", OpBytesToStr: "bytestostr",
	OpRunesToStr: "runestostr", OpRuneToStr: "runetostr", OpStrNext: "strnext",
	OpNew: "new", OpMakeSlice: "makeslice", OpLoad: "load", OpStore: "store", OpField: "field",
	OpElem: "elem", OpArrayElem: "arrayelem", OpIndex: "index", OpSlice: "slice", OpSliceArr: "slicearr",
	OpArrayPtr: "arrayptr", OpAppend: "append", OpCap: "cap", OpCopy: "copy", OpClear: "clear", OpAddress: "address", OpCast: "cast",
	OpAtomicLoad: "atomicload", OpAtomicStore: "atomicstore", OpAtomicSwap: "atomicswap",
	OpAtomicCAS: "atomiccas", OpAtomicAdd: "atomicadd", OpAtomicAnd: "atomicand", OpAtomicOr: "atomicor",
	OpMakeMap: "makemap", OpMapGet: "mapget", OpMapSet: "mapset", OpMapDel: "mapdel", OpMapClear: "mapclear",
	OpMapLen: "maplen", OpMapRange: "maprange", OpMapNext: "mapnext",
	OpMakeChan: "makechan", OpSend: "send", OpRecv: "recv", OpClose: "close", OpChanLen: "chanlen",
	OpChanCap: "chancap", OpSelect: "select", OpMakeIface: "makeiface", OpAssert: "assert",
	OpMakeClosure: "makeclosure", OpCall: "call", OpGo: "go", OpDefer: "defer", OpDeferList: "deferlist",
	OpRunDefers: "rundefers", OpPanic: "panic", OpRecover: "recover", OpReturn: "return", OpJump: "jump",
	OpIf: "if", OpPrint: "print", OpGhost: "ghost", OpAnnounce: "announce", OpSlots: "slots", OpSlotsOf: "slotsof", OpThreads: "threads",
}

func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return "invalid"
}
