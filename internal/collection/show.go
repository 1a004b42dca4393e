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
func (o *Operation) ShowArgs(args history.Tuple) []string {
	var parts []string
	for i := range o.Params {
		if c := o.Params[i].Codec; c == nil || c.Shape != AsThread {
			parts = append(parts, c.show(args.At(i)))
		}
	}
	return parts
}

// ShowResult writes what a call returned that did not panic, as Tuple gave it, as Go values.
func (o *Operation) ShowResult(result history.Tuple) []string {
	var parts []string
	for i := range o.Results {
		if o.Results[i].Calls {
			parts = append(parts, showCalls(result.At(i).Int))
			continue
		}
		parts = append(parts, o.Results[i].Codec.show(result.At(i)))
	}
	return parts
}

// show writes one value; a pointer as what it points to, after &.
func (c *Codec) show(v history.Value) string {
	if c == nil || v.Kind != history.Int {
		return v.String()
	}
	switch c.Shape {
	case AsInt:
		return showInt(c.Type, v.Int)
	case AsBool:
		return strconv.FormatBool(v.Int&1 != 0)
	case AsString:
		return showString(v.Int)
	case AsPointer:
		if c.ZeroIsNil && v.Int == 0 {
			return "nil"
		}
		return "&" + c.Elem.show(v)
	case AsDynamic:
		return c.Elem.show(v)
	case AsStruct:
		if c.Field == "" {
			return "{}"
		}
		return "{" + c.Field + ": " + c.Elem.show(v) + "}"
	case AsSequence:
		if c.Count > 1 {
			return "[" + strings.Join(c.elements(v), " ") + "]"
		}
		if 0 <= v.Int && v.Int < SequenceBase { // one element; of several, the number is printed
			return "[" + c.Elem.show(v) + "]"
		}
	case AsOpaque, AsHandle:
		if c.Shape == AsHandle && v.Int == 0 {
			return "nil"
		}
		return "non-nil"
	case AsContext:
		return [2]string{"background", "cancelled at any moment"}[v.Int&1]
	case AsFailure:
		return c.showFailure(v.Int)
	case AsFunc:
		return "func #" + strconv.FormatInt(v.Int, 10)
	case AsMap:
		return "map[" + c.Key.show(v) + ":" + c.Elem.show(v) + "]"
	case AsDigest:
		return c.showDigest(v.Int)
	}
	return v.String()
}

// elements are those of a slice that is a parameter: as many values from v on.
func (c *Codec) elements(v history.Value) (out []string) {
	for i := range c.Count {
		out = append(out, c.Elem.show(history.IntValue(v.Int+int64(i))))
	}
	return out
}

func showString(i int64) string {
	switch {
	case i == 0:
		return `""`
	case i < 0 || i >= StringValues:
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
