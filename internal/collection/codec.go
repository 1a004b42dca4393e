// SPDX-License-Identifier: BSD-3-Clause

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
	AsStruct                // each of the parts holds another function of the number
	AsSequence              // a slice: each element holds another function of the number
	AsArray                 // an array, likewise
	AsForeign               // a type of the library that has functions of its own for it: time.Time, *big.Int
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
	AsDigest                // a result that need not be a parameter's value: always by its content
)

// Pull stands for a function that a method is given (Overrides.Given): what it gives is an iterator, and is taken step by step.
const Pull = "iter.Pull"

// The numbers of different values that some shapes have.
const (
	StringValues  = 32
	PointerValues = 16
)

// Elements is how many elements a slice has that is a parameter, and after how many those of a long
// array begin again.
const (
	Elements      = 2
	ArrayElements = 8
	NarrowTags    = 7 // of integers of 8 bits
	MostBits      = 4 // of bools in one value
	tagShift      = 4
)

// A part of a value holds a function of the value's number v of its own, so that one part put
// in another's place shows. Tagged is the function of the part with a tag: its own opposite, and
// 0 stays 0. With tag 1, 3 is 19 and 19 is 3.
func Tagged(v int64, tag int) int64 {
	if d := int64(tag) << tagShift; v != 0 && v != d {
		return v ^ d
	}
	return v
}

// A Codec turns an int into a value of a Go type (a parameter) or a value into an
// int (a result).
type Codec struct {
	Type      types.Type
	Shape     Shape
	Elem      *Codec   // of AsHandle: the iterator that is kept, begun; nil: it is no iterator
	Key       *Codec   // of AsMap
	Parts     []Part   // of AsStruct: its fields; of AsArray: its first elements; of AsFunc: its parameters; of a dynamic result: the types that it may have beside Elem
	Gives     []*Codec // of AsFunc: its results
	Errors    []string // of AsFailure: the package's variables that hold errors
	Count     int      // of AsSequence as a parameter: the number of elements, 0 for 1
	Slot      int      // of AsHandle and AsOuter: which sort of handle
	Tag       int      // which function of the number it holds, see Tagged
	Bit       int      // of AsBool and AsFailure: which bit of the number it holds
	Made      string   // of AsForeign: the name in Foreign
	Zero      bool     // it is read and not set: of a parameter it is the zero value
	Left      []string // what is neither set nor read: fields with their types
	Constant  string   // Go expression, with the package's name if there is one
	ZeroIsNil bool     // pointers: 0 stands for nil, as a register's first value
	Fresh     bool     // pointers: every argument is a new object
	Taken     bool     // pointers: arguments point into a table, and results are compared with it
}

// Part is a field of a struct, or a parameter of a function.
type Part struct {
	Name  string
	Codec *Codec
}

// All is the mask of what holds any number.
const All = -1

// Mask is what is left of a number when it has been made a value and read again: the bits of an
// integer that values of the type can hold. A bool has 1, a string 31, an int All.
func (c *Codec) Mask() int {
	if c.Zero {
		return 0
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

// Values is the number of different values, 0 if there is no bound.
func (c *Codec) Values() int {
	switch c.Shape {
	case AsContext:
		return 2
	case AsFunc:
		return c.choices()
	}
	if m := c.Mask(); m != All {
		return m + 1
	}
	return 0
}

// Composite tells the shapes of several parts, which are read whole: the number of a parameter's
// value, or one of their own.
func (c *Codec) Composite() bool { return c.Shape == AsStruct || c.Shape == AsArray }

// Alone is the only part that tells values of a struct or an array apart; nil if there are several.
func (c *Codec) Alone() *Part {
	if len(c.Parts) == 1 && !c.Parts[0].Codec.Zero {
		return &c.Parts[0]
	}
	return nil
}

// Produces tells functions that are given nothing and give something.
func (c *Codec) Produces() bool { return c.Shape == AsFunc && len(c.Parts) == 0 && len(c.Gives) > 0 }

// Leaf tells the shapes of results that are one number, which stands for the value by
// itself.
func (c *Codec) Leaf() bool {
	switch c.Shape {
	case AsInt, AsBool, AsFloat, AsString, AsFailure, AsHandle, AsDigest, AsForeign:
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
	case AsPointer, AsDynamic, AsOpaque, AsSequence:
		return true
	case AsForeign:
		_, pointer := c.Type.Underlying().(*types.Pointer)
		return pointer
	}
	return false
}
