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
	AsContext               // a parameter: 0 is the background, 1 is cancelled at any moment
	AsFailure               // an error: 0 is nil, 1 any other, from 2 on those of Errors
	AsFunc                  // a parameter: a function that notes its arguments and returns what the int says
	AsMap                   // a map of one element
	AsOuter                 // a parameter that is a channel with room, which is kept as a handle
	AsHandle                // what one operation gives and others take, kept for the thread that got it
	AsThread                // a parameter that no method has: the thread that calls
	AsSeq                   // an iterator, which is run to its end at once
	AsDigest                // a result of several values, written as digits of base 64
)

// Pull stands for a function that a method is given (Overrides.Given): what it gives is an iterator, and is taken step by step.
const Pull = "iter.Pull"

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
	Elem      *Codec   // of AsHandle: the iterator that is kept, begun; nil: it is no iterator
	Key       *Codec   // of AsMap
	Parts     []Part   // of a struct in a digest: its fields; of AsFunc: its parameters
	Gives     []*Codec // of AsFunc: its results
	Errors    []string // of AsFailure: the package's variables that hold errors
	Count     int      // of AsSequence as a parameter: the number of elements, 0 for 1
	Slot      int      // of AsHandle and AsOuter: which sort of handle
	Field     string   // of AsStruct; "" if there is nothing to tell values apart
	Constant  string   // Go expression, with the package's name if there is one
	ZeroIsNil bool     // pointers: 0 stands for nil, as a register's first value
	Fresh     bool     // pointers: every argument is a new object
}

// Part is a field of a struct, or a parameter of a function.
type Part struct {
	Name  string
	Codec *Codec
}

// Values is the number of different values, 0 if there is no bound.
func (c *Codec) Values() int {
	switch c.Shape {
	case AsBool, AsContext, AsFailure:
		return 2
	case AsFunc:
		return c.choices()
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
	case AsDynamic, AsSequence, AsMap:
		return c.Elem.Values()
	}
	return 0
}

// Produces tells functions that are given nothing and give something.
func (c *Codec) Produces() bool { return c.Shape == AsFunc && len(c.Parts) == 0 && len(c.Gives) > 0 }

// Leaf tells the shapes of results that are one number, which stands for the value by
// itself.
func (c *Codec) Leaf() bool {
	switch c.Shape {
	case AsInt, AsBool, AsFloat, AsString, AsFailure, AsHandle, AsDigest:
		return true
	}
	return false
}

// Chooses tells parameters that are a choice between two ways rather than a value.
func (c *Codec) Chooses() bool {
	return c.Shape == AsContext || c.Shape == AsFailure || c.Shape == AsFunc
}

// choices is the number of ways in which a generated function may answer.
func (c *Codec) choices() int {
	n := 1
	for _, r := range c.Gives {
		if v := r.Values(); v == 0 || v > n {
			n = max(2, min(v, 2))
		}
	}
	return n
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
