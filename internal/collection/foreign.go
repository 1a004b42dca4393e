// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"strconv"
)

// Foreign describes a type of the standard library whose fields are not accessible: how a value is made from an int i, and how a value
// x is converted to an int. In the texts PKG is the package's name, TAG the function Tagged with the codec's tag, and MIX and TEXT the
// harness's hash functions.
type Foreign struct {
	Path  string // of the package
	Made  string // statements that return the value for i
	Read  string // statements that return the int of x
	Shown string // word for such a value: "time"
}

// Moment is the second since 1970 in which the times of arguments lie; it is later than any time that programs take for the
// present.
const Moment = 4_000_000_000

// Foreigns are these types, by name. A time that equals no argument is represented by a hash of its nanoseconds.
var Foreigns = map[string]Foreign{
	"time.Time": {
		Path:  "time",
		Made:  fmt.Sprintf("if i == 0 { return PKG.Time{} }; return PKG.Unix(%d, int64(TAG(i)))", Moment),
		Read:  fmt.Sprintf("if x.IsZero() { return 0 }; if x.Unix() == %d { return TAG(x.Nanosecond()) }; return MIX(0, int(x.UnixNano())) | 1<<61", Moment),
		Shown: "time",
	},
	"*math/big.Int": {
		Path:  "math/big",
		Made:  "return PKG.NewInt(int64(TAG(i)))",
		Read:  "if x.IsInt64() { return TAG(int(x.Int64())) }; return TEXT(x.String())",
		Shown: "big",
	},
}

// showForeign writes a value of a type in Foreigns.
func (c *Codec) showForeign(v int64) string {
	switch f := Foreigns[c.Made]; {
	case isContent(v):
		return "another " + f.Shown
	case f.Shown == "time" && v == 0:
		return "time.Time{}"
	case f.Shown == "time":
		return fmt.Sprintf("time.Unix(%d, %d)", Moment, Tagged(v, c.Tag))
	}
	return strconv.FormatInt(Tagged(v, c.Tag), 10)
}
