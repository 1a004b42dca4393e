// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
)

// The oracles of kinds know of items, keys and whether something was done. The same code
// run sequentially can judge whatever a method takes and returns, as long as a number can
// stand for it: so where it judges, methods are read once more, and wider. Contexts are
// cancelled, slices have two elements, structs are read with all their fields, errors are told
// apart, functions are generated that note their arguments, and what one method gives and
// another takes (a connection, a subscription, a channel, a function that gives something
// back) is kept by the thread that got it.

// widen reads a method so. It says why that is impossible; the method is as it was then.
func (m *method) widen(k *coder) (why refusal) {
	w := &method{name: m.name, fn: m.fn, sig: m.sig, generic: m.generic, wide: true}
	for i := range m.sig.Params().Len() {
		c, why := k.wideParam(m, i)
		if c == nil {
			return "takes " + why
		}
		k.showing(m, i, c)
		w.params = append(w.params, c)
	}
	for i, c := range w.params {
		switch {
		case c.Shape == collection.AsConstant, c.Shape == collection.AsAnother:
		case c.Shape == collection.AsHandle || c.Shape == collection.AsOuter:
			w.keeps = true
		default:
			agrees := k.agreeing > 0 && collection.Produces(w.params, i)
			w.noted = w.noted || c.Shape == collection.AsFunc && !agrees
			w.called = w.called || c.Shape == collection.AsFunc
			if agrees {
				c.Chosen = k.agreeing - 1
			}
			if c.Shape != collection.AsFunc || c.Values() > 1 && !agrees {
				w.args = append(w.args, i)
			}
		}
	}
	for v := range m.sig.Results().Variables() {
		c, why := k.stepwise(m.name, v.Type()), refusal("")
		if c == nil {
			c = k.copied(m.name, v.Type())
		}
		if c == nil && k.given[m.name] == collection.Sharing && isBool(v.Type()) {
			c = &collection.Codec{Type: v.Type(), Shape: collection.AsOpaque}
		}
		if c == nil {
			c, why = k.wideResult(v.Type())
		}
		if c == nil {
			return "returns " + why
		}
		w.keeps = w.keeps || c.Shape == collection.AsHandle
		w.results = append(w.results, c)
	}
	w.which = k.two()
	if n := w.arity(); n > history.MaxArity || w.slots() > history.MaxArity {
		return refusal(fmt.Sprintf("has more than %d arguments or results", history.MaxArity))
	}
	*m = *w
	return ""
}

// arity is the number of arguments of a call, the thread and which of two collections included if they matter.
func (m *method) arity() int {
	n := len(m.args)
	for _, more := range []bool{m.keeps, m.which} {
		if more {
			n++
		}
	}
	return n
}

// wideParam finds the codec of the i-th parameter.
func (k *coder) wideParam(m *method, i int) (*collection.Codec, refusal) {
	t := m.sig.Params().At(i).Type()
	if m.sig.Variadic() && i == m.sig.Params().Len()-1 {
		return k.several(t)
	}
	if k.given[m.name] == collection.Another && k.isAnother(t) {
		return &collection.Codec{Type: t, Shape: collection.AsAnother}, ""
	}
	if slot, ok := k.handle(t); ok {
		return &collection.Codec{Type: t, Shape: collection.AsHandle, Slot: slot}, ""
	}
	if why := k.unnameable(t); why != "" {
		return nil, why
	}
	if constantFor(t) == background {
		return &collection.Codec{Type: t, Shape: collection.AsContext}, ""
	}
	if isError(t) {
		return &collection.Codec{Type: t, Shape: collection.AsFailure}, ""
	}
	c, why := k.widest(m, i, t)
	if c == nil {
		c = k.declared(t)
	}
	return c, why
}

// declared is a variable or a function of the package that can be the argument where none is made up; nil if there is none.
func (k *coder) declared(t types.Type) *collection.Codec {
	for _, name := range k.pkg.Scope().Names() {
		obj := k.pkg.Scope().Lookup(name)
		switch o := obj.(type) {
		case *types.Var:
		case *types.Func:
			if o.Signature().TypeParams().Len() > 0 || name == "main" {
				continue
			}
		default:
			continue
		}
		if obj.Exported() && types.AssignableTo(obj.Type(), t) {
			return &collection.Codec{Type: t, Shape: collection.AsConstant, Constant: name}
		}
	}
	return nil
}

