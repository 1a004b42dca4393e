// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"pangolin/history"
	"pangolin/internal/collection"
)

// Handles: what one operation gives and others take or use, such as a connection, a channel, a function.

// gives tells results that are kept as handles.
func (k *coder) gives(t types.Type) bool {
	if k.refersToSelf(t) || k.unnameable(t) != "" {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		e, _ := k.part(u.Elem(), 0)
		return u.Dir() != types.SendOnly && e != nil || k.sends(t, u) != nil
	case *types.Signature:
		return k.once(u) || k.called(t, u)
	case *types.Pointer, *types.Interface:
		named := namedOf(t)
		if named == nil || named.Obj().Pkg() == nil {
			return false
		}
		if k.foreign(t) {
			return k.lent(t)
		}
		return k.lent(t) || !k.isTaken(t) && len(k.uses(t)) > 0
	}
	return false
}

// once tells functions that are called once, such as one that cancels: they have no parameters, and give nothing or an error.
func (k *coder) once(sig *types.Signature) bool {
	n := sig.Results().Len()
	return sig.Params().Len() == 0 && sig.TypeParams().Len() == 0 && (n == 0 || n == 1 && isError(sig.Results().At(0).Type()))
}

// begins are words of methods that begin something, of which what they give is the end.
var begins = []string{"lock", "rlock", "acquire", "begin", "start", "enter", "open", "checkout", "borrow", "lease", "reserve", "subscribe", "register", "track", "watch", "measure", "hold", "pin"}

// undoes tells functions that end what the method that gives them has begun, so that they are called once: by its name, by their own, or because all that they are
// told is whether it went well.
func (k *coder) undoes(t types.Type, sig *types.Signature) bool {
	ending := func(name string) bool { return slices.ContainsFunc(append(words(name), name), ends) }
	if sig.Params().Len() == 1 {
		p := sig.Params().At(0).Type()
		if b, ok := p.Underlying().(*types.Basic); isError(p) || ok && b.Kind() == types.Bool {
			return true
		}
	}
	if named := namedOf(t); named != nil && ending(named.Obj().Name()) {
		return true
	}
	for _, m := range k.methods {
		for v := range m.sig.Results().Variables() {
			if types.Identical(v.Type(), t) && (ending(v.Name()) || slices.ContainsFunc(words(m.name), func(w string) bool { return slices.Contains(begins, w) })) {
				return true
			}
		}
	}
	return false
}

// called tells functions that may be called again and again, with arguments that can be made and results that can be read.
func (k *coder) called(t types.Type, sig *types.Signature) bool {
	if sig.TypeParams().Len() > 0 || sig.Variadic() || k.sequence(t, sig, 0) != nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if c, _ := k.value(v.Type(), 0); !isError(v.Type()) && (c == nil || c.Chooses()) {
			return false
		}
	}
	for v := range sig.Results().Variables() {
		if c, _ := k.part(v.Type(), 0); !isError(v.Type()) && (c == nil || c.Shape == collection.AsOpaque) {
			return false
		}
	}
	return true
}

// refersToSelf tells the collection itself, which chained methods return.
func (k *coder) refersToSelf(t types.Type) bool {
	named := namedOf(t)
	return named != nil && named.Origin().Obj() == k.self
}

func (k *coder) isTaken(t types.Type) bool {
	return slices.ContainsFunc(k.taken, func(p types.Type) bool { return types.Identical(p, t) })
}

// handle tells parameters that some method's results are kept for.
func (k *coder) handle(t types.Type) (slot int, ok bool) {
	if !k.returns(t) || !k.gives(t) {
		return 0, false
	}
	return k.slot(t), true
}

// slot is the number of a sort of handles.
func (k *coder) slot(t types.Type) int {
	i := slices.IndexFunc(k.handles, func(h types.Type) bool { return types.Identical(h, t) })
	if i < 0 {
		i = len(k.handles)
		k.handles = append(k.handles, t)
	}
	return i
}

// uses are the exported methods of a handle, by name.
func (k *coder) uses(t types.Type) (out []*types.Selection) {
	for sel := range types.NewMethodSet(t).Methods() {
		fn := sel.Obj().(*types.Func)
		if fn.Exported() && conventional(&method{name: fn.Name(), sig: sel.Type().(*types.Signature)}) == "" {
			out = append(out, sel)
		}
	}
	return out
}

