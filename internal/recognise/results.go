// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/token"
	"go/types"

	"pangolin/internal/collection"
)

// failure tells errors apart by the package's variables, and those of the package's types by type and text. What they hold besides, as the number of an attempt, may depend on the
// schedule by design, so it is not compared, which the verdict says.
func (k *coder) failure(t types.Type) *collection.Codec {
	c := &collection.Codec{Type: t, Shape: collection.AsFailure}
	for _, name := range k.pkg.Scope().Names() {
		if v, ok := k.pkg.Scope().Lookup(name).(*types.Var); ok && isError(v.Type()) && token.IsIdentifier(name) && name != "_" {
			c.Errors = append(c.Errors, name)
		}
	}
	for _, held := range packageTypes(k.pkg) {
		if isError := types.Universe.Lookup("error").Type().Underlying().(*types.Interface); types.Implements(held, isError) {
			c.Parts = append(c.Parts, collection.Part{Codec: &collection.Codec{Type: held, Shape: collection.AsOpaque, Elem: k.held(held)}})
		}
	}
	return c
}

// held has the fields of an error that are no errors, as what is not compared.
func (k *coder) held(t types.Type) *collection.Codec {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || k.isSelf(t) {
		return nil
	}
	c := &collection.Codec{Type: t, Shape: collection.AsOpaque}
	for f := range s.Fields() {
		if f.Name() != "_" && !isError(f.Type()) {
			c.Left = append(c.Left, f.Name()+" "+k.show(f.Type()))
		}
	}
	return c
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