// widest finds the codec of the i-th parameter, of a type that can be named and is no context, error or handle.
func (k *coder) widest(m *method, i int, t types.Type) (*collection.Codec, refusal) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if c := k.users(m.name, t); c != nil {
			return c, ""
		}
		return k.function(t, u, k.changing(m.name, u))
	case *types.Slice:
		return k.several(t)
	case *types.Map:
		c, why := k.mapping(t, u, 0, k.value)
		if c != nil {
			c.Several = true
		}
		return whole(c), why
	case *types.Chan:
		return k.outer(t, u)
	}
	return k.param(t, m.generic.Params().At(i).Type())
}

// noOptions is the argument for a parameter of functions, opts ...Option.
const noOptions = "nil"

// several is a slice of several elements, see collection.Elements.
func (k *coder) several(t types.Type) (*collection.Codec, refusal) {
	s, ok := t.Underlying().(*types.Slice)
	if !ok { // append([]byte, string...)
		return k.param(t, t)
	}
	if why := k.unnameable(s.Elem()); why != "" {
		return nil, why
	}
	if sig, ok := s.Elem().Underlying().(*types.Signature); ok { // options
		f, why := k.function(s.Elem(), sig, nil)
		if f == nil || f.Values() > 1 {
			return nil, "functions" + refusal(strings.TrimPrefix(string(why), "a function"))
		}
		return &collection.Codec{Type: t, Shape: collection.AsConstant, Constant: noOptions}, ""
	}
	e, why := k.value(s.Elem(), 1)
	if e == nil {
		return nil, why
	}
	return whole(&collection.Codec{Type: t, Shape: collection.AsSequence, Elem: e, Several: true}), ""
}

// mapping is a map, so deep in a type, with codecs of keys and elements; a function finds those of elements. Keys are as deep as elements: a
// struct may have a map whose keys, of an interface type, may be that struct again.
func (k *coder) mapping(t types.Type, u *types.Map, depth int, find func(types.Type, int) (*collection.Codec, refusal)) (*collection.Codec, refusal) {
	key, why := k.value(u.Key(), depth+1)
	if key == nil {
		return nil, why
	}
	elem, why := find(u.Elem(), depth+1)
	if elem == nil {
		return nil, why
	}
	return &collection.Codec{Type: t, Shape: collection.AsMap, Key: key, Elem: elem}, ""
}

// function is a generated function: what it is given must be readable, what it returns
// writable. It changes the parameters for which changes finds a codec; nil: none.
func (k *coder) function(t types.Type, sig *types.Signature, changes func(types.Type) *collection.Codec) (*collection.Codec, refusal) {
	c := &collection.Codec{Type: t, Shape: collection.AsFunc}
	for v := range sig.Params().Variables() {
		p, why := k.part(v.Type(), 0)
		if why == "" {
			why = k.unnameable(v.Type())
		}
		if p == nil || why != "" {
			return nil, "a function that is given " + why
		}
		one := collection.Part{Name: v.Name(), Codec: p}
		if changes != nil {
			if changed := changes(v.Type()); changed != nil {
				one.Codec, one.Changes = changed, true
			}
		}
		c.Parts = append(c.Parts, one)
	}
	for v := range sig.Results().Variables() {
		if isError(v.Type()) {
			c.Gives = append(c.Gives, &collection.Codec{Type: v.Type(), Shape: collection.AsFailure})
			continue
		}
		r, why := k.value(v.Type(), 0)
		if why == "" {
			why = k.unnameable(v.Type())
		}
		if r == nil || why != "" {
			return nil, "a function that gives " + why
		}
		c.Gives = append(c.Gives, whole(r))
	}
	return c, ""
}

// two tells that there are two collections.
func (k *coder) two() bool {
	return slices.Contains(slices.Collect(maps.Values(k.given)), collection.Another)
}

