package vm

import (
	"slices"

	"pangolin/internal/ir"
)

// fmtBuiltins are what the prelude's models of fmt and errors call.
var fmtBuiltins = map[string]*builtin{
	"pangolin/prelude.formatNeeds":   {visible: ifReached, run: formatNeeds},
	"pangolin/prelude.formatWith":    {visible: ifReached, run: formatWith},
	"pangolin/prelude.formatWrapped": {visible: ifReached, run: formatWrapped},
	"pangolin/prelude.isNilPointer": simple(func(c *call) {
		t := c.m.dynamic(c.args[0])
		c.out[0] = truth(t != nil && t.Class == ir.PointerClass && c.args[1] == 0)
	}),
	"pangolin/prelude.isComparable": simple(func(c *call) {
		_, _, bad := c.m.appendKey(nil, c.fn.Params[0], c.args[:2])
		c.out[0] = truth(bad == nil)
	}),
	"pangolin/prelude.asTarget":        {run: asTarget},
	"pangolin/prelude.assignAs":        {visible: always, run: assignAs},
	"pangolin/prelude.unsupportedFile": unsupported("a file is used: there are none but standard output and standard error"),
}

// unsupported is the meaning of a function that ends the execution.
func unsupported(message string) *builtin {
	return &builtin{run: func(c *call) control {
		c.m.fail(FaultUnsupported, message)
		return ctlStop
	}}
}

// dynamic is the type of the value in an interface, by its type word; nil if there
// is none.
func (m *Machine) dynamic(word uint64) *ir.Type {
	if word == 0 {
		return nil
	}
	return m.img.types[word&^ir.TypeTag].typ
}

// Parameters of formatNeeds and formatWith: the format, the mode, the arguments
// (a slice), the texts (a slice).
const (
	formatText  = 0
	formatMode  = 1
	formatArgs  = 2
	formatTexts = 5
)

func (c *call) format(f *formatter) control {
	f.m, f.t = c.m, c.t
	f.call(c.text(formatText), int(c.args[formatMode]), f.arguments(c.args[formatArgs:]))
	if c.m.fault != nil {
		return ctlStop
	}
	return ctlNext
}

func formatNeeds(c *call) control {
	f := formatter{collect: true}
	if ctl := c.format(&f); ctl != ctlNext || len(f.needs) == 0 {
		return ctl
	}
	n := len(f.needs) / ir.IfaceWords
	id := c.m.alloc(c.fn.Results[0].Elem, n)
	if c.m.fault != nil {
		return ctlStop
	}
	copy(c.m.at(pointer(id, 0), len(f.needs)), f.needs)
	setSlice(c.out, pointer(id, 0), uint64(n), uint64(n))
	return ctlNext
}

func formatWith(c *call) control {
	var f formatter
	if n := int(c.args[formatTexts+1]); n > 0 {
		f.texts = slices.Clone(c.m.at(c.args[formatTexts], n))
	}
	ctl := c.format(&f)
	c.give(0, string(f.out))
	return ctl
}

// formatWrapped lists the arguments that the verbs %w name: in the order of the verbs,
// or of the arguments if the format has an index.
func formatWrapped(c *call) control {
	f := formatter{m: c.m, t: c.t, collect: true, wraps: true}
	p := parser{f: &f, format: c.text(0), args: f.arguments(c.args[1:])}
	p.run()
	if c.m.fault != nil || len(p.wrapped) == 0 {
		return ctlNext
	}
	if p.reordered {
		slices.Sort(p.wrapped)
	}
	n := uint64(len(p.wrapped))
	id := c.m.alloc(c.fn.Results[0].Elem, len(p.wrapped))
	copy(c.m.at(pointer(id, 0), len(p.wrapped)), p.wrapped)
	setSlice(c.out, pointer(id, 0), n, n)
	return ctlNext
}

// asTarget panics as errors.As does.
func asTarget(c *call) control {
	t := c.m.dynamic(c.args[0])
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

// assignAs stores the error (two words) through the target (two words) if its type
// allows it.
func assignAs(c *call) control {
	err, target := c.args[:2], c.args[2:4]
	elem := c.m.dynamic(target[0]).Elem
	if _, ok := c.m.asserts(err, elem); !ok {
		return ctlNext
	}
	words := err
	if !elem.IsInterface() {
		words = c.m.ifaceValue(err)
	}
	if elem.Size > 0 {
		c.m.write(target[1], slices.Clone(words), c.m.img.types[elem.ID])
	}
	c.out[0] = 1
	return ctlNext
}
