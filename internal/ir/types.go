// SPDX-License-Identifier: BSD-3-Clause

package ir

// Kind says what one word holds, so that references can be found, renumbered
// and traced.
type Kind uint8

// The kinds.
const (
	Scalar    Kind = iota // an integer (sign- or zero-extended), a bool (0 or 1) or the bits of a float
	Pointer               // a reference: object number in the upper half, word offset in the lower; 0 is nil. Pointers, maps, channels
	Unsafe                // an unsafe.Pointer: as Pointer, or (through casts) a type word followed by interface data
	Code                  // a Func word: 0, FuncTag with a function's ID, or a reference to a closure object
	String                // an interned string; 0 is ""
	IfaceType             // the type word of an interface value: 0, or TypeTag with a type's ID
	IfaceData             // behind an IfaceType word: the value itself if it has one word, 0 if none, else a reference to an immutable copy
)

// Class is the shape of a type.
type Class uint8

// The classes. Those without a comment are the types of Go that have the name; a value has Size words.
const (
	Bool Class = iota
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	StringClass
	UnsafePointer
	PointerClass // Elem
	FuncClass
	Interface // IfaceMethods
	Map       // Key, Elem, Entry
	Chan      // Elem
	Slice     // Elem; words: pointer, length, capacity
	Array     // Elem, Len
	Struct    // Fields
	Record    // made by the compiler: closures, defer records, map entries
)

// Type describes a Go type. Two types are identical iff they are the same *Type.
type Type struct {
	ID      int
	Name    string // as %T prints it: "main.T", "[]int", "map[string]bool"
	Class   Class
	Named   bool   // declared with a name (or a predeclared type)
	PkgPath string // of a declared type
	Elem    *Type
	Key     *Type
	Entry   *Type // Map: the record of key and element
	Len     int   // Array
	Fields  []Field
	Size    int // words of a value
	// NotComparable says that == on a value of this type does not compile or,
	// inside an interface, panics.
	NotComparable bool
	// Direction of a channel as in the source: 0 both, 1 send, 2 receive.
	Direction int
	// Methods are those in the method set of this (non-interface) type that
	// programs can reach through an interface. The key is the method's name, its
	// package if it is not exported, and its signature, so two keys are equal
	// iff an interface's method is implemented. A nil value: never called.
	Methods map[string]*Func
	// Exported are the keys in Methods of the exported methods, by name, as package reflect numbers them.
	Exported []string
	// Standard says of a Dynamic type that all its methods are of the standard library.
	Standard bool
	// Dynamic says that the program makes interface values of the type, so that Methods is filled.
	Dynamic bool
	// IfaceMethods are the keys of an Interface's methods, sorted.
	IfaceMethods []string
	// Signature of a FuncClass type, printed: "func(int) string".
	layout []Kind
}

// Field is a field of a Struct or Record.
type Field struct {
	Name     string
	Type     *Type
	Offset   int // words
	Embedded bool
	Exported bool
	PkgPath  string // of one that is not exported: the package that declares it
	Tag      string
}

// MaxLayout is how many elements an array has at most whose values are laid out word by
// word. Objects of a larger one are laid out as its elements, see Flatten.
const MaxLayout = 1 << 16

// MaxObject is the size in words up to which there are objects and values of a type: what
// a machine has room for. Larger types have no layout; a program that needs a value of one
// is refused where it does.
const MaxObject = 1 << 26

// Layout returns the kind of each word of a value.
func (t *Type) Layout() []Kind {
	if t.layout == nil && t.Size > 0 && t.Size <= MaxObject {
		t.layout = t.appendLayout(make([]Kind, 0, t.Size))
	}
	return t.layout
}

func (t *Type) appendLayout(dst []Kind) []Kind {
	switch t.Class {
	case StringClass:
		return append(dst, String)
	case UnsafePointer:
		return append(dst, Unsafe)
	case PointerClass, Map, Chan:
		return append(dst, Pointer)
	case FuncClass:
		return append(dst, Code)
	case Interface:
		return append(dst, IfaceType, IfaceData)
	case Slice:
		return append(dst, Pointer, Scalar, Scalar)
	case Complex64, Complex128:
		return append(dst, Scalar, Scalar)
	case Array:
		for range t.Len {
			dst = append(dst, t.Elem.Layout()...)
		}
		return dst
	case Struct, Record:
		for _, f := range t.Fields {
			dst = append(dst, f.Type.Layout()...)
		}
		return dst
	default:
		return append(dst, Scalar)
	}
}

// IsInterface says whether values of the type are interface values.
func (t *Type) IsInterface() bool { return t.Class == Interface }

// MayHaveMethods says of a type that is not Dynamic, so that Methods is not filled, whether there could be some.
func (t *Type) MayHaveMethods() bool {
	switch t.Class {
	case PointerClass:
		return t.PkgPath != "" || t.Elem.PkgPath != "" || t.Elem.Class == Struct || t.Elem.IsInterface()
	case Struct:
		return true
	}
	return t.PkgPath != ""
}

// Flatten returns an element type and a count that describe the same words:
// an array of arrays of E is n times E.
func (t *Type) Flatten() (elem *Type, n int) {
	elem, n = t, 1
	for elem.Class == Array {
		n *= elem.Len
		elem = elem.Elem
	}
	return elem, n
}

// Num is the format of numbers (and strings) that an arithmetic or comparing
// instruction works on.
type Num uint8

// The formats: I8 is int8, U8 uint8, F64 float64.
const (
	Word Num = iota // compared bit by bit: bools, pointers, channels, types
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F32 // the bits of a float32 in the low half of the word
	F64
	C64  // two words
	C128 // two words
	Str
)

// NumOf gives the number format of a type's values; Word where there is none.
func NumOf(t *Type) Num {
	switch t.Class {
	case Int, Int64:
		return I64
	case Int8:
		return I8
	case Int16:
		return I16
	case Int32:
		return I32
	case Uint, Uint64, Uintptr:
		return U64
	case Uint8:
		return U8
	case Uint16:
		return U16
	case Uint32:
		return U32
	case Float32:
		return F32
	case Float64:
		return F64
	case Complex64:
		return C64
	case Complex128:
		return C128
	case StringClass:
		return Str
	default:
		return Word
	}
}

// Signed says whether the format is a signed integer.
func (n Num) Signed() bool { return n >= I8 && n <= I64 }

// Bits is the width of an integer format.
func (n Num) Bits() uint {
	switch n {
	case I8, U8:
		return 8
	case I16, U16:
		return 16
	case I32, U32:
		return 32
	default:
		return 64
	}
}

// Words is how many words a number takes.
func (n Num) Words() int {
	if n == C64 || n == C128 {
		return 2
	}
	return 1
}

// Wrap brings the low bits of an integer result into the format: sign-extended
// or zero-extended to 64 bits.
func (n Num) Wrap(x uint64) uint64 {
	switch n {
	case I8:
		return uint64(int64(int8(x)))
	case I16:
		return uint64(int64(int16(x)))
	case I32:
		return uint64(int64(int32(x)))
	case U8:
		return uint64(uint8(x))
	case U16:
		return uint64(uint16(x))
	case U32:
		return uint64(uint32(x))
	default:
		return x
	}
}

var numNames = [...]string{Word: "word", I8: "i8", I16: "i16", I32: "i32", I64: "i64", U8: "u8", U16: "u16",
	U32: "u32", U64: "u64", F32: "f32", F64: "f64", C64: "c64", C128: "c128", Str: "str"}

func (n Num) String() string {
	if int(n) < len(numNames) {
		return numNames[n]
	}
	return "invalid"
}