// isAnother tells a pointer to the collection's own type.
func (k *coder) isAnother(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return pointer && k.refersToSelf(t)
}

// copied is the codec of a method's result that is a collection of the same type, kept and used by who gets it; nil if it is none, or is not wanted so.
func (k *coder) copied(method string, t types.Type) *collection.Codec {
	if k.given[method] != collection.Copy || !k.isAnother(t) {
		return nil
	}
	return &collection.Codec{Type: t, Shape: collection.AsHandle, Slot: k.slot(t)}
}

// copies is the method whose copies are kept and used; "" if there is none.
func (k *coder) copies() string {
	for _, method := range slices.Sorted(maps.Keys(k.given)) {
		if k.given[method] == collection.Copy {
			return method
		}
	}
	return ""
}

// users is the function of the package that the user wants a method to be given; nil if there is none that fits.
func (k *coder) users(method string, t types.Type) *collection.Codec {
	name := k.given[method]
	obj := k.pkg.Scope().Lookup(name)
	if obj == nil || !types.AssignableTo(obj.Type(), t) {
		return nil
	}
	return &collection.Codec{Type: t, Shape: collection.AsConstant, Constant: name}
}

// unused reports a function that the user wants a method to be given, and that it is not.
func (d *draft) unused() error {
	for _, name := range slices.Sorted(maps.Keys(d.o.Given)) {
		i := slices.IndexFunc(d.selected, func(m *method) bool { return m.name == name })
		switch {
		case i < 0 && d.o.Given[name] == collection.Another && d.rec.kind != collection.Object:
			return fmt.Errorf("%s is to be given another %s, and is no operation of a %s: Request.Kind %s takes all of them", name, d.coder.self.Name(), d.rec.kind, collection.Object)
		case i < 0:
			return fmt.Errorf("%s is to be given %s, and is no operation", name, d.o.Given[name])
		}
		if d.o.Given[name] == collection.Pull {
			if !slices.ContainsFunc(d.coder.pulls, func(p pulled) bool { return p.by == name }) {
				return fmt.Errorf("%s is to be taken step by step, and gives no iterator of one or two values", name)
			}
			continue
		}
		if d.o.Given[name] == collection.Another {
			if !slices.ContainsFunc(d.selected[i].params, func(c *collection.Codec) bool { return c.Shape == collection.AsAnother }) {
				return fmt.Errorf("%s is to be given another %s, and takes no *%[2]s", name, d.coder.self.Name())
			}
			continue
		}
		if d.o.Given[name] == collection.Copy {
			if !slices.ContainsFunc(d.selected[i].results, func(c *collection.Codec) bool { return c.Shape == collection.AsHandle && d.coder.isAnother(c.Type) }) {
				return fmt.Errorf("%s is to give a copy that is used, and returns no *%s", name, d.coder.self.Name())
			}
			continue
		}
		if d.o.Given[name] == collection.Sharing {
			if !slices.ContainsFunc(d.selected[i].results, func(c *collection.Codec) bool { return isBool(c.Type) }) {
				return fmt.Errorf("%s is to tell who shares a result, and returns no bool", name)
			}
			continue
		}
		if strings.HasPrefix(d.o.Given[name], collection.Back) { // see callsBack
			continue
		}
		takes := func(c *collection.Codec) bool {
			return c.Shape == collection.AsConstant && c.Constant == d.o.Given[name]
		}
		if !slices.ContainsFunc(d.selected[i].params, takes) {
			return fmt.Errorf("%s does not take %s: %s", name, d.o.Given[name], d.unfit(d.selected[i], d.o.Given[name]))
		}
	}
	return nil
}

// outer is a channel that the caller makes and receives from.
func (k *coder) outer(t types.Type, ch *types.Chan) (*collection.Codec, refusal) {
	if ch.Dir() == types.RecvOnly {
		return nil, "a channel to receive from"
	}
	if e, why := k.part(ch.Elem(), 0); e == nil {
		return nil, "a channel of " + why
	}
	made := types.NewChan(types.SendRecv, ch.Elem())
	return &collection.Codec{Type: t, Shape: collection.AsOuter, Slot: k.slot(made)}, ""
}

