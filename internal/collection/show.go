// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"pangolin/history"
	"pangolin/oracle"
)

// ShowArgs writes the arguments of a call as Go values: "v01" for the int 1 if the parameter is a string.
func (o *Operation) ShowArgs(args history.Tuple) []string {
	var parts []string
	for i := range o.Params {
		switch c := o.Params[i].Codec; {
		case c != nil && c.Shape == AsThread:
		case c != nil && c.Shape == AsWhich:
			parts = append(parts, []string{"on a", "on b"}[args.At(i).Int&1])
		default:
			parts = append(parts, c.show(args.At(i)))
		}
	}
	return parts
}

// CancelledContext is how an argument is written that is a context which is cancelled at any moment.
const CancelledContext = "cancelled at any moment"

// ShowResult writes the results of a call, as Tuple returned them, as Go values. The call must not have panicked.
func (o *Operation) ShowResult(result history.Tuple) []string {
	var parts []string
	for i := range o.Results {
		if o.Results[i].Calls {
			if o.Call.Observed && !o.Call.Noted && result.At(i).Int == 0 {
				continue
			}
			parts = append(parts, showCalls(result.At(i).Int))
			continue
		}
		if o.Results[i].Objects != nil {
			if result.At(i).Kind != history.Int {
				continue
			}
			parts = append(parts, showObjects(result.At(i).Int))
			continue
		}
		c := o.Results[i].Codec
		if o.refused(result) {
			c = c.raised()
		}
		text := c.show(result.At(i))
		if o.Results[i].Filled {
			text = o.Results[i].Name + " " + text
		}
		parts = append(parts, text)
	}
	return parts
}

// refused reports whether results say that the operation was not done; then no item is among them.
func (o *Operation) refused(result history.Tuple) bool {
	for i := range o.Results {
		switch v := result.At(i).Int; o.Results[i].Slot {
		case oracle.SlotOK:
			return v == 0
		case oracle.SlotNotOK, oracle.SlotError:
			return v != 0
		}
	}
	return false
}

// ObjectBits is the number of bits of an object's number.
const ObjectBits = 5

// ObjectNumber is how the text begins that says which object a result is; its number follows.
const ObjectNumber = "object #"

// showObjects writes the objects that results point to: "object #1 object #2".
func showObjects(v int64) string {
	var names []string
	for ; v > 0; v >>= ObjectBits {
		if n := v & (1<<ObjectBits - 1); n > 0 {
			names = append(names, fmt.Sprintf("%s%d", ObjectNumber, n))
		}
	}
	if len(names) == 0 {
		return "no object"
	}
	return strings.Join(names, " ")
}

// GivenIn are the numbers of the objects that a call has lent to its caller, by the texts of its results (ShowResult), in their order: of those that the last text
// names the ones that belong to handles. Where a struct has several pointers of which some are nil, the text does not tell to which result each
// belongs; then none is listed, unless all results with objects are handles.
func (o *Operation) GivenIn(results []string) (numbers []string) {
	objects, n := o.Objects(), len(results)
	if n == 0 || !strings.HasPrefix(results[n-1], ObjectNumber) || objects == nil {
		return nil
	}
	numbers = strings.Split(strings.TrimPrefix(results[n-1], ObjectNumber), " "+ObjectNumber)
	var handles []bool // of the pointers that are not nil, as far as the texts show that
	for _, x := range objects {
		number, _, _ := strings.Cut(strings.TrimPrefix(x, "v"), ".")
		at, err := strconv.Atoi(number)
		if err != nil || at >= len(o.Results) || at >= n {
			return nil
		}
		if results[at] != "nil" {
			c := o.Results[at].Codec
			handles = append(handles, c != nil && c.Shape == AsHandle)
		}
	}
	switch {
	case !slices.Contains(handles, false):
		return numbers
	case len(handles) != len(numbers):
		return nil
	}
	i := -1
	return slices.DeleteFunc(numbers, func(string) bool { i++; return !handles[i] })
}

// NameObjects renumbers the objects in v, the last result of an operation that identifies objects.
func NameObjects(v int64, name func(int64) int64) (named int64) {
	for at := 0; v>>at > 0; at += ObjectBits {
		if n := v >> at & (1<<ObjectBits - 1); n > 0 {
			named |= name(n) << at
		}
	}
	return named
}

