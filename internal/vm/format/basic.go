// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"pangolin/internal/ir"
	"pangolin/internal/vm/number"
)

// Print prints a value as print does: addresses are made up.
func Print(m Memory, t *ir.Type, w []uint64) string {
	switch t.Class {
	case ir.Interface:
		return fmt.Sprintf("(%#x,%#x)", m.Address(w[0]), dataAddress(m, w))
	case ir.Slice:
		return fmt.Sprintf("[%d/%d]%#x", w[1], w[2], m.Address(w[0]))
	case ir.Complex64, ir.Complex128:
		return complexText(t, w)
	}
	text, ok := Basic(m, t, w[0])
	if !ok {
		return fmt.Sprintf("%#x", wordAddress(m, t, w[0]))
	}
	return text
}

// wordAddress is what print prints for a reference; that of a function is the closure, if it has one.
func wordAddress(m Memory, t *ir.Type, w uint64) uint64 {
	if t.Class == ir.FuncClass && w&ir.FuncTag != 0 {
		return Address(m, t, w)
	}
	return m.Address(w)
}

// boxAddress is where print finds the value in an interface that is no pointer, and stands in no object here.
const boxAddress = 0x4c0000

// dataAddress is what print prints for the second word of an interface.
func dataAddress(m Memory, w []uint64) uint64 {
	switch t := m.Dynamic(w[0]); {
	case t == nil:
		return 0
	case t.Size > 1:
		return m.Address(w[1])
	case t.Size == 1 && (t.Class == ir.Struct || t.Class == ir.Array):
		return boxAddress
	case t.Size == 1 && IsReference(t.Class):
		return wordAddress(m, t, w[1])
	}
	return boxAddress
}

// Basic prints a value of one word: a bool, a number or a string.
func Basic(m Memory, t *ir.Type, w uint64) (text string, ok bool) {
	switch num := ir.NumOf(t); {
	case t.Class == ir.Bool:
		return strconv.FormatBool(w != 0), true
	case num == ir.Str:
		return m.Text(w), true
	case num == ir.F32 || num == ir.F64:
		return floatText(t, w), true
	case num == ir.C64 || num == ir.C128:
		return complexText(t, m.At(w, 2)), true
	case num == ir.Word:
		return "", false
	case num.Signed():
		return strconv.FormatInt(int64(w), 10), true
	}
	return strconv.FormatUint(w, 10), true
}

// floatText prints a float as the runtime does since Go 1.26: in the shortest form
// that tells it from its neighbours.
func floatText(t *ir.Type, w uint64) string {
	bits := 64
	if t.Class == ir.Float32 || t.Class == ir.Complex64 {
		bits = 32
	}
	return strconv.FormatFloat(number.Float(t, w), 'g', -1, bits)
}

func complexText(t *ir.Type, w []uint64) string {
	im := floatText(t, w[1])
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	return "(" + floatText(t, w[0]) + im + "i)"
}

// Bytes are bytes, one in each word.
func Bytes(words []uint64) []byte {
	buf := make([]byte, len(words))
	for i, w := range words {
		buf[i] = byte(w)
	}
	return buf
}

// Runes is the string of runes, one in each word.
func Runes(words []uint64) string {
	buf := make([]byte, 0, len(words))
	for _, w := range words {
		buf = utf8.AppendRune(buf, rune(int32(w)))
	}
	return string(buf)
}
