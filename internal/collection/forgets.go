// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"go/types"
)

// Forgets says which value that an operation takes or returns callers hold, and the harness does not, although a goroutine of the
// collection may wait for something that the value leads to: a channel, a lock, a function that closes over one. "" if there is none.
func (c *Collection) Forgets() string {
	for i := range c.Operations {
		o := &c.Operations[i]
		for j := range o.Results {
			if x := o.Results[j].Codec; x != nil && x.forgets(0) {
				return fmt.Sprintf("%s returns %s, which callers keep", o.Name, o.Results[j].Type)
			}
		}
		for _, x := range o.Call.Params {
			if x != nil && x.forgets(0) {
				return fmt.Sprintf("%s takes %s, which callers keep", o.Name, types.TypeString(x.Type, (*types.Package).Name))
			}
		}
	}
	return ""
}

// forgets reports whether a value of the codec's type leads to something to wait for, and is held by nobody behind the call.
func (c *Codec) forgets(depth int) bool {
	switch c.Shape {
	case AsOpaque, AsPointer:
		return leads(c.Type, map[types.Type]bool{})
	case AsStruct:
		if leads(c.Type, map[types.Type]bool{}) {
			return true
		}
	case AsDynamic, AsDigest, AsSequence, AsArray, AsMap:
	default: // numbers and texts; what the harness stores (handles), makes itself (functions, contexts), or has executed to its end (iterators)
		return false
	}
	if depth > mostDepth {
		return true
	}
	for _, x := range []*Codec{c.Elem, c.Key} {
		if x != nil && x.forgets(depth+1) {
			return true
		}
	}
	for _, p := range c.Parts {
		if p.Codec != nil && p.Codec.forgets(depth+1) {
			return true
		}
	}
	return false
}

// mostDepth is the depth of nested codecs that are looked at.
const mostDepth = 16

// leads reports whether a value of a type may lead to a channel, a lock, or something of unknown contents.
func leads(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Interface: // an error leads to none
		return !types.Identical(u, types.Universe.Lookup("error").Type().Underlying())
	case *types.Pointer:
		return leads(u.Elem(), seen)
	case *types.Slice:
		return leads(u.Elem(), seen)
	case *types.Array:
		return leads(u.Elem(), seen)
	case *types.Map:
		return leads(u.Key(), seen) || leads(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if leads(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}