// handleMethods are the operations on handles: their methods, receiving from channels,
// calling functions. What cannot be called is skipped.
func (k *coder) handleMethods() (usable []*method, skipped []collection.Skipped) {
	for slot := 0; slot < len(k.handles); slot++ { // which may grow meanwhile
		if p := k.pull(slot); p != nil {
			usable = append(usable, k.steps(p)...)
			continue
		}
		t := k.handles[slot]
		name := k.handleName(t)
		switch u := t.Underlying().(type) {
		case *types.Chan:
			usable = append(usable, k.channelMethods(slot, u, name)...)
			continue
		case *types.Signature:
			leave := k.leaves[slot]
			once := leave != "" || k.once(u)
			m := &method{name: cmp.Or(leave, "call "+name), sig: u, generic: u, wide: true}
			if once {
				for v := range u.Results().Variables() {
					m.results = append(m.results, k.failure(v.Type()))
				}
			} else if why := m.widen(k); why != "" {
				skipped = append(skipped, collection.Skipped{Name: m.name, Why: string(why)})
				continue
			}
			m.keeps, m.use = true, &collection.Use{Slot: slot, Ends: once || k.undoes(t, u)}
			usable = append(usable, m)
			continue
		}
		if k.foreign(t) {
			continue
		}
		uses := k.uses(t)
		locks := halves(uses)
		if k.isAnother(t) {
			uses = slices.DeleteFunc(uses, func(s *types.Selection) bool { return s.Obj().Name() == k.copies() })
		}
		for _, sel := range uses {
			sig := sel.Type().(*types.Signature)
			fn := sel.Obj().(*types.Func)
			m := &method{name: name + "." + fn.Name(), fn: fn, sig: sig, generic: sig}
			why := m.widen(k)
			m.keeps = true
			if locks[fn] {
				why = halfOfSection
			}
			if why == "" && m.arity() > history.MaxArity {
				why = "has too many arguments"
			}
			if why != "" && k.isAnother(t) { // said of the original's
				continue
			}
			if why != "" {
				skipped = append(skipped, collection.Skipped{Name: m.name, Why: string(why)})
				continue
			}
			m.use = &collection.Use{Slot: slot, Method: fn.Name(), Ends: ends(fn.Name())}
			usable = append(usable, m)
		}
	}
	number(usable)
	return usable, skipped
}

// number makes names differ: of the two functions that Get gives, the second one is called by "call Get#2".
func number(list []*method) {
	times := map[string]int{}
	for _, m := range list {
		if times[m.name]++; times[m.name] > 1 {
			m.name = fmt.Sprintf("%s#%d", m.name, times[m.name])
		}
	}
}

// handleName is what the handle is called in the names of operations.
func (k *coder) handleName(t types.Type) string {
	if k.isAnother(t) {
		return k.copies()
	}
	if named := namedOf(t); named != nil {
		return named.Obj().Name()
	}
	if by := k.givenBy(t); by != "" {
		return by
	}
	return k.show(t)
}

// givenBy is the first method that gives a handle.
func (k *coder) givenBy(t types.Type) string {
	for _, m := range k.methods {
		for v := range m.sig.Results().Variables() {
			if types.Identical(v.Type(), t) {
				return m.name
			}
		}
		for v := range m.sig.Params().Variables() {
			if c, ok := v.Type().Underlying().(*types.Chan); ok && types.Identical(types.NewChan(types.SendRecv, c.Elem()), t) {
				return m.name
			}
		}
	}
	return ""
}

// givenBy is the first operation that gives a handle: a method of the collection, or of another handle.
func (d *draft) givenBy(slot int, t types.Type) string {
	if by := d.coder.givenBy(t); by != "" {
		return by
	}
	for _, m := range d.selected {
		if slices.ContainsFunc(m.results, func(c *collection.Codec) bool { return c.Shape == collection.AsHandle && c.Slot == slot }) {
			return m.name
		}
	}
	return ""
}

// ends tells the methods behind which a handle is used no more.
func ends(name string) bool {
	return slices.Contains([]string{"close", "release", "cancel", "stop", "unsubscribe", "done", "unlock", "return", "free", "finish", "end", "commit", "rollback"}, fold(name))
}
