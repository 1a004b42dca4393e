// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// The oracle of a priority queue gives the smallest first. One that gives the largest first is given numbers that go down where those of the oracle go up (collection.Function): 1023
// stands for 0, and 1022 for 1. Names tell the order, DeleteMin or PopMax; where they do not, one thread does (Overrides.Order).

// orderOf is the order that the name of an operation tells, without try; "" if it tells none.
func orderOf(name string) string {
	switch {
	case strings.HasSuffix(name, "max"):
		return collection.Largest
	case strings.HasSuffix(name, "min"):
		return collection.Smallest
	}
	return ""
}

// ordered is the order of a priority queue: the one that is asked for, that the first name of an operation or that of the type tells, or that the user vouches for by naming the kind. It has none if
// operations are at both ends, which the kind's oracle does not know, or if nothing tells the order; then what takes is unclear.
func (r *reader) ordered(bindings []*binding) string {
	order := r.order
	for _, role := range []oracle.Role{oracle.Take, oracle.Peek} {
		for _, b := range bindings {
			if name, _ := untried(b.m.name); b.role == role && order == "" {
				order = orderOf(name)
			}
		}
	}
	if order == "" {
		order = r.own.first
	}
	if order == "" && r.forced {
		order = collection.Smallest
	}
	both := false
	for _, b := range bindings {
		switch name, _ := untried(b.m.name); {
		case !b.isTake() && b.role != oracle.Peek || b.misfit != "":
		case order == "" && b.isTake():
			b.misfit = "nothing tells whether " + b.m.name + " takes the smallest or the largest first (Request.Kind pqueue: the smallest)"
			b.unclear = true
		case orderOf(name) != "" && orderOf(name) != order:
			b.misfit = fmt.Sprintf("%s is about the other end than what gives the %s first", b.m.name, order)
			both = true
		}
	}
	if both {
		return ""
	}
	return order
}

// descend gives a priority queue that gives the largest first numbers that go down.
func (d *draft) descend() {
	if !d.rec.largest || d.o.Oracle.IsSelf() {
		return
	}
	downs := false
	for _, b := range d.rec.bindings {
		by := oracle.ParamItem
		if slices.Contains(b.params, oracle.ParamPriority) {
			by = oracle.ParamPriority
		}
		for i, p := range b.params {
			if at := b.m.args[i]; p == by {
				b.m.params[at] = descending(b.m.params[at])
				downs = downs || goesDown(b.m.params[at])
			}
		}
	}
	item := content(d.rec.bindings, oracle.ParamPriority) == nil
	for _, b := range d.rec.bindings {
		for i, slot := range b.slots {
			if slot == oracle.SlotPriority || item && (slot == oracle.SlotItem || slot == oracle.SlotItemOrNil) {
				b.m.results[i] = descending(b.m.results[i])
			}
		}
		if b.isTake() && !downs && b.misfit == "" {
			b.misfit = b.m.name + " takes the largest first, of what is no number"
		}
	}
}

// descending is a codec whose numbers go down where the one goes up for which it stands.
func descending(c *collection.Codec) *collection.Codec {
	if c == nil {
		return nil
	}
	own := *c
	own.Down = numeric(c)
	own.Elem, own.Key = descending(c.Elem), descending(c.Key)
	if !c.IsStandIn() {
		own.Parts = slices.Clone(c.Parts)
		for i := range own.Parts {
			own.Parts[i].Codec = descending(own.Parts[i].Codec)
		}
	}
	return &own
}

// goesDown reports whether some number of a codec goes down.
func goesDown(c *collection.Codec) bool {
	return c != nil && (c.Down || goesDown(c.Elem) || slices.ContainsFunc(c.Parts, func(p collection.Part) bool { return goesDown(p.Codec) }))
}
