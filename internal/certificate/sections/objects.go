// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"

	"pangolin/internal/ir"
)

// Objects of the standard library, sync.Map and atomic.Value, whose methods are one access each to what no other code has the words of. So they are not followed.

// accesses are the methods that are one access; true: what they are given may be kept.
var accesses = map[string]bool{
	"(*sync/atomic.Value).Load":           false,
	"(*sync/atomic.Value).Store":          true,
	"(*sync/atomic.Value).Swap":           true,
	"(*sync/atomic.Value).CompareAndSwap": true,

	"pangolin/prelude.mapLoad":             false,
	"pangolin/prelude.mapStore":            true,
	"pangolin/prelude.mapLoadOrStore":      true,
	"pangolin/prelude.mapLoadAndDelete":    true,
	"pangolin/prelude.mapDelete":           true,
	"pangolin/prelude.mapSwap":             true,
	"pangolin/prelude.mapCompareAndSwap":   true,
	"pangolin/prelude.mapCompareAndDelete": true,
	"pangolin/prelude.mapClear":            true,
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

// object calls a method of an object. To one that is own, and for the constructor, it is a store in it, or a load; to one that others may have it is the moment of the call, whatever lock that has.
func (c *checker) object(at spot, s *state, t target) ([]outcome, error) {
	keeps, one := accesses[t.fn.Name]
	if !one || len(t.given) == 0 {
		return nil, c.reject(at, "%s calls %s, which is more than one access", c.calls[at.call].fn.Short, t.fn.Short)
	}
	to, given := t.given[0].set, t.given[1:]
	if to == 0 {
		return nil, nil // nil: it panics
	}
	if err := c.meets(at, s, t, to); err != nil {
		return nil, err
	}
	// One that may be own has what own memory holds, or what it is given.
	out := only(s.loaded(to) | reach(given))
	if keeps {
		was := s.published
		s.published = false
		if err := c.stores(at, s, access{through: t.given[0]}, given); err != nil {
			return nil, err
		}
		if s.published {
			out.publish()
		}
		s.published = s.published || was
	}
	results := layoutOf(t.fn.Results)
	words := make([]value, len(results))
	for i, k := range results {
		words[i] = out.fitted(k)
	}
	return []outcome{{s, words}}, nil
}

// meets is an error unless an object may be accessed now. One that others may have is accessed at the moment of the call.
func (c *checker) meets(at spot, s *state, t target, to set) error {
	if to&(shared|foreign) == 0 || s.phase == making {
		return nil
	}
	f := c.calls[at.call].fn
	then, allowed := moments[s.phase]
	switch {
	case to&foreign != 0:
		return c.reject(at, "%s: %s of what may be a package variable, or what one leads to", f.Short, t.fn.Short)
	case !allowed:
		return c.reject(at, "%s: %s in the phase %v, behind the moment of the call", f.Short, t.fn.Short, s.phase)
	case c.careful:
		return c.reject(at, "%s: %s where a panic may be recovered", f.Short, t.fn.Short)
	}
	s.phase = then
	return nil
}
