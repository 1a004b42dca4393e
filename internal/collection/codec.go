// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"slices"
)

// Shape is the way in which values of a Go type and small ints represent each other.
type Shape uint8

const (
	AsInt      Shape = iota // the integer itself; unsigned ones by their bits, so that 0-1 is -1
	AsBool                  // 0 false, 1 true
	AsFloat                 // the whole number
	AsString                // 0 is "", 1 is "v01", 2 is "v02", …
	AsPointer               // points to elem
	AsDynamic               // an interface that holds elem
	AsStruct                // each field is another function of the number, see Tagged
	AsSequence              // a slice: each element is another function of the number
	AsArray                 // an array, likewise
	AsForeign               // a type of the standard library in Foreigns: time.Time, *big.Int
	AsOpaque                // a result: 0 is nil, 1 anything else
	AsError                 // a result: nil or not
	AsConstant              // a parameter that always gets the same value
	AsCallback              // a parameter func() that counts how often it is called
	AsContext               // a parameter: 0 is the background, 1 is cancelled at any moment
	AsFailure               // an error: 0 is nil, 1 any other, from FirstError on those of Errors
	AsFunc                  // a parameter: a function that records its arguments, and whose results depend on the int
	AsMap                   // a map of one element
	AsOuter                 // a parameter: a new buffered channel, which the thread stores as a handle
	AsHandle                // what one operation returns and others take; the thread that got it stores it
	AsThread                // an argument of the harness function alone: the calling thread
	AsAnother               // a parameter of the collection's own type: the other one of two, see Another
	AsWhich                 // an argument of the harness function alone: on which of two collections the method is called
	AsSeq                   // an iterator, which is executed at once, to its end or its first item
	AsDigest                // a result that need not equal an argument: a digest of its content
)

// Back begins a value in Overrides.Given that names an operation of the same object: "it.Unsubscribe". The functions that the method is
// given are generated, and the first call of each calls that operation.
const Back = "it."

// Pull is the value in Overrides.Given for a method whose iterator is to be read one element at a time.
const Pull = "iter.Pull"

// Another is the value in Overrides.Given for a method that takes a collection of its own type: there are two, made alike, a and b. Each call is on one
// of them, and the method is given the other one.
const Another = "another"

// Copy is the value in Overrides.Given for a method that gives another collection of its own type, such as Clone: the caller keeps it, and calls its methods.
const Copy = "copy"

// Sharing is the value in Overrides.Given for a method that gives several callers one result, and tells them so by a bool, as the Do of singleflight's
// Group does: the bool is not compared.
const Sharing = "sharing"

// NamesCopy reports whether an operation that gives a collection of its own type gives a copy, by its name.
func NamesCopy(operation string) bool {
	return slices.Contains([]string{"Clone", "Copy", "DeepClone", "DeepCopy", "Snapshot", "Dup", "Duplicate", "Fork"}, operation)
}

// OnlyNil ends what is said of a result of which nothing that it holds is compared.
func OnlyNil(operation string) string {
	return "that " + operation + " returns only nil is told from the rest"
}

// AnotherOf is what the reason calls a parameter of the collection's own type, for which a method is no operation: it "takes another Set".
func AnotherOf(name string) string { return "another " + name }

// The number of different values of a string and of a pointer.
const (
	StringValues  = 32
	PointerValues = 16
)

// PartElements is the number of elements of a slice that is part of a value; after ArrayElements elements a long array repeats them.
const (
	PartElements  = 2
	ArrayElements = 8
	NarrowTags    = 7 // of integers of 8 bits
	MostBits      = 4 // of bools in one value
	tagShift      = 4
)

// Tagged is the function of the number v that a part with a tag contains. Each part has another tag, so that a part in the place of
// another one shows. The function is its own inverse and maps 0 to 0. With tag 1, 3 becomes 19 and 19 becomes 3.
func Tagged(v int64, tag int) int64 {
	if d := int64(tag) << tagShift; v != 0 && v != d {
		return v ^ d
	}
	return v
}