// wideResult finds the codec of a result.
func (k *coder) wideResult(t types.Type) (*collection.Codec, refusal) {
	if isError(t) {
		return k.failure(t), ""
	}
	if k.gives(t) {
		return &collection.Codec{Type: t, Shape: collection.AsHandle, Slot: k.slot(t)}, ""
	}
	_, isSlice := t.Underlying().(*types.Slice)
	if c, _ := k.value(t, 0); c != nil && k.isTaken(t) && !isSlice {
		return whole(c), "" // an item
	}
	c, why := k.part(t, 0)
	switch {
	case c == nil:
		return nil, why
	case c.Leaf(), c.Shape == collection.AsOpaque:
		return c, ""
	}
	return &collection.Codec{Type: t, Shape: collection.AsDigest, Elem: c}, ""
}

// part finds the codec of a part of a result: all that can be read of it. Of structs those are
// the fields that a caller can read.
func (k *coder) part(t types.Type, depth int) (*collection.Codec, refusal) {
	if depth > maxDepth {
		return nil, refusal("a type nested too deeply: " + k.show(t))
	}
	if isError(t) {
		return k.failure(t), ""
	}
	if c := foreign(t); c != nil {
		return c, ""
	}
	if c, _ := k.value(t, depth); c != nil && k.isTaken(t) && (c.Composite() || c.Taken) {
		return whole(c), "" // it may be what a caller has handed in
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return k.basic(t, u)
	case *types.Slice:
		return k.listed(t, u.Elem(), depth)
	case *types.Array:
		e, why := k.part(u.Elem(), depth+1)
		if e == nil {
			return nil, why
		}
		return elements(t, collection.AsArray, e, min(u.Len(), collection.ArrayElements)), ""
	case *types.Map:
		return k.mapping(t, u, depth, func(e types.Type, d int) (*collection.Codec, refusal) { return k.part(e, d) })
	case *types.Struct:
		return k.fields(t, u, depth)
	case *types.Pointer:
		if named := namedOf(t); named == nil || types.NewMethodSet(t).Len() == 0 {
			if e, _ := k.part(u.Elem(), depth+1); e != nil {
				return &collection.Codec{Type: t, Shape: collection.AsPointer, Elem: e}, ""
			}
		}
		return &collection.Codec{Type: t, Shape: collection.AsOpaque}, ""
	case *types.Interface:
		if c, _ := k.value(t, depth); c != nil && u.NumMethods() == 0 {
			return c, ""
		}
		if held := k.alternatives(u, nil, depth); len(held) > 0 {
			return &collection.Codec{Type: t, Shape: collection.AsDynamic, Parts: held}, ""
		}
		return &collection.Codec{Type: t, Shape: collection.AsOpaque}, ""
	case *types.Signature:
		if c := k.sequence(t, u, depth); c != nil {
			return c, ""
		}
		return &collection.Codec{Type: t, Shape: collection.AsOpaque}, ""
	case *types.Chan:
		return &collection.Codec{Type: t, Shape: collection.AsOpaque}, ""
	}
	return nil, refusal(k.show(t))
}

// sequence is an iterator such as iter.Seq and iter.Seq2; nil if it is none.
func (k *coder) sequence(t types.Type, sig *types.Signature, depth int) *collection.Codec {
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Results().Len() != 1 || !isBool(yield.Results().At(0).Type()) || yield.Params().Len() > 2 {
		return nil
	}
	c := &collection.Codec{Type: t, Shape: collection.AsSeq}
	for v := range yield.Params().Variables() {
		p, _ := k.part(v.Type(), depth+1)
		if p == nil {
			return nil
		}
		c.Parts = append(c.Parts, collection.Part{Codec: p})
	}
	return c
}

func (k *coder) listed(t, elem types.Type, depth int) (*collection.Codec, refusal) {
	e, why := k.part(elem, depth+1)
	if e == nil {
		return nil, why
	}
	return &collection.Codec{Type: t, Shape: collection.AsSequence, Elem: e}, ""
}

