// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// Words of names of methods whose functions change what they are given, and of those whose functions look at it only.
var (
	changingWords = []string{"update", "modify", "mutate", "edit", "change", "alter", "adjust", "amend", "transform", "patch", "configure", "reconfigure", "rewrite", "upsert"}
	lookingWords  = []string{"view", "read", "look", "range", "each", "foreach", "for", "iterate", "iter", "walk", "visit", "inspect", "peek", "get", "find", "filter", "scan", "list", "all",
		"show", "dump", "snapshot", "load", "on", "when", "subscribe", "watch", "observe", "notify", "register", "handle", "listen"}
)

// changing finds, for a parameter of the function that a method is given, how the function changes it; nil if functions given to that method change nothing.
//
// A function that gives what it was given, or another one of its type, computes, and changes nothing: Update(f func(old *Config) *Config).
func (k *coder) changing(method string, sig *types.Signature) func(types.Type) *collection.Codec {
	for r := range sig.Results().Variables() {
		if !isError(r.Type()) && !isBool(r.Type()) {
			return nil
		}
	}
	named := hasWord(method, changingWords)
	if looks(method) {
		return nil
	}
	return func(t types.Type) *collection.Codec {
		if !named && !onlyChanged(t) {
			return nil
		}
		return k.changed(t)
	}
}

func hasWord(name string, list []string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(list, w) })
}

// looks reports whether the functions that a method is given look at what they are given only, by its name.
func looks(method string) bool {
	return hasWord(method, lookingWords) && !hasWord(method, changingWords)
}

// onlyChanged tells pointers that nobody has but to write through: to a number, a string, a slice or a map, none of which is large.
func onlyChanged(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	switch p.Elem().Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Map:
		return true
	}
	return false
}

// changed is the codec of what a function is given and changes; nil if there is nothing in it that it could change, or if it has a lock of its own.
func (k *coder) changed(t types.Type) *collection.Codec {
	var c *collection.Codec
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if k.refersToSelf(t) || locksItself(u.Elem()) {
			return nil
		}
		if e, _ := k.part(u.Elem(), 1); e != nil {
			c = &collection.Codec{Type: t, Shape: collection.AsPointer, Elem: e}
		}
	case *types.Map:
		c, _ = k.part(t, 0)
	}
	if c == nil {
		return nil
	}
	if _, at := c.Place("x"); at == nil || at.Shape == collection.AsSequence && k.unnameable(at.Elem.Type) != "" {
		return nil
	}
	return c
}

// locksItself reports whether a struct has a field with a method Lock.
func locksItself(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(f.Type()), true, f.Pkg(), "Lock"); m != nil {
			return true
		}
	}
	return false
}

// changesOf says what the functions that a method is given change, and that they change nothing where its name leaves open whether they may.
func changesOf(m *method) string {
	var places []string
	could := false
	for _, c := range m.params {
		if c.Shape != collection.AsFunc {
			continue
		}
		for _, p := range c.Parts {
			name := p.Name
			if name == "" || name == "_" {
				name = "it"
			}
			switch place, at := p.Codec.Place(name); {
			case at == nil:
			case !p.Changes:
				could = could || onlyFails(c) && !looks(m.name)
			case at.Shape == collection.AsMap:
				places = append(places, "one entry of "+written(place, name))
			default:
				places = append(places, written(place, name))
			}
		}
	}
	switch {
	case len(places) > 0:
		return fmt.Sprintf("the functions that %s is given change %s, and no other place", m.name, strings.Join(places, " and "))
	case could:
		return fmt.Sprintf("the functions that %s is given change nothing of what they are given", m.name)
	}
	return ""
}

// written is a place as it is written in Go: v.Limit for (*v).Limit.
func written(place, name string) string {
	if rest, through := strings.CutPrefix(place, "(*"+name+")"); through && rest != "" {
		return name + rest
	}
	return strings.Trim(place, "()")
}

// onlyFails reports whether a function gives nothing but bools and errors.
func onlyFails(c *collection.Codec) bool {
	return !slices.ContainsFunc(c.Gives, func(r *collection.Codec) bool { return !isError(r.Type) && !isBool(r.Type) })
}
