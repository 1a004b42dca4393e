// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"strconv"
	"strings"

	"pangolin/history"
)

// A digest is an int that represents a value of several parts: a struct, a slice, a map. Its digits in base 64 are the parts, in order,
// the first one most significant: 1 to 60 for the numbers 0 to 59, DigitNil for nil, DigitEnd after the elements of a slice or a map,
// and DigitStop before it where an iterator was stopped. [1 2] is 2, 3, DigitEnd. If that does not fit into DigestBits bits, or a part
// is no small number, the digest is a hash with bit DigestBits set, which can be compared but not read. A value of a parameter's type
// that no int encodes to, such as one that was torn, is its digest with bit ContentBit set.
const (
	DigestBits = 60
	DigitStop  = 61
	DigitNil   = 62
	DigitEnd   = 63
	ContentBit = DigestBits + 1
	digitBits  = 6
)

// showContent writes a value of a parameter's type that equals no argument, such as a struct whose fields come from two others, field
// by field.
func (c *Codec) showContent(v int64) string {
	digest := Codec{Type: c.Type, Elem: c}
	return digest.showDigest(v &^ (1 << ContentBit))
}

func isContent(v int64) bool { return v>>ContentBit == 1 }

// showDigest writes a digest as the value that it stands for.
func (c *Codec) showDigest(v int64) string {
	if v < 0 || v>>DigestBits != 0 {
		return fmt.Sprintf("a %s, #%06x", c.Type, v&0xffffff)
	}
	var digits []int64
	for ; v > 0; v >>= digitBits {
		digits = append([]int64{v & (1<<digitBits - 1)}, digits...)
	}
	r := &digitReader{digits: digits}
	if s := r.show(c.Elem); !r.failed && len(r.digits) == 0 {
		return s
	}
	return fmt.Sprintf("a %s", c.Type)
}

// digitReader reads a digest digit by digit.
type digitReader struct {
	digits []int64
	failed bool
}

// take reports whether the next digit is the given one, and removes it then.
func (r *digitReader) take(digit int64) bool {
	if len(r.digits) == 0 {
		r.failed = true
		return true // so that no caller loops for ever
	}
	if r.digits[0] != digit {
		return false
	}
	r.digits = r.digits[1:]
	return true
}

func (r *digitReader) show(c *Codec) string {
	switch c.Shape {
	case AsStruct, AsArray:
		open, shut, name := c.brackets()
		if c.Long() {
			return open + strings.Join(r.list(func() string { return r.show(c.Elem) }), " ") + shut
		}
		var parts []string
		for _, p := range c.Parts {
			parts = append(parts, name(p)+r.show(p.Codec))
		}
		return open + strings.Join(parts, c.between()) + shut
	case AsSequence:
		if r.take(DigitNil) {
			return "nil"
		}
		return "[" + strings.Join(r.list(func() string { return r.show(c.Elem) }), " ") + "]"
	case AsSeq:
		return "seq(" + strings.Join(r.list(func() string {
			if r.take(DigitStop) {
				return "stopped"
			}
			var parts []string
			for _, p := range c.Parts {
				parts = append(parts, r.show(p.Codec))
			}
			return strings.Join(parts, ":")
		}), " ") + ")"
	case AsMap:
		if r.take(DigitNil) {
			return "nil"
		}
		return "map[" + strings.Join(r.list(func() string { return r.show(c.Key) + ":" + r.show(c.Elem) }), " ") + "]"
	case AsPointer:
		if r.take(DigitNil) {
			return "nil"
		}
		switch {
		case r.take(DigitEnd):
			return "another object that holds " + c.Elem.show(r.leaf())
		case c.Taken:
			return c.show(r.leaf())
		}
		return "&" + r.show(c.Elem)
	case AsOpaque, AsDynamic, AsForeign:
		if c.Nilable() && r.take(DigitNil) {
			return "nil"
		}
	}
	own := *c
	own.Pair = 0 // the digit is what was read of the field
	return own.show(r.leaf())
}

// leaf removes a digit that is a number.
func (r *digitReader) leaf() history.Value {
	if len(r.digits) == 0 {
		r.failed = true
		return history.IntValue(0)
	}
	leaf := r.digits[0] - 1
	r.digits = r.digits[1:]
	return history.IntValue(leaf)
}

// list reads up to the end of a list.
func (r *digitReader) list(one func() string) (out []string) {
	for !r.take(DigitEnd) && !r.failed {
		out = append(out, one())
	}
	return out
}

// showFailure writes an error of shape AsFailure.
func (c *Codec) showFailure(v int64) string {
	switch {
	case v == 0:
		return "nil"
	case FirstError <= v && int(v)-FirstError < len(c.Errors):
		return c.Errors[v-FirstError]
	case isContent(v) && v>>DigestBits&1 == 0: // a short text
		return "error " + showString(v, 0)
	case isContent(v):
		return fmt.Sprintf("error, #%04x", v&0xffff)
	}
	return "error"
}

// showCalls writes the record of a generated function's calls: their number, and a hash of the arguments.
func showCalls(v int64) string {
	calls, hash := v&0xff, v>>8
	text := strconv.FormatInt(calls, 10) + " calls"
	if calls == 1 {
		text = "1 call"
	}
	if hash != 0 {
		text += fmt.Sprintf(", arguments #%04x", hash&0xffff)
	}
	return text
}

// CalledIn is how often a call has called the functions that it was given, by the texts of its results (Operation.ShowResult); false if they do not say.
func CalledIn(results []string) (n int, said bool) {
	for _, text := range results {
		number, rest, _ := strings.Cut(text, " ")
		if n, err := strconv.Atoi(number); err == nil && strings.HasPrefix(rest, "call") {
			return n, true
		}
	}
	return 0, false
}
