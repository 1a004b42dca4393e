// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// halfOfSection is why Lock and Unlock are no operations.
const halfOfSection = "is half of a critical section"

// setLocksAside removes the halves of critical sections, unless named.
func (d *draft) setLocksAside() {
	found, others := splitLock(d.usable)
	if (&lockDraft{c: d.c}).admitsSeveral(found) {
		return
	}
	var kept []*method
	for _, m := range d.usable {
		if slices.Contains(others, m) || slices.Contains(d.o.Ops, m.name) {
			kept = append(kept, m)
		} else {
			d.c.skip(m.name, halfOfSection+" (Request.Kind lock verifies the lock)")
		}
	}
	d.usable = kept
}

// hideUnexported keeps unexported methods only where the user names them or an
// unexported type has no others.
func (d *draft) hideUnexported() {
	exported := slices.ContainsFunc(d.usable, func(m *method) bool { return m.fn.Exported() })
	keep := !exported && !d.c.Subject.Name.Exported()
	visible := func(name string) bool {
		return keep || types.NewVar(0, nil, name, nil).Exported() || slices.Contains(d.o.Ops, name)
	}
	d.usable = slices.DeleteFunc(d.usable, func(m *method) bool { return !visible(m.name) })
	d.c.Skipped = slices.DeleteFunc(d.c.Skipped, func(s collection.Skipped) bool { return !visible(s.Name) })
}

// setWatchedAside reads operations that take a func() as those that take any other function, unless
// their names say, as sync.Once's does, that one function is called once and that who returns sees what it has
// done: then all calls together are counted by a plain variable, so that it shows what they order.
//
// Of others the plain counter would be at fault, not the code: what has run functions under a lock (With) or hands them to
// a goroutine (Submit) orders nothing with what a caller reads when its call has returned.
func (d *draft) setWatchedAside() {
	only := !slices.ContainsFunc(d.usable, func(m *method) bool { return !m.watched })
	d.usable = slices.DeleteFunc(d.usable, func(m *method) bool {
		if !m.watched || d.calledOnce(m) && (only || slices.Contains(d.o.Ops, m.name)) {
			return false
		}
		why := m.widen(d.coder)
		if why != "" {
			d.c.skip(m.name, string(why))
		}
		return why != ""
	})
}

// calledOnce says that names tell that of all functions that a method is given one is called, and once: Once.Do, DoOnce.
func (d *draft) calledOnce(m *method) bool {
	return slices.Contains(words(d.c.Type), "once") || slices.Contains(words(m.name), "once")
}

// dropExtras removes bindings of which the kind can do without and nothing
// certain is known. What the kind's oracle cannot judge the type's own code can, of all operations together.
func (d *draft) dropExtras() {
	core := func(b *binding) bool { return b.misfit == "" || !b.extra() || slices.Contains(d.o.Ops, b.m.name) }
	d.rec.bindings = slices.DeleteFunc(d.rec.bindings, func(b *binding) bool {
		if core(b) {
			return false
		}
		if d.o.Whole {
			return true
		}
		d.c.More = append(d.c.More, b.m.name)
		d.c.skip(b.m.name, strings.TrimPrefix(b.misfit, b.m.name+" "))
		d.usable = slices.DeleteFunc(d.usable, func(m *method) bool { return m == b.m })
		return true
	})
}

// selectOps chooses the operations: those that the user names, or all those that
// the kind knows; of kinds without a meaning for each, all.
func (d *draft) selectOps() error {
	if d.o.Whole {
		d.rec.bindings = slices.DeleteFunc(d.rec.bindings, func(b *binding) bool { return b.m.narrowed() })
	}
	if len(d.o.Ops) > 0 {
		for _, name := range d.o.Ops {
			if d.handled(name) {
				continue
			}
			m, err := d.method(name)
			if err != nil {
				return err
			}
			d.selected = append(d.selected, m)
		}
		for _, m := range d.usable {
			if !slices.Contains(d.selected, m) {
				d.c.skip(m.name, "is not among the operations asked for")
			}
		}
		return nil
	}
	for _, b := range d.rec.bindings {
		d.selected = append(d.selected, b.m)
		if b.m.narrowed() || d.o.Readings[b.m.name] == collection.Elsewise {
			d.c.More = append(d.c.More, b.m.name)
		}
	}
	whole := slices.Contains([]oracle.Kind{collection.Object, oracle.Counter, oracle.Register}, d.rec.kind)
	for _, m := range d.usable {
		switch {
		case slices.Contains(d.selected, m):
		case d.o.Whole, d.rec.kind == collection.Object, whole && !m.wide:
			d.selected = append(d.selected, m)
		default:
			d.c.More = append(d.c.More, m.name)
			d.c.skip(m.name, fmt.Sprintf("is no operation of a %s (Request.Ops may name it)", d.rec.kind))
		}
	}
	return nil
}

// method finds an operation that the user names.
func (d *draft) method(name string) (*method, error) {
	var names []string
	for _, m := range d.usable {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	for _, s := range d.c.Skipped {
		if s.Name == name {
			return nil, fmt.Errorf("%s cannot be an operation: it %s", name, s.Why)
		}
	}
	return nil, fmt.Errorf("there is no operation %s (there are %s)", name, enumerate(names))
}

// handled tells the names of operations on handles, which come with those that give them.
func (d *draft) handled(name string) bool { return strings.ContainsAny(name, ". ") }
