// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/format"
	"pangolin/internal/vm/state"
)

// Formatting. The models of fmt and errors in front/prelude call methods of the program's
// values (String, Error) as ordinary code, which may access memory and block; what is left,
// the values without methods, is formatted here in one go. What it reads is found by
// formatting with a memory that takes notes, so that a race with fmt.Sprint is seen.

// fmtBuiltins are what the prelude's models of fmt and errors call.
var fmtBuiltins = map[string]*builtin{
	"pangolin/prelude.formatNeeds": {visible: ifTouched, run: formatNeeds,
		plainly: formatted(func(m format.Memory, c *call) { format.Needs(m, c.formatting()) })},
	"pangolin/prelude.formatWith": {visible: ifTouched, run: formatWith,
		plainly: formatted(func(m format.Memory, c *call) { format.With(m, c.formatting(), c.texts()) })},
	"pangolin/prelude.formatWrapped": {visible: ifTouched, run: formatWrapped,
		plainly: formatted(func(m format.Memory, c *call) { format.Wrapped(m, c.wrapping()) })},
	"pangolin/prelude.isNilPointer": simple(func(c *call) {
		t := c.m.Dynamic(c.args[0])
		c.out[0] = truth(t != nil && t.Class == ir.PointerClass && c.args[1] == 0)
	}),
	"pangolin/prelude.typeName": simple(func(c *call) { c.give(0, c.m.Dynamic(c.args[0]).Name) }),
	"pangolin/prelude.isComparable": simple(func(c *call) {
		_, _, bad := c.m.appendKey(nil, c.fn.Params[0], c.args[:2])
		c.out[0] = truth(bad == nil)
	}),
	"pangolin/prelude.asTarget":        {run: asTarget},
	"pangolin/prelude.assignAs":        {visible: ifTouched, run: assignAs, plainly: assignsTarget},
	"pangolin/prelude.unsupportedFile": unsupported("a file is used: there are none but standard output and standard error"),
}

// unsupported is the meaning of a function that ends the execution.
func unsupported(message string) *builtin {
	return &builtin{run: func(c *call) control {
		c.m.Fail(FaultUnsupported, message)
		return ctlStop
	}}
}

// Parameters of formatNeeds and formatWith: the format, the mode, the arguments
// (a slice), the texts (a slice).
const (
	formatText  = 0
	formatMode  = 1
	formatArgs  = 2
	formatTexts = 5
)

func (c *call) formatting() format.Call {
	return format.Call{Format: c.text(formatText), Mode: int(c.args[formatMode]), Args: c.args[formatArgs:]}
}

// list makes the first result a slice of words.
func (c *call) list(words []uint64, elemWords int) control {
	n := len(words) / elemWords
	id := c.m.Alloc(c.fn.Results[0].Elem, n)
	if c.m.Failure != nil {
		return ctlStop
	}
	copy(c.m.Words(state.Pointer(id, 0), len(words)), words)
	setSlice(c.out, state.Pointer(id, 0), uint64(n), uint64(n))
	return ctlNext
}

func formatNeeds(c *call) control {
	needs := format.Needs(c.m.printed(), c.formatting())
	if c.m.Failure != nil {
		return ctlStop
	}
	if len(needs) == 0 {
		return ctlNext
	}
	return c.list(needs, ir.IfaceWords)
}

// texts are the results of the methods (String, Error) that formatNeeds has asked for, as string words.
func (c *call) texts() []uint64 {
	if n := int(c.args[formatTexts+1]); n > 0 {
		return slices.Clone(c.m.Words(c.args[formatTexts], n))
	}
	return nil
}

// wrapping is the format and the arguments of a call of formatWrapped.
func (c *call) wrapping() format.Call { return format.Call{Format: c.text(0), Args: c.args[1:]} }

func formatWith(c *call) control {
	c.give(0, format.With(c.m.printed(), c.formatting(), c.texts()))
	if c.m.Failure != nil {
		return ctlStop
	}
	return ctlNext
}

// formatWrapped gives the places of the arguments that the verbs %w name.
func formatWrapped(c *call) control {
	wrapped := format.Wrapped(c.m.printed(), c.wrapping())
	if c.m.Failure != nil || len(wrapped) == 0 {
		return ctlNext
	}
	return c.list(wrapped, 1)
}

// asTarget panics as errors.As does.
func asTarget(c *call) control {
	t := c.m.Dynamic(c.args[0])
	switch {
	case t.Class != ir.PointerClass || c.args[1] == 0:
		return c.m.throwString(c.t, "errors: target must be a non-nil pointer")
	case !t.Elem.IsInterface() && !hasMethod(t.Elem, "Error() string"):
		return c.m.throwString(c.t, "errors: *target must be interface or implement error")
	}
	return ctlNext
}

// hasMethod says whether a method is in the type's method set, called or not.
func hasMethod(t *ir.Type, key string) bool {
	_, ok := t.Methods[key]
	return ok
}

func assignsTarget(c *call, dst []access) []access {
	elem := c.m.Dynamic(c.args[2]).Elem
	if _, ok := c.m.asserts(c.args[:2], elem); !ok {
		return dst
	}
	return writes(dst, c.args[3], elem.Size)
}

// assignAs stores the error (two words) through the target (two words) if its type
// allows it.
func assignAs(c *call) control {
	err, target := c.args[:2], c.args[2:4]
	elem := c.m.Dynamic(target[0]).Elem
	if _, ok := c.m.asserts(err, elem); !ok {
		return ctlNext
	}
	words := err
	if !elem.IsInterface() {
		words = c.m.IfaceValue(err)
	}
	if elem.Size > 0 {
		c.m.Write(target[1], slices.Clone(words), c.m.img.Types[elem.ID])
	}
	c.out[0] = 1
	return ctlNext
}
