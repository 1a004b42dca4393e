// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
)

// changing is a function without parameters that gives another number or string at each call, as one that loads does where what it loads has changed; "" if it cannot, or if by its name another
// value is not what users mind: of a clock, of chance, of what makes ids, for which only that they differ counts, and not in which order they were taken.
func (f *filler) changing(name string, sig *types.Signature) string {
	r := sig.Results()
	if sig.Params().Len() > 0 || r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && !isError(r.At(1).Type()) || slices.ContainsFunc(words(name), neverSame) {
		return ""
	}
	value := typeString(r.At(0).Type(), f.pkg)
	switch {
	case isInteger(r.At(0).Type()):
		value += "(v)"
	case isString(r.At(0).Type()):
		value += "(\"v\" + string(rune('0'+v)))"
	default:
		return ""
	}
	if r.Len() == 2 {
		value += ", nil"
	}
	header := f.header(sig)
	return fmt.Sprintf("func() %s { n := make(chan int, 1); n <- 0; return %[1]s { v := <-n + 1; n <- v; return %[2]s } }()", header, value)
}

// neverSame tells words of functions that never give the same, whatever they are called for.
func neverSame(word string) bool {
	return slices.Contains([]string{"now", "clock", "time", "tick", "nano", "rand", "random", "seed", "jitter", "id", "ids", "uuid", "token", "next", "gen", "generate", "generator", "seq"}, word)
}
