// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"strconv"
	"strings"
)

// Kind says what a Value is.
type Kind uint8

const (
	None  Kind = iota // no value; ends a tuple
	Int               // an integer, or whatever the engine encodes as one
	Bool              // 0 false, 1 true
	Nil               // a nil pointer, interface or error
	Err               // a non-nil error; which one is not told
	Panic             // the call panicked instead of returning
)

// Value is one argument or one result.
type Value struct {
	Kind Kind
	Int  int64 // of Int and Bool
}

// MaxArity bounds the length of a Tuple.
const MaxArity = 4

// Tuple is a short list of values: the arguments of a call, or its results.
// Tuples are comparable; the zero Tuple is the empty one.
type Tuple struct {
	ints  [MaxArity]int64
	kinds [MaxArity]Kind
}

// Of makes a tuple. It panics if there are more than MaxArity values.
func Of(values ...Value) Tuple {
	var t Tuple
	for i, v := range values {
		t.ints[i], t.kinds[i] = v.Int, v.Kind
	}
	return t
}

// Ints makes a tuple of integers.
func Ints(values ...int64) Tuple {
	var t Tuple
	for i, v := range values {
		t.ints[i], t.kinds[i] = v, Int
	}
	return t
}

// IntValue is an integer.
func IntValue(v int64) Value { return Value{Kind: Int, Int: v} }

// BoolValue is false or true.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, Int: 1}
	}
	return Value{Kind: Bool}
}

// NilValue is a nil pointer, interface or error.
func NilValue() Value { return Value{Kind: Nil} }

// ErrValue is a non-nil error.
func ErrValue() Value { return Value{Kind: Err} }

// PanicTuple is the result of a call that panicked.
func PanicTuple() Tuple { return Of(Value{Kind: Panic}) }

// Len is the number of values.
func (t Tuple) Len() int {
	n := 0
	for n < MaxArity && t.kinds[n] != None {
		n++
	}
	return n
}

// At is the i-th value; None beyond the end.
func (t Tuple) At(i int) Value {
	if i < 0 || i >= MaxArity {
		return Value{}
	}
	return Value{Kind: t.kinds[i], Int: t.ints[i]}
}

// With is the tuple with its i-th value replaced.
func (t Tuple) With(i int, v Value) Tuple {
	t.ints[i], t.kinds[i] = v.Int, v.Kind
	return t
}

// Append is the tuple with one more value. It panics if the tuple is full.
func (t Tuple) Append(v Value) Tuple { return t.With(t.Len(), v) }

// IsPanic reports whether the tuple stands for a panic.
func (t Tuple) IsPanic() bool { return t.kinds[0] == Panic }

// Hash is a hash of the content, the same in every run.
func (t Tuple) Hash() uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for i, k := range t.kinds {
		if k == None {
			break
		}
		// Multiplied, lest hashes of hashes come out symmetric.
		h = mix(h*0xff51afd7ed558ccd + (uint64(k)<<56 ^ uint64(t.ints[i])))
	}
	return h
}

// mix is the finaliser of the splitmix64 generator (Steele, Lea, Flood 2014).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Strings writes each value.
func (t Tuple) Strings() []string {
	parts := make([]string, t.Len())
	for i := range parts {
		parts[i] = t.At(i).String()
	}
	return parts
}

// String lists the values, separated by commas.
func (t Tuple) String() string { return strings.Join(t.Strings(), ", ") }

// String is the value as Go would write it, as far as it is known.
func (v Value) String() string {
	switch v.Kind {
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Bool:
		return strconv.FormatBool(v.Int != 0)
	case Nil:
		return "nil"
	case Err:
		return "error"
	case Panic:
		return "panic"
	}
	return ""
}
