// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"math"
	"strconv"
	"strings"
)

// Value is an argument or a result. An integer from -MaxInt to MaxInt stands for itself, a smaller
// number for a string, a greater one for a list (Values).
type Value int64

const (
	// Nil is the absence of a value: what a register holds before the first write, and what Take
	// returns of an empty queue.
	Nil Value = math.MinInt64
	// True and False are arguments and results of objects. Other kinds have 1 and 0 where a result is a truth value.
	True, False Value = math.MinInt64 + 2, math.MinInt64 + 1
	// Other is a result that no history holds: of an object, one that differs from all that were recorded.
	Other Value = math.MinInt64 + 3
	// MaxInt is the greatest integer that a history may hold.
	MaxInt = 1<<61 - 1

	firstString Value = -1 << 62   // the string with number i is firstString - i
	firstList   Value = MaxInt + 1 // the list with number i is firstList + i
)

// Values numbers the strings and lists of a history.
type Values struct {
	number map[string]Value
	text   []string
	size   int64  // bytes of the strings, about
	lists  *lists // nil: there are none
}

// NewValues makes an empty table.
func NewValues() *Values { return &Values{number: map[string]Value{}} }

// List returns the value of a list. The list must not be changed.
func (vs *Values) List(items []Value) Value {
	if vs.lists == nil {
		l := newLists()
		vs.lists = &l
	}
	return firstList + vs.lists.number(items)
}

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v >= firstList }

// Items are those of a list; none if the value is no list.
func (vs *Values) Items(v Value) []Value {
	if !v.IsList() {
		return nil
	}
	return vs.lists.items[v-firstList]
}

// String returns the value of a string.
func (vs *Values) String(s string) Value {
	if v, ok := vs.number[s]; ok {
		return v
	}
	v := firstString - Value(len(vs.text))
	vs.number[s] = v
	vs.text = append(vs.text, s)
	vs.size += int64(len(s)) + perState
	return v
}

// bytes is how much the values take, about.
func (vs *Values) bytes() int64 {
	if vs.lists == nil {
		return vs.size
	}
	return vs.size + vs.lists.bytes()
}

// Bytes returns the value of a string given as bytes.
func (vs *Values) Bytes(s []byte) Value {
	if v, ok := vs.number[string(s)]; ok {
		return v
	}
	return vs.String(string(s))
}

// IsInteger reports whether the value is an integer.
func (v Value) IsInteger() bool { return v >= -MaxInt && v <= MaxInt }

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v <= firstString && v > Other }

// Text is the string of a value; "" if the value is none.
func (vs *Values) Text(v Value) string {
	if !v.IsString() {
		return ""
	}
	return vs.text[firstString-v]
}

// Format is the value as it is printed.
func (vs *Values) Format(v Value) string {
	switch {
	case v == Nil:
		return "nil"
	case v == True:
		return "true"
	case v == False:
		return "false"
	case v.IsString():
		return strconv.Quote(vs.Text(v))
	case v.IsList():
		var items []string
		for _, i := range vs.Items(v) {
			items = append(items, vs.Format(i))
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	return strconv.FormatInt(int64(v), 10)
}

func truth(v bool) Value {
	if v {
		return 1
	}
	return 0
}