// Elements are the numbers of the elements of the slice, or of the entries of the map, for which v stands where an operation is given several at once: two in both orders ([0 1]
// and [1 0], of which two calls may take locks against each other), one alone ([2]), none, and from 4 on three ([4 3 2]).
func Elements(v int64) []int64 {
	switch v {
	case 0:
		return []int64{0, 1}
	case 2:
		return []int64{2}
	case 3:
		return nil
	}
	numbers := []int64{v, v - 1}
	if v > 3 {
		numbers = append(numbers, v-2)
	}
	return numbers
}

// Which of two fields that vary by themselves a field is, see Paired.
const (
	FirstOfTwo  = 1 + iota // the first one, if both are numbers or texts
	SecondOfTwo            // the second one of these
	BesideFew              // the number or the text, if the other one is a bool or a constant
	OneOfFew               // that bool or constant
	Coarse                 // all others, where one field alone tells two values apart (Overrides.Alone)
)

// Paired is the function of the number v that one of two fields contains that vary by themselves: two numbers or texts (0 0), (1 2), (0 2), (2 1), (4 4), … or a number and a bool (0 0),
// (1 1), (0 1), (1 0), (4 0), … So two values may agree in one field and differ in the other, as two users of one name do, and From and To of two routes may be each other's. A value whose
// fields have changed places, or come from two values, is another one.
func Paired(v int64, which int) int64 {
	x, y := v&1, v>>1&1
	switch which {
	case FirstOfTwo:
		return v&^3 | x&y<<1 | x&^y
	case SecondOfTwo:
		return v&^3 | (x^y)<<1 | x&y
	case BesideFew:
		return v &^ 2
	case Coarse:
		return v &^ 1
	}
	return v&^3 | x ^ y
}

// A Codec turns an int into a value of a Go type (a parameter) or a value into an
// int (a result).
type Codec struct {
	Type      types.Type
	Shape     Shape
	Elem      *Codec   // of the element; of AsHandle: of the iterator that is stored after it was started, nil if it is none
	Key       *Codec   // of AsMap
	Parts     []Part   // of AsStruct: its fields; of AsArray: its first elements; of AsFunc: its parameters; of AsInt: the methods of a stand-in, each AsFunc; of an interface result: the types that it may have besides that of Elem
	Gives     []*Codec // of AsFunc: its results
	Names     []string // of AsInt and AsString: constants of the type that are its values, 2 or 4; none: any values
	Errors    []string // of AsFailure: the package's variables that hold errors
	Several   bool     // of AsSequence and AsMap as a parameter: it has as many elements as Elements says
	Slot      int      // of AsHandle and AsOuter: index into Collection.Handles
	Function           // of the value's number that the part contains
	Made      string   // of AsForeign: the key in Foreigns; of a stand-in's method: what it computes of two numbers (Less); of a stand-in for a constructor: Exclusive or Concurrent
	Other     *Codec   // of a field that does not count, in clients of one thread: every second value is made by this one
	Zero      bool     // it is read but never set: in a parameter it is the zero value
	Left      []string // fields with their types that are neither set nor read
	Chosen    int      // of AsFunc as a parameter without an argument: which answer it gives, see harness.agreed; of a stand-in for a constructor: 1 if it fails
	Constant  string   // Go expression, with the package's name if there is one
	ZeroIsNil bool     // pointers: 0 stands for nil, as a register's first value
	Fresh     bool     // pointers: every argument is a new object
	Taken     bool     // pointers: arguments point into a table, and results are compared with it
}

// A Function of a value's number is what a part of the value contains.
type Function struct {
	Tag  int // selects the function, see Tagged
	Pair int // of a field that varies by itself: FirstOfTwo and so on, see Paired; 0: it does not
	Bit  int // of AsBool and AsFailure: the bit of the number that it represents
	// Down: of AsInt and AsFloat: the larger the number is for which it stands, the smaller it is, see Lowered.
	Down bool
}

