package collection

import "go/types"

// Shape is how a Go type and a small int stand for one another.
type Shape uint8

const (
	AsInt      Shape = iota // the integer itself; unsigned ones by their bits, so that 0-1 is -1
	AsBool                  // 0 false, 1 true
	AsFloat                 // the whole number
	AsString                // 0 is "", 1 is "v01", 2 is "v02", …
	AsPointer               // points to elem
	AsDynamic               // an interface that holds elem
	AsStruct                // the field holds elem, others are zero
	AsSequence              // slice or array of one elem
	AsOpaque                // a result of which only nil is told from the rest
	AsError                 // a result: nil or not
	AsConstant              // a parameter that always gets the same value
	AsCallback              // a parameter func() that counts how often it is called
)

// The numbers of different values that some shapes have.
const (
	StringValues  = 32
	PointerValues = 16
)

// SequenceBase is the base in which the elements of a slice are put together as one integer.
const SequenceBase = 64

// A Codec turns an int into a value of a Go type (a parameter) or a value into an
// int (a result).
type Codec struct {
	Type      types.Type
	Shape     Shape
	Elem      *Codec
	Field     string // of AsStruct; "" if there is nothing to tell values apart
	Constant  string // Go expression, with the package's name if there is one
	ZeroIsNil bool   // pointers: 0 stands for nil, as a register's first value
	Fresh     bool   // pointers: every argument is a new object
}

// Values is the number of different values, 0 if there is no bound.
func (c *Codec) Values() int {
	switch c.Shape {
	case AsBool:
		return 2
	case AsString:
		return StringValues
	case AsStruct:
		if c.Field == "" {
			return 1
		}
		return c.Elem.Values()
	case AsPointer:
		if n := c.Elem.Values(); n != 0 {
			return min(n, PointerValues)
		}
		return PointerValues
	case AsDynamic, AsSequence:
		return c.Elem.Values()
	}
	return 0
}

// Nilable tells the shapes whose results may be absent; they take two words.
func (c *Codec) Nilable() bool {
	switch c.Shape {
	case AsPointer, AsDynamic, AsOpaque:
		return true
	case AsSequence:
		_, isSlice := c.Type.Underlying().(*types.Slice)
		return isSlice
	}
	return false
}
