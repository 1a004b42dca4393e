// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"

	"pangolin/history"
	"pangolin/internal/collection"
)

// Which object a pointer is counts where the same code judges, run sequentially: a mutex for each key, or a counter for
// each name, must be the same one for two callers. Objects are numbered as operations return them first, and an oracle
// numbers its own; see packages vm and subject. What lends its objects and gets them back (a pool) may give any that nobody has,
// with Overrides.AnyLent, which package inquiry sets.

// mostPointers is how many pointers of one call are told apart.
const mostPointers = 4

// identify lets operations say which objects they return.
func (d *draft) identify() {
	most := 0
	for i, m := range d.selected {
		o := &d.c.Operations[i]
		var exprs []string
		for at := range m.results {
			x, why := d.pointers(m, at)
			if why != "" {
				d.anonymous(m, m.result(at).Type(), why)
			}
			exprs = append(exprs, x...)
			if t := m.result(at).Type(); m.results[at].Shape == collection.AsDigest && d.coder.leadsOn(t, 0) {
				d.anonymous(m, nil, fmt.Sprintf(": those that the %s leads to", d.coder.show(t)))
			}
		}
		switch {
		case len(exprs) == 0:
			continue
		case d.o.Anonymous:
			d.anonymous(m, nil, "")
			continue
		case len(exprs) > mostPointers || len(o.Results) == history.MaxArity:
			d.anonymous(m, nil, ": there are too many results")
			continue
		}
		most = max(most, len(exprs))
		for at, c := range m.results {
			said := slices.Index(d.c.Environment, d.opaque(m, c))
			if x, _ := d.pointers(m, at); said >= 0 && len(x) > 0 {
				d.c.Environment[said] = fmt.Sprintf("of the %s that %s returns is compared which object it is, and not what it holds", d.coder.show(c.Type), m.name)
			}
		}
		o.Results = append(o.Results, collection.Result{Name: "object", Type: "int", Form: collection.FormValue, Objects: exprs})
	}
	d.c.Objects = most
}

// opaque says of a result that nothing of what it holds is compared.
func (d *draft) opaque(m *method, c *collection.Codec) string {
	return fmt.Sprintf("of the %s %s", d.coder.show(c.Type), collection.OnlyNil(m.name))
}

// anonymous says that it does not count which object an operation returns.
func (d *draft) anonymous(m *method, t types.Type, why string) {
	what := "which objects"
	if t != nil {
		what = "which " + d.coder.show(t)
	}
	if text := fmt.Sprintf("%s %s returns is not compared%s", what, m.name, why); !slices.Contains(d.c.Environment, text) {
		d.c.Environment = append(d.c.Environment, text)
	}
}

// pointers are the expressions of the pointers in a result: itself, or fields of a struct.
func (d *draft) pointers(m *method, at int) (exprs []string, why string) {
	c := m.results[at]
	switch {
	case c.Shape == collection.AsHandle && c.Elem != nil, m.use != nil && d.isChannel(m.use.Slot): // an iterator; what a channel gives
		return nil, ""
	case c.Shape == collection.AsHandle && d.isChannel(c.Slot):
		return nil, ": two callers may get different ones"
	}
	t, v := m.result(at).Type(), fmt.Sprintf("v%d", at)
	switch {
	case isError(t):
		return nil, ""
	case d.coder.refersToSelf(t):
		return nil, "" // the text of nil or not says it
	}
	exprs = d.coder.pointersIn(t, v, 0)
	if len(exprs) > 0 && d.coder.lent(t) { // the number of a job is given back as well, and is no object
		if d.o.AnyLent {
			return nil, ", for it is given back"
		}
		d.c.Lends = true
	}
	return exprs, ""
}

func (d *draft) isChannel(slot int) bool {
	_, ok := d.coder.handles[slot].Underlying().(*types.Chan)
	return ok
}

func (k *coder) pointersIn(t types.Type, v string, depth int) (exprs []string) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return []string{v}
	case *types.Interface:
		if !isError(t) {
			return []string{v}
		}
	case *types.Struct:
		for f := range u.Fields() {
			if depth < maxDepth && f.Name() != "_" && k.own(f) {
				exprs = append(exprs, k.pointersIn(f.Type(), v+"."+f.Name(), depth+1)...)
			}
		}
	}
	return exprs
}

// leadsOn says that a value leads to pointers that are not told apart: in a slice, a map or an array, or behind another pointer.
func (k *coder) leadsOn(t types.Type, depth int) bool {
	has := func(e types.Type) bool {
		return depth < maxDepth && !k.isTaken(e) && (len(k.pointersIn(e, "", 0)) > 0 || k.leadsOn(e, depth+1))
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return has(u.Elem())
	case *types.Array:
		return has(u.Elem())
	case *types.Map:
		return has(u.Elem())
	case *types.Pointer:
		return types.NewMethodSet(t).Len() == 0 && has(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if depth < maxDepth && k.own(f) && k.leadsOn(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}