// Lowered is the number from which a part is taken off that goes down: without a tag 0 stands for 31, 1 for 30 and so on.
func (c *Codec) Lowered() int64 { return int64(c.Tag)<<tagShift | (StringValues - 1) }

// raised is the codec of the same values without Down, by which a result is shown that is no value: the zero value, where nothing was taken.
func (c *Codec) raised() *Codec {
	if c == nil {
		return nil
	}
	own := *c
	own.Down, own.Elem, own.Key = false, c.Elem.raised(), c.Key.raised()
	own.Parts = slices.Clone(c.Parts)
	for i := range own.Parts {
		own.Parts[i].Codec = own.Parts[i].Codec.raised()
	}
	return &own
}

// written is the number in Go that a part of AsInt or AsFloat has where v stands for the value.
func (c *Codec) written(v int64) int64 {
	if v = Tagged(v, c.Tag); c.Down {
		return c.Lowered() - v
	}
	return v
}

// Part is a field of a struct, or a parameter of a function.
type Part struct {
	Name    string
	Codec   *Codec
	Changes bool // of a parameter of a function: the function changes what it leads to, see Place
}

// All is the mask of a codec whose values represent every int.
const All = -1

// Mask is the set of bits of an int that survive encoding to a value and decoding again. A bool has 1, a string 31, an
// int All.
func (c *Codec) Mask() int {
	switch {
	case c.Zero:
		return 0
	case len(c.Names) > 0:
		return len(c.Names) - 1
	}
	switch c.Shape {
	case AsBool, AsFailure:
		return 1 << c.Bit
	case AsString:
		return StringValues - 1
	case AsPointer:
		return c.Elem.Mask() & (PointerValues - 1)
	case AsStruct, AsArray:
		m := 0
		for _, p := range c.Parts {
			m |= p.Codec.Mask()
		}
		return m
	case AsDynamic, AsSequence:
		return c.Elem.Mask()
	case AsMap:
		return c.Key.Mask() | c.Elem.Mask()
	case AsOpaque, AsError, AsSeq:
		return 0
	}
	return All
}

// Values is the number of different values; 0 if it is not bounded.
func (c *Codec) Values() int {
	switch c.Shape {
	case AsContext:
		return 2
	case AsFunc:
		return c.Choices()
	}
	if m := c.Mask(); m != All {
		return m + 1
	}
	return 0
}

// Composite reports whether the value is a struct or an array, which is decoded as a whole: to the int of an argument, or to
// a digest.
func (c *Codec) Composite() bool { return c.Shape == AsStruct || c.Shape == AsArray }

// Alone returns the only part by which values of a struct or an array differ; nil if there are several parts.
func (c *Codec) Alone() *Part {
	if len(c.Parts) == 1 && !c.Parts[0].Codec.Zero {
		return &c.Parts[0]
	}
	return nil
}

// Leaf reports whether a result of this shape is one int that represents the value by itself.
func (c *Codec) Leaf() bool {
	switch c.Shape {
	case AsInt, AsBool, AsFloat, AsString, AsFailure, AsHandle, AsDigest, AsForeign:
		return true
	}
	return false
}

// Chooses reports whether the int of a parameter selects a behaviour (a context, an error, a function) and not a value.
func (c *Codec) Chooses() bool {
	return c.Shape == AsContext || c.Shape == AsFailure || c.Shape == AsFunc
}

// Choices is the number of different answers of a generated function. The third one of a function that gives an error beside something
// else is an error beside the zero value.
func (c *Codec) Choices() int {
	n := 1
	for _, r := range c.Gives {
		if r.Shape == AsFailure && len(c.Gives) > 1 {
			return MostChoices
		}
		if v := r.Values(); v == 0 || v > n {
			n = max(2, min(v, 2))
		}
	}
	return n
}

// Nilable reports whether a result may be nil; it then takes two words.
func (c *Codec) Nilable() bool {
	switch c.Shape {
	case AsPointer, AsDynamic, AsOpaque, AsSequence:
		return true
	case AsForeign:
		_, pointer := c.Type.Underlying().(*types.Pointer)
		return pointer
	}
	return false
}
