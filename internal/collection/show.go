package collection

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"pangolin/history"
)

// ShowArgs writes a call's arguments as Go values, where the integers that stand
// for them are something else: strings, bools.
func (o *Operation) ShowArgs(args history.Tuple) string {
	var parts []string
	for i := range o.Params {
		parts = append(parts, o.Params[i].codec.show(args.At(i)))
	}
	return strings.Join(parts, ", ")
}

// ShowResult writes what a call returned, as Tuple gave it, as Go values.
func (o *Operation) ShowResult(result history.Tuple) string {
	if result.IsPanic() {
		return result.String()
	}
	var parts []string
	for i := range o.Results {
		parts = append(parts, o.Results[i].codec.show(result.At(i)))
	}
	return strings.Join(parts, ", ")
}

// show writes one value; a pointer as what it points to, after &.
func (c *codec) show(v history.Value) string {
	if c == nil || v.Kind != history.Int {
		return v.String()
	}
	switch c.shape {
	case asInt:
		return showInt(c.typ, v.Int)
	case asBool:
		return strconv.FormatBool(v.Int&1 != 0)
	case asString:
		return showString(v.Int)
	case asPointer:
		if c.zeroIsNil && v.Int == 0 {
			return "nil"
		}
		return "&" + c.elem.show(v)
	case asDynamic:
		return c.elem.show(v)
	case asStruct:
		if c.field == "" {
			return "{}"
		}
		return "{" + c.field + ": " + c.elem.show(v) + "}"
	case asSequence:
		if 0 <= v.Int && v.Int < sequenceBase { // one element; of several, the number is printed
			return "[" + c.elem.show(v) + "]"
		}
	case asOpaque:
		return "non-nil"
	}
	return v.String()
}

func showString(i int64) string {
	switch {
	case i == 0:
		return `""`
	case i < 0 || i >= stringValues:
		return "another string"
	}
	return fmt.Sprintf(`"v%02d"`, i)
}

// showInt undoes what decodeInt does to unsigned integers.
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
