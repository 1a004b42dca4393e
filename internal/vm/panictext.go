// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// When a panic ends the program, the runtime first calls Error or String on the
// values of all panics in progress, newest first, and then prints them, oldest
// first. The methods are ordinary calls of the panicking thread; what they return
// takes the value's place.

// describeNext enters the method of the next value that has one and is not described
// yet; false if there is none.
func (m *Machine) describeNext(t *state.Thread) bool {
	for p := t.Panics; p != 0; p = m.Words(p, 5)[panicPrev] {
		w := m.Words(p, 5)
		if w[panicState]&(panicDescribed|panicExit) != 0 || w[panicValue] == 0 {
			continue
		}
		w[panicState] |= panicDescribed
		if m.repeats(w) {
			m.Words(w[panicPrev], 5)[panicState] |= panicRepeated
			continue
		}
		if f := m.describer(w[panicValue]); f != nil {
			w[panicState] |= panicAsking
			m.Push(t, m.img.Codes[f.ID], append([]uint64(nil), m.IfaceValue(w[panicValue:panicValue+2])...), state.FrameDescribing)
			return true
		}
	}
	return false
}

// repeats says whether a panic has the same value as the one it followed.
func (m *Machine) repeats(w []uint64) bool {
	if w[panicPrev] == 0 {
		return false
	}
	prev := m.Words(w[panicPrev], 5)
	return prev[panicValue] == w[panicValue] && prev[panicValue+1] == w[panicValue+1]
}

// describer is the method that describes values of a type, or nil.
func (m *Machine) describer(typ uint64) *ir.Func {
	t := m.Dynamic(typ)
	if slices.Contains(m.img.Prog.Errors.List(), t) {
		return nil
	}
	if f := t.Methods["Error() string"]; f != nil {
		return f
	}
	if hasMethod(t, "Error() string") {
		return nil
	}
	return t.Methods["String() string"]
}

// asking is the panic whose value is being described, or 0.
func (m *Machine) asking(t *state.Thread) uint64 {
	p := t.Panics
	for p != 0 && m.Words(p, 5)[panicState]&panicAsking == 0 {
		p = m.Words(p, 5)[panicPrev]
	}
	return p
}

// described takes what the method returned and goes on with the next value.
func (m *Machine) described(t *state.Thread, text uint64) control {
	w := m.Words(m.asking(t), 5)
	w[panicState] &^= panicAsking
	w[panicValue], w[panicValue+1] = ir.TypeWord(m.img.Own.Str), text
	return m.crash(t)
}

// failedDescription is the error with which the program ends if a method panics
// while it describes a value.
func (m *Machine) failedDescription(w []uint64) string {
	text := "fatal error: panic while printing panic value: "
	if t := m.Dynamic(w[panicValue]); t != nil && !(t.Class == ir.StringClass && t.PkgPath == "") {
		return text + "type " + t.Name
	}
	return text + m.panicValueText(w[panicValue], w[panicValue+1])
}

// panicText prints a panic and those it followed as the runtime does.
func (m *Machine) panicText(p uint64) string {
	w := append([]uint64(nil), m.Words(p, 5)...)
	text := ""
	if w[panicPrev] != 0 {
		text = m.panicText(w[panicPrev])
		if m.Words(w[panicPrev], 5)[panicState]&panicRepeated != 0 {
			return text
		}
		if text != "" {
			text += "\n\t"
		}
	}
	if w[panicState]&panicExit != 0 {
		return text
	}
	text += "panic: " + m.panicValueText(w[panicValue], w[panicValue+1])
	switch w[panicState] & (panicRecovered | panicRepeated) {
	case panicRecovered | panicRepeated:
		text += " [recovered, repanicked]"
	case panicRecovered:
		text += " [recovered]"
	}
	return text
}

// madeUpAddress stands for every address in the text of a panic: real ones differ
// from run to run, and one program's outcomes should not differ in them.
const madeUpAddress = "0xc000012345"

// panicValueText prints the value of a panic as the runtime does.
func (m *Machine) panicValueText(typ, data uint64) string {
	if typ == 0 {
		return "nil"
	}
	t := m.Dynamic(typ)
	switch e := &m.img.Prog.Errors; t {
	case e.Runtime, e.Bounds:
		return m.runtimeErrorText(m.Text(data))
	case e.Plain, e.Assertion, e.Nil:
		switch {
		case t.Class != ir.PointerClass:
			return m.Text(data)
		case t == e.Nil:
			return nilArgument
		case data != 0:
			return m.Text(m.Words(data, t.Elem.Size)[assertionText])
		}
	}
	text, ok := format.Basic(state.Printed{State: &m.State}, t, data)
	custom := t.Named && t.PkgPath != ""
	switch {
	case !ok && t.Size == 1 && data == 0:
		return "(" + t.Name + ") 0x0"
	case !ok:
		return "(" + t.Name + ") " + madeUpAddress
	case t.Class == ir.StringClass && custom:
		return t.Name + `("` + indented(text) + `")`
	case t.Class == ir.StringClass:
		return indented(text)
	case custom && text[0] == '(': // complex
		return t.Name + text
	case custom:
		return t.Name + "(" + text + ")"
	}
	return text
}

// indented indents the lines of a text but for the first.
func indented(s string) string { return strings.ReplaceAll(s, "\n", "\n\t") }

// runtimeErrorText adds what the runtime prints behind a nil dereference.
func (m *Machine) runtimeErrorText(message string) string {
	text := "runtime error: " + message
	if message == nilMessage {
		text += "\n[signal SIGSEGV: segmentation violation]"
	}
	return text
}
