package collection

import (
	"fmt"
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
