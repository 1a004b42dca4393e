// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"

	"pangolin/internal/ir"
)

// Objects of the standard library, sync.Map and atomic.Value, whose methods are one access each to what no other code has the words of. So they are not followed, and are like atomic instructions on the first word of the object.

// effect is what a method does with the object.
type effect uint8

// The effects.
const (
	loads  effect = iota // it reads it
	erases               // it writes it, and stores nothing of what it is given
	keeps                // it writes it, and may store what it is given
)

// accesses are the methods that are one access.
var accesses = map[string]effect{
	"(*sync/atomic.Value).Load":           loads,
	"(*sync/atomic.Value).Store":          keeps,
	"(*sync/atomic.Value).Swap":           keeps,
	"(*sync/atomic.Value).CompareAndSwap": keeps,

	"pangolin/prelude.mapLoad":             loads,
	"pangolin/prelude.mapStore":            keeps,
	"pangolin/prelude.mapLoadOrStore":      keeps,
	"pangolin/prelude.mapLoadAndDelete":    erases,
	"pangolin/prelude.mapDelete":           erases,
	"pangolin/prelude.mapSwap":             keeps,
	"pangolin/prelude.mapCompareAndSwap":   keeps,
	"pangolin/prelude.mapCompareAndDelete": erases,
	"pangolin/prelude.mapClear":            erases,
}

// isOfObject says whether a function is a method of such an object, or stands for one. A wrapper around a method is a function like others, which calls it.
func isOfObject(f *ir.Func) bool {
	_, is := accesses[f.Name]
	switch {
	case f.Wrapper:
		return false
	case f.Model:
		return is || f.Name == "pangolin/prelude.mapRange"
	}
	return strings.HasPrefix(f.Name, "(*sync.Map).") || strings.HasPrefix(f.Name, "(*sync/atomic.Value).")
}

// holdsMap says whether a value of the type has a sync.Map in it. A copy of one shares what it has with it, so that it is no object of its own.
func holdsMap(t *ir.Type) bool {
	switch t.Class {
	case ir.Array:
		return t.Len > 0 && holdsMap(t.Elem)
	case ir.Struct:
		if t.Name == "sync.Map" || t.PkgPath == "internal/sync" {
			return true
		}
		for i := range t.Fields {
			if holdsMap(t.Fields[i].Type) {
				return true
			}
		}
	}
	return false
}

// noLocks is an error if a value of one of some types has a lock or an object in it: it would be copied into an interface value, a function value or a map, or out of it.
func (c *checker) noLocks(at spot, list ...*ir.Type) error {
	for _, t := range list {
		if c.types.hasLock(t) {
			return c.reject(at, "%s: a value with a lock is copied", c.calls[at.call].fn.Short)
		}
	}
	return nil
}

// objectClass is the class that stands for all words of the object of a method: that of the first one. A sync.Map begins with an atomic.Uint32, so it is one with these.
func (t *types) objectClass(method *ir.Func) class {
	if len(method.Params) == 0 || method.Params[0].Class != ir.PointerClass {
		return class{sort: anything}
	}
	return t.word(method.Params[0].Elem, hint{}, 0)
}

// object calls a method of an object. To one that is own, and for the constructor, it is a store in it, or a load; to one that others may have it is an atomic access.
func (c *checker) object(at spot, s *state, t target) ([]outcome, error) {
	does, one := accesses[t.fn.Name]
	if !one || len(t.given) == 0 {
		return nil, c.reject(at, "%s calls %s, which is more than one access", c.calls[at.call].fn.Short, t.fn.Short)
	}
	to, given := t.given[0].set, t.given[1:]
	if to == 0 {
		return nil, nil // nil: it panics
	}
	c.mayWait(at, s)
	if err := c.meets(at, s, t, does); err != nil {
		return nil, err
	}
	if does != loads && to&(shared|foreign) != 0 {
		c.written[c.types.objectClass(t.fn)] = true
	}
	// One that may be own has what own memory holds, or what is stored in it.
	out := only(s.loaded(to))
	if does == keeps {
		out.set |= reach(given)
		published, err := s.publishing(func() error { return c.stores(at, s, access{through: t.given[0]}, given) })
		if err != nil {
			return nil, err
		}
		if published {
			out.publish()
		}
	}
	results := layoutOf(t.fn.Results)
	words := make([]value, len(results))
	for i, k := range results {
		words[i] = out.fitted(k)
	}
	return []outcome{{s, words}}, nil
}

// meets is an error unless an object may be accessed now. An access to one that others may have is the moment of the call, unless it reads with the lock what nobody writes without it.
func (c *checker) meets(at spot, s *state, t target, does effect) error {
	to := t.given[0].set
	if to&(shared|foreign) == 0 || s.phase == making {
		return nil
	}
	f, of := c.calls[at.call].fn, c.types.objectClass(t.fn)
	switch {
	case to&foreign != 0:
		return c.reject(at, "%s: %s of what may be a package variable, or what one leads to", f.Short, t.fn.Short)
	case !c.atomically[of]:
		return c.reject(at, "%s: %s of what others may have, and %s is not atomic", f.Short, t.fn.Short, c.types.text(of))
	case does == loads && c.kept[of] && s.phase.locked():
		return nil
	}
	then, allowed := moments[s.phase]
	switch {
	case !allowed:
		return c.reject(at, "%s: %s in the phase %v, behind the moment of the call", f.Short, t.fn.Short, s.phase)
	case c.careful:
		return c.reject(at, "%s: %s where a panic may be recovered", f.Short, t.fn.Short)
	case does != loads && c.kept[of] && s.phase != writing:
		return c.reject(at, "%s: %s is kept, and is written by %s in the phase %v", f.Short, c.types.text(of), t.fn.Short, s.phase)
	}
	s.phase = then
	return nil
}
