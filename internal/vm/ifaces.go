// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Interfaces: a word for the dynamic type and one for the value. A value of one word stands
// there itself, a larger one is an object of its own, which nobody writes: a conversion
// copies.

// The value in an interface is never written, so reading it is no access.

func (m *Machine) makeIface(in *ir.Instr, regs []uint64) {
	w := state.Operands(regs, m.img.Prog.Consts, in.A, in.T.Size)
	typ, data := m.MakeIface(in.T, w)
	regs[in.Dst], regs[in.Dst+1] = typ, data
}

// assert executes OpAssert.
func (m *Machine) assert(t *state.Thread, in *ir.Instr, regs []uint64) control {
	x := state.Operands(regs, m.img.Prog.Consts, in.A, ir.IfaceWords)
	n := in.T.Size
	words := n
	if in.Ok {
		words++
	}
	dst := state.Result(regs, in.Dst, words)
	if dst == nil {
		dst = m.zeroed(words) // nobody takes the result
	}
	missing, ok := m.asserts(x, in.T)
	switch {
	case ok && in.T.IsInterface():
		a, b := x[0], x[1]
		dst[0], dst[1] = a, b
	case ok && n == 1:
		dst[0] = x[1]
	case ok && n > 1:
		copy(dst[:n], m.Words(x[1], n))
	case ok: // a value without words
	case !in.Ok && in.X == ir.AssertsReceiver:
		return m.throwError(t, nilMessage)
	case !in.Ok:
		return m.throwOf(t, m.img.Prog.Errors.Assertion, m.assertText(in, x[0], missing))
	default:
		clear(dst[:n])
	}
	if in.Ok {
		dst[n] = truth(ok)
	}
	return ctlNext
}

// asserts says whether an interface value has type t or implements it; if a method
// is missing, which.
func (m *Machine) asserts(x []uint64, t *ir.Type) (missing string, ok bool) {
	if x[0] == 0 {
		return "", false
	}
	dyn := m.img.Types[x[0]&^ir.TypeTag].Type
	if !t.IsInterface() {
		return "", dyn == t
	}
	for _, key := range t.IfaceMethods {
		if _, has := dyn.Methods[key]; !has {
			return key, false
		}
	}
	return "", true
}

// assertText is the runtime's message for a failed assertion. N holds the ID of
// the interface type that the value has in the source.
func (m *Machine) assertText(in *ir.Instr, typ uint64, missing string) string {
	inter := "interface"
	if in.N > 0 && !in.T.IsInterface() {
		inter = m.img.Types[in.N].Type.Name
	}
	switch {
	case typ == 0:
		return "interface conversion: " + inter + " is nil, not " + in.T.Name
	case missing != "":
		name, _, _ := strings.Cut(missing, "(")
		dyn := m.img.Types[typ&^ir.TypeTag].Type.Name
		return "interface conversion: " + dyn + " is not " + in.T.Name + ": missing method " + strings.TrimSpace(name)
	}
	return "interface conversion: " + inter + " is " + m.img.Types[typ&^ir.TypeTag].Type.Name + ", not " + in.T.Name
}
