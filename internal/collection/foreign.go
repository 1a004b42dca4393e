// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"strconv"
)

// Foreign is a type of the library whose values have no fields that others can read, and how one is
// made of an int i and read as one. In the texts PKG is the package, TAG the function of the number
// that the value holds (Tagged), MIX and TEXT what make a number of something else.
type Foreign struct {
	Path  string // of the package
	Made  string // statements that return the value of i, which is not 0 where the zero value is not meant
	Read  string // statements that return the number of x
	Shown string // what the number is called: "ns"
}

// Moment is the second, after 1970, at which times are made: beyond what programs take for the present.
const Moment = 4_000_000_000

// Foreigns are the types that are read so, by their names. A time that is no parameter is told by its nanoseconds.
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

// showForeign writes a value of the library's.
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
