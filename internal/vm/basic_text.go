package vm

import (
	"fmt"
	"math"
	"strconv"

	"pangolin/internal/ir"
)

// printText prints a value as print does: floats as 1.5 is +1.500000e+000.
func (m *Machine) printText(t *ir.Type, w []uint64) string {
	switch t.Class {
	case ir.Interface, ir.Slice:
		if t.Class == ir.Slice {
			return fmt.Sprintf("[%d/%d]%#x", w[1], w[2], w[0])
		}
		return fmt.Sprintf("(%#x,%#x)", w[0], w[1])
	case ir.Complex64, ir.Complex128:
		return "(" + floatText(floatWord(t, w[0])) + floatText(floatWord(t, w[1])) + "i)"
	}
	text, ok := m.basicText(t, w[0])
	if !ok {
		return fmt.Sprintf("%#x", w[0])
	}
	return text
}

// basicText prints a value of one word: a bool, a number or a string.
func (m *Machine) basicText(t *ir.Type, w uint64) (text string, ok bool) {
	switch num := ir.NumOf(t); {
	case t.Class == ir.Bool:
		return strconv.FormatBool(w != 0), true
	case num == ir.Str:
		return m.Text(w), true
	case num == ir.F32 || num == ir.F64:
		return floatText(floatWord(t, w)), true
	case num == ir.C64 || num == ir.C128:
		p := m.at(w, 2)
		return "(" + floatText(floatWord(t, p[0])) + floatText(floatWord(t, p[1])) + "i)", true
	case num == ir.Word:
		return "", false
	case num.Signed():
		return strconv.FormatInt(int64(w), 10), true
	}
	return strconv.FormatUint(w, 10), true
}

// floatText prints a float as the runtime does, with seven digits and a
// three-digit exponent.
func floatText(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "+Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	s := fmt.Sprintf("%+.6e", f) // +1.500000e+00
	if n := len(s); s[n-4] == 'e' {
		s = s[:n-2] + "0" + s[n-2:]
	}
	return s
}
