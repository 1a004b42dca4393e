package vm

import (
	"fmt"
	"strconv"

	"pangolin/internal/ir"
)

// printText prints a value as print does: addresses are made up.
func (m *Machine) printText(t *ir.Type, w []uint64) string {
	switch t.Class {
	case ir.Interface, ir.Slice:
		if t.Class == ir.Slice {
			return fmt.Sprintf("[%d/%d]%#x", w[1], w[2], w[0])
		}
		return fmt.Sprintf("(%#x,%#x)", w[0], w[1])
	case ir.Complex64, ir.Complex128:
		return complexText(t, w)
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
		return floatText(t, w), true
	case num == ir.C64 || num == ir.C128:
		return complexText(t, m.at(w, 2)), true
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
	return strconv.FormatFloat(floatWord(t, w), 'g', -1, bits)
}

func complexText(t *ir.Type, w []uint64) string {
	im := floatText(t, w[1])
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	return "(" + floatText(t, w[0]) + im + "i)"
}