// show writes one value; a pointer as & and the value it points to.
func (c *Codec) show(v history.Value) string {
	if c == nil || v.Kind != history.Int {
		return v.String()
	}
	if isContent(v.Int) && !c.Leaf() {
		if c.Shape == AsDynamic {
			return fmt.Sprintf("a %s that holds something else, #%06x", c.Type, v.Int&0xffffff)
		}
		return c.showContent(v.Int)
	}
	if c.Pair > 0 && !isContent(v.Int) {
		v = history.IntValue(Paired(v.Int, c.Pair))
	}
	if c.ZeroIsNil && v.Int == 0 && c.Nilable() {
		return "nil"
	}
	if len(c.Names) > 0 {
		if v.Int < 0 || v.Int >= int64(len(c.Names)) {
			return "another value"
		}
		return c.Names[v.Int]
	}
	switch c.Shape {
	case AsInt:
		if c.IsStandIn() {
			return StandInName(c.Type) + " #" + strconv.FormatInt(v.Int, 10)
		}
		return showInt(c.Type, c.written(v.Int))
	case AsFloat:
		if !isContent(v.Int) {
			return strconv.FormatInt(c.written(v.Int), 10)
		}
		return "another number"
	case AsBool:
		return strconv.FormatBool(v.Int&c.bit() != 0)
	case AsString:
		return showString(v.Int, c.Tag)
	case AsForeign:
		return c.showForeign(v.Int)
	case AsPointer:
		return "&" + c.Elem.show(v)
	case AsDynamic:
		if c.Elem == nil {
			return fmt.Sprintf("a %s, #%06x", c.Type, v.Int&0xffffff)
		}
		return c.Elem.show(v)
	case AsStruct:
		return c.parts(v)
	case AsArray:
		return c.parts(v)
	case AsSequence:
		if c.Several {
			return "[" + strings.Join(c.elements(v), " ") + "]"
		}
		return c.parts(v)
	case AsOpaque, AsHandle:
		if c.Shape == AsHandle && v.Int == 0 {
			return "nil"
		}
		if b, ok := c.Type.Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			return "a bool"
		}
		return "non-nil"
	case AsContext:
		return [2]string{"background", CancelledContext}[v.Int&1]
	case AsFailure:
		return c.showFailure(v.Int >> c.Bit)
	case AsFunc:
		return "func #" + strconv.FormatInt(v.Int, 10)
	case AsMap:
		if c.Several {
			return "map[" + strings.Join(c.elements(v), " ") + "]"
		}
		return "map[" + c.Key.show(v) + ":" + c.Elem.show(v) + "]"
	case AsDigest:
		return c.showDigest(v.Int)
	}
	return v.String()
}

// elements lists the elements of a slice argument, or the entries of a map argument.
func (c *Codec) elements(v history.Value) (out []string) {
	for _, i := range Elements(v.Int) {
		text := c.Elem.show(history.IntValue(i))
		if c.Shape == AsMap {
			text = c.Key.show(history.IntValue(i)) + ":" + text
		}
		out = append(out, text)
	}
	return out
}

// parts writes the parts of a struct, an array or a slice that are set.
func (c *Codec) parts(v history.Value) string {
	open, shut, name := c.brackets()
	var parts []string
	for _, p := range c.Parts {
		if !p.Codec.Zero {
			parts = append(parts, name(p)+p.Codec.show(v))
		}
	}
	if c.Long() {
		parts = append(parts, "...")
	}
	return open + strings.Join(parts, c.between()) + shut
}

// Long reports whether the value is an array with more elements than Parts.
func (c *Codec) Long() bool {
	a, ok := c.Type.Underlying().(*types.Array)
	return ok && c.Shape == AsArray && a.Len() > int64(len(c.Parts))
}

// brackets returns what is written around the parts, and what in front of each.
func (c *Codec) brackets() (open, shut string, name func(Part) string) {
	if c.Shape == AsStruct {
		return "{", "}", func(p Part) string { return p.Name + ": " }
	}
	return "[", "]", func(Part) string { return "" }
}

// between is written between two parts.
func (c *Codec) between() string {
	if c.Shape == AsStruct {
		return ", "
	}
	return " "
}

// bit is the mask of the bit that a bool represents.
func (c *Codec) bit() int64 { return 1 << c.Bit }

func showString(i int64, tag int) string {
	switch {
	case i == 0:
		return `""`
	case isContent(i) && i>>DigestBits&1 == 0: // its bytes, behind a 1
		var text []byte
		for i &^= 1 << ContentBit; i > 1; i >>= 8 {
			text = append([]byte{byte(i)}, text...)
		}
		return strconv.Quote(string(text))
	case i < 0 || i >= StringValues:
		return "another string"
	}
	return fmt.Sprintf(`"%c%02d"`, Letter(tag), i)
}

// Letter is the first letter of the strings in a part with a tag: v for 0, w for 1.
func Letter(tag int) rune {
	const letters = "vwxyzabcdefghijklmnopqrstu"
	return rune(letters[tag%len(letters)])
}

// showInt writes an int of the type t; unsigned types were decoded as signed ones of the same size.
func showInt(t types.Type, i int64) string {
	switch t.Underlying().(*types.Basic).Kind() {
	case types.Uint8:
		return strconv.FormatUint(uint64(uint8(i)), 10)
	case types.Uint16:
		return strconv.FormatUint(uint64(uint16(i)), 10)
	case types.Uint32:
		return strconv.FormatUint(uint64(uint32(i)), 10)
	case types.Uint, types.Uint64, types.Uintptr:
		return strconv.FormatUint(uint64(i), 10)
	}
	return strconv.FormatInt(i, 10)
}
