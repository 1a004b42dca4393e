// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/token"
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// mostFailures is how deep errors are read with their fields that are fields of errors.
const mostFailures = 2

// failure tells errors apart by the package's variables, and those of the package's types by what they hold.
func (k *coder) failure(t types.Type) *collection.Codec {
	c := &collection.Codec{Type: t, Shape: collection.AsFailure}
	k.failures++
	defer func() { k.failures-- }()
	for _, name := range k.pkg.Scope().Names() {
		if v, ok := k.pkg.Scope().Lookup(name).(*types.Var); ok && isError(v.Type()) && token.IsIdentifier(name) && name != "_" {
			c.Errors = append(c.Errors, name)
		}
	}
	for _, held := range packageTypes(k.pkg) {
		if isError := types.Universe.Lookup("error").Type().Underlying().(*types.Interface); types.Implements(held, isError) {
			c.Parts = append(c.Parts, collection.Part{Codec: &collection.Codec{Type: held, Shape: collection.AsOpaque, Elem: k.failed(held)}})
		}
	}
	return c
}

// failed is the codec of what an error of a type of the package holds, or points to; nil if that is nothing, or cannot be read. What it leads to and is
// only told from nil counts as not compared, and so do the fields of errors in errors in errors.
func (k *coder) failed(held types.Type) *collection.Codec {
	if p, ok := held.(*types.Pointer); ok {
		held = p.Elem()
	}
	if k.failures > mostFailures || k.isSelf(held) {
		return nil
	}
	c, _ := k.part(held, 0)
	if c == nil || c.Shape == collection.AsOpaque || c.Shape == collection.AsStruct && len(c.Parts)+len(c.Left) == 0 {
		return nil
	}
	if c.Shape != collection.AsStruct {
		return c
	}
	for _, p := range c.Parts {
		text := p.Name + " " + k.show(p.Codec.Type)
		switch {
		case p.Codec.Shape == collection.AsOpaque:
			c.Left = append(c.Left, text)
		case p.Codec.Shape == collection.AsFailure && k.failures == mostFailures && slices.ContainsFunc(p.Codec.Parts, holdsSomething):
			c.Left = append(c.Left, text+", but for its type and text,")
		}
	}
	return c
}

// holdsSomething says that an error has fields that are not errors.
func holdsSomething(p collection.Part) bool {
	t := p.Codec.Type
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !isError(f.Type()) {
			return true
		}
	}
	return false
}

// flat tells types of values that lead to nothing else: numbers, texts, errors, and structs and arrays of them, but for what synchronises.
func flat(t types.Type, depth int) bool {
	if depth > maxDepth || synchronises(t) {
		return false
	}
	if isError(t) || foreign(t) != nil {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return flat(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !flat(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// empty says that nothing is read of a result's values, which hold something.
func empty(c *collection.Codec) bool {
	switch c.Shape {
	case collection.AsDigest:
		return empty(c.Elem)
	case collection.AsArray:
		return c.Elem != nil && empty(c.Elem)
	case collection.AsStruct:
		return len(c.Parts) == 0 && len(c.Left) > 0
	}
	return false
}
