// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strings"
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
	if what := c.madeWith(); what != "" {
		return what
	}
	return c.keptError()
}

// keptError says which operation returns an error that may be of a type which leads to something to wait for: callers get at it by errors.As,
// and the harness only compares the error with nil. Error types of the standard library lead to none but by errors that they wrap.
func (c *Collection) keptError() string {
	if c.Subject.Name == nil || c.Subject.Name.Pkg() == nil {
		return ""
	}
	for i := range c.Operations {
		for j := range c.Operations[i].Results {
			if x := c.Operations[i].Results[j].Codec; x == nil || !x.hasError(0) {
				continue
			}
			if e := leadingError(c.Subject.Name.Pkg(), map[*types.Package]bool{}); e != "" {
				return fmt.Sprintf("%s returns an error, which callers keep, and %s is one that leads to a channel, a lock or a function", c.Operations[i].Name, e)
			}
			return ""
		}
	}
	return ""
}

// hasError reports whether a value of the codec's type may hold an error.
func (c *Codec) hasError(depth int) bool {
	switch c.Shape {
	case AsError, AsOpaque, AsPointer, AsDigest, AsStruct, AsSeq, AsFunc:
		return true
	}
	nested := []*Codec{c.Elem, c.Key}
	for _, p := range c.Parts {
		nested = append(nested, p.Codec)
	}
	return depth > mostDepth || slices.ContainsFunc(nested, func(x *Codec) bool { return x != nil && x.hasError(depth+1) })
}

// leadingError is an error type of a package, or of one that it imports, that leads to something to wait for. Packages of the standard library
// are left out: the first element of their paths has no dot, and is not that of the first package.
func leadingError(pkg *types.Package, seen map[*types.Package]bool) string {
	seen[pkg] = true
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	for _, name := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(t.Type()) {
			continue
		}
		if (types.Implements(t.Type(), iface) || types.Implements(types.NewPointer(t.Type()), iface)) && leads(t.Type(), map[types.Type]bool{}) {
			return types.TypeString(t.Type(), (*types.Package).Name)
		}
	}
	for _, p := range pkg.Imports() {
		first, _, _ := strings.Cut(p.Path(), "/")
		own, _, _ := strings.Cut(pkg.Path(), "/")
		if !seen[p] && (strings.Contains(first, ".") || first == own) {
			if e := leadingError(p, seen); e != "" {
				return e
			}
		}
	}
	return ""
}

// madeWith says which value the function that makes the collection takes, or returns besides, and callers hold.
func (c *Collection) madeWith() (what string) {
	made, err := parser.ParseExpr(c.New)
	if err != nil || c.Subject.Name == nil || c.Subject.Name.Pkg() == nil {
		return ""
	}
	ast.Inspect(made, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || what != "" {
			return what == ""
		}
		fn, ok := c.Subject.Name.Pkg().Scope().Lookup(id.Name).(*types.Func)
		if !ok {
			return true
		}
		sig := fn.Signature()
		for p := range sig.Params().Variables() {
			if optional := sig.Variadic() && p == sig.Params().At(sig.Params().Len()-1); !optional && !isContext(p.Type()) && handsOn(p.Type()) {
				what = fmt.Sprintf("%s takes %s, which callers keep", fn.Name(), types.TypeString(p.Type(), (*types.Package).Name))
			}
		}
		return true
	})
	return what
}

// Background says which operation, or what makes the collection, is given context.Background(), where callers may give a context that they
// cancel. "" if none is. What waits for it waits at a nil channel.
func (c *Collection) Background() string {
	if made, err := parser.ParseExpr(c.New); err == nil {
		given := ""
		ast.Inspect(made, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "Background" || s.Sel.Name == "TODO") {
				given = "the constructor"
			}
			return true
		})
		if given != "" {
			return given
		}
	}
	for i := range c.Operations {
		for _, p := range c.Operations[i].Call.Params {
			if p != nil && (p.Shape == AsContext || p.Shape == AsConstant && isContext(p.Type)) {
				return c.Operations[i].Name
			}
		}
	}
	return ""
}

// isContext reports whether a type is context.Context.
func isContext(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context"
}

// handsOn reports whether somebody else may hold what an argument of the type leads to, or, if it is a function, what it is called with.
func handsOn(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return leads(t, map[types.Type]bool{})
	}
	for p := range sig.Params().Variables() {
		if !isContext(p.Type()) && leads(p.Type(), map[types.Type]bool{}) { // who is given a context cannot cancel it
			return true
		}
	}
	return false
}

// forgets reports whether a value of the codec's type leads to something to wait for, and is held by nobody behind the call.
func (c *Codec) forgets(depth int) bool {
	switch c.Shape {
	case AsOpaque, AsPointer:
		return leads(c.Type, map[types.Type]bool{})
	case AsDigest:
		if c.Elem != nil && c.Elem.Shape == AsSeq {
			return c.Elem.forgets(depth + 1)
		}
		return leads(c.Type, map[types.Type]bool{})
	case AsFunc:
		return handsOn(c.Type)
	case AsSeq: // executed at once, and what it gave is dropped
		for _, p := range c.Parts {
			if leads(p.Codec.Type, map[types.Type]bool{}) {
				return true
			}
		}
		return false
	case AsStruct:
		if leads(c.Type, map[types.Type]bool{}) {
			return true
		}
	case AsDynamic, AsSequence, AsArray, AsMap:
	case AsInt:
		if !c.IsStandIn() {
			return false
		}
	default: // numbers and texts; what the harness stores (handles), or makes itself (contexts)
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
	case *types.Interface: // of an error, see keptError
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