// fields is a struct by those of its fields that a caller can read: all of one without a
// name or methods, else the exported ones: what else it holds, such as the number of an attempt, may depend on the schedule by design.
func (k *coder) fields(t types.Type, s *types.Struct, depth int) (*collection.Codec, refusal) {
	named := namedOf(t)
	all := named == nil || !named.Obj().Exported() && types.NewMethodSet(types.NewPointer(named)).Len() == 0
	c := &collection.Codec{Type: t, Shape: collection.AsStruct, Parts: []collection.Part{}}
	for f := range s.Fields() {
		if f.Name() == "_" {
			continue
		}
		if !f.Exported() && (!all || f.Pkg().Path() != k.pkg.Path()) {
			c.Left = append(c.Left, f.Name()+" "+k.show(f.Type()))
			continue
		}
		e, _ := k.part(f.Type(), depth+1)
		if e == nil || e.Shape == collection.AsStruct && len(e.Parts) == 0 {
			c.Left = append(c.Left, f.Name()+" "+k.show(f.Type()))
			continue
		}
		c.Parts = append(c.Parts, collection.Part{Name: f.Name(), Codec: e})
	}
	return c, ""
}

// narrow are the methods that oracles of kinds could judge.
func narrow(list []*method) (out []*method) {
	for _, m := range list {
		if !m.wide {
			out = append(out, m)
		}
	}
	return out
}

// readWide reads the selected methods anew that only the oracle self can judge, and adds the
// operations on what they give.
func (d *draft) readWide() error {
	d.coder.handles, d.coder.pulls, d.coder.leaves = nil, nil, nil
	for _, m := range d.selected {
		if d.bound(m) == nil && !m.watched {
			_ = m.widen(d.coder) // which may fail: then it is read as it is
		}
	}
	if err := d.unused(); err != nil {
		return err
	}
	if d.o.Paired {
		d.pair()
	} else if len(d.o.Ops) == 0 {
		d.c.Ends = d.ends()
	}
	used, skipped := d.coder.handleMethods()
	for _, s := range skipped {
		d.c.skip(s.Name, s.Why)
	}
	used = slices.DeleteFunc(used, func(m *method) bool {
		why, out := d.o.Without[m.name]
		if out {
			d.c.skip(m.name, why)
		}
		return out
	})
	d.selected = append(d.selected, used...)
	d.observe()
	if len(d.coder.handles) > 0 {
		d.c.Threads = max(d.settings.threads, 3) // whoever helps the oracle self is one of three
	}
	for _, t := range d.coder.handles {
		d.c.Handles = append(d.c.Handles, collection.Handle{Type: t})
	}
	return nil
}

// always is what an operation is given for a parameter, where that is the same in each call and has been chosen for the user; false if it is not.
func (d *draft) always(c *collection.Codec) (what string, ok bool) {
	switch {
	case c.Shape == collection.AsConstant && c.Constant == second:
		return "a duration of one second", true
	case c.Shape == collection.AsConstant && c.Constant == noOptions:
		return "no options", true
	case c.Shape == collection.AsConstant && c.Constant == background, c.Shape == collection.AsConstant && slices.Contains(slices.Collect(maps.Values(d.o.Given)), c.Constant):
		return "", false
	case c.Shape == collection.AsConstant && d.coder.pkg.Scope().Lookup(c.Constant) != nil:
		return "the package's " + c.Constant, true
	case len(c.Names) > 0 && slices.ContainsFunc(d.o.Known, func(k collection.Known) bool { return k.By != "" && slices.Equal(k.Values, c.Names) }):
		return "", false // said of all operations together
	case len(c.Names) > 0 && c.Names[0][0] < 'A':
		return strings.Join(c.Names, ", ") + ", as test files give it", true
	case len(c.Names) > 0:
		return "the package's " + strings.Join(c.Names, ", "), true
	}
	return "", false
}

// answers says what the functions return that a method is given: " one of two results", " one of two results, or an error,", or nothing.
func (m *method) answers() (text string) {
	for _, c := range m.params {
		switch {
		case c.Shape != collection.AsFunc || len(c.Gives) == 0:
		case c.Choices() > 2:
			return " one of two results, or an error,"
		default:
			text = " one of two results"
		}
	}
	return text
}

