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
// numbers its own; see packages vm and subject. What lends its objects and gets them back (a pool) may give anyone.

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
		o.Results = append(o.Results, collection.Result{Name: "object", Type: "int", Form: collection.FormValue, Objects: exprs})
	}
	d.c.Objects = most * max(d.settings.threads, 3) // whoever helps the oracle self is one of three
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
	if c := m.results[at]; c.Shape == collection.AsHandle && c.Elem != nil || m.use != nil && d.isChannel(m.use.Slot) {
		return nil, ""
	}
	t, v := m.result(at).Type(), fmt.Sprintf("v%d", at)
	switch {
	case isError(t):
		return nil, ""
	case d.coder.refersToSelf(t):
		return nil, "" // the text of nil or not says it
	case d.coder.lent(t):
		return nil, ", for it is given back"
	}
	return d.coder.pointersIn(t, v, 0), ""
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