// environment says what operations are given, where that is less than they could be.
func (d *draft) environment() (out []string) {
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for slot, t := range d.coder.handles {
		by := d.givenBy(slot, t)
		if leave := d.coder.leaves[slot]; leave != "" {
			add(fmt.Sprintf("%s is called with the arguments of the call that began what it ends, by the thread of that call and by no other, the last first", leave))
			continue
		}
		if p := d.coder.pull(slot); p != nil {
			by = p.by
		}
		add(fmt.Sprintf("what %s gives is used by the thread that got it and by no other, the last first", by))
	}
	for _, name := range slices.Sorted(maps.Keys(d.o.Given)) {
		switch d.o.Given[name] {
		case collection.Pull, collection.Copy: // said of the method, and of what it gives
			continue
		case collection.Sharing:
			add(fmt.Sprintf("the bool that %s returns is not compared: it tells whether others share the result", name))
			continue
		case collection.Another:
			add(fmt.Sprintf("there are two of it, a and b, made alike; each call is on one of them, and %s is given the other one", name))
			continue
		}
		if back, is := strings.CutPrefix(d.o.Given[name], collection.Back); is {
			add(fmt.Sprintf("the first call of each function that %s is given calls %s of the same object", name, back))
			continue
		}
		add(fmt.Sprintf("%s is given the function %s, and no other", name, d.o.Given[name]))
	}
	for _, text := range d.standInsOf() {
		add(text)
	}
	if fields := usable(d.coder.self); len(fields) > 0 {
		add("nobody but its own code uses " + strings.Join(fields, ", ") + ", which users may")
	}
	for _, text := range d.knownValues() {
		add(text)
	}
	for _, m := range d.selected {
		for _, c := range m.params {
			if c != nil && c.Several {
				text := m.name + " is given no more than three elements at once"
				if !writes(m) {
					text += ", and its caller does not use the slice or the map again"
				}
				add(text)
			}
			unvaried(c, d.ordered(), func(of *collection.Codec, field, is string) {
				add(fmt.Sprintf("the field %s of %s is %s, and nothing else", field, collection.One(d.coder.show(of.Type)), is))
			})
			dependent(c, func(of *collection.Codec, but string) {
				add(fmt.Sprintf("the fields of %s that operations are given vary together%s", collection.One(d.coder.show(of.Type)), but))
			})
			if d.coder.oneOfMany(c) {
				add(fmt.Sprintf("no other implementation of %s than %s is given to %s", d.coder.show(c.Type), d.coder.show(c.Elem.Type), m.name))
			}
		}
		out = append(out, d.iterators(m)...)
		for _, c := range slices.Concat(m.params, m.results) {
			left(c, func(of *collection.Codec, what string) {
				add(fmt.Sprintf("of %s the field %s is not compared", collection.One(d.coder.show(of.Type)), what))
			})
		}
		for i, c := range m.results {
			if empty(c) {
				add(fmt.Sprintf("nothing of the %s that %s returns is compared", d.coder.show(m.result(i).Type()), m.name))
			}
			if c.Shape == collection.AsError && !m.wide || c.Shape == collection.AsOpaque && !isBool(c.Type) && (!d.coder.refersToSelf(m.result(i).Type()) || collection.NamesCopy(m.name)) { // Set(k, v) *Table gives the same one
				add(d.opaque(m, c))
			}
		}
		for _, c := range m.params {
			if what, ok := d.always(c); ok {
				add(fmt.Sprintf("%s is given %s, and nothing else", m.name, what))
			}
		}
		switch {
		case m.noted:
			add(fmt.Sprintf("%s is given functions that return%s at once; what they are given is observed until %[1]s returns", m.name, m.answers()))
			if text := changesOf(m); text != "" {
				add(text)
			}
		case m.wide:
		case m.waits:
			add(fmt.Sprintf("the context of %s is never cancelled", m.name))
		case m.sig.Variadic():
			add(fmt.Sprintf("%s is given one argument", m.name))
		}
	}
	return out
}
