// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// namer prints types. The qualifier says how a package is written before a
// name; type arguments are always qualified with the full path, as the
// runtime's type names are.
type namer struct {
	qualify func(*types.Package) string
	b       strings.Builder
}

// runtimeName is a type's name as %T prints it: "main.T", "map[string]bool".
func runtimeName(t types.Type) string {
	n := namer{qualify: (*types.Package).Name}
	n.write(t)
	return n.b.String()
}

// fullName is a type's name with full package paths. Two types that are
// declared inside functions may share it.
func fullName(t types.Type) string {
	n := namer{qualify: (*types.Package).Path}
	n.write(t)
	return n.b.String()
}

// linkPath is the path by which the linker knows a package, and which the names of type arguments have: main for a command.
func linkPath(pkg *types.Package) string {
	if pkg.Name() == "main" {
		return "main"
	}
	return pkg.Path()
}

// shortName is a type's name without packages, for people.
func shortName(t types.Type) string {
	n := namer{qualify: func(*types.Package) string { return "" }}
	n.write(t)
	return n.b.String()
}

func (n *namer) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		n.b.WriteString(basicName(t))
	case *types.Named:
		n.named(t)
	case *types.Pointer:
		n.prefixed("*", t.Elem())
	case *types.Slice:
		n.prefixed("[]", t.Elem())
	case *types.Array:
		n.prefixed("["+strconv.FormatInt(t.Len(), 10)+"]", t.Elem())
	case *types.Map:
		n.prefixed("map[", t.Key())
		n.prefixed("]", t.Elem())
	case *types.Chan:
		n.channel(t)
	case *types.Signature:
		n.b.WriteString("func")
		n.signature(t)
	case *types.Struct:
		n.structure(t)
	case *types.Interface:
		n.iface(t)
	case *types.Tuple:
		n.tuple(t, false)
	default: // a type parameter, in functions that are never executed
		n.b.WriteString(t.String())
	}
}

// basicName prints byte and rune as what they are aliases of.
func basicName(t *types.Basic) string {
	if t.Kind() == types.UnsafePointer {
		return "unsafe.Pointer"
	}
	if int(t.Kind()) < len(types.Typ) {
		return types.Typ[t.Kind()].Name()
	}
	return t.Name()
}

func (n *namer) prefixed(prefix string, t types.Type) {
	n.b.WriteString(prefix)
	n.write(t)
}

func (n *namer) named(t *types.Named) {
	pkg, name := t.Obj().Pkg(), t.Obj().Name()
	if pkg != nil && pkg.Path() == preludePath && strings.Contains(name, "_") {
		// A type of the prelude that stands for pkg.name is called pkg_name.
		name = strings.Replace(name, "_", ".", 1)
	} else if pkg != nil && n.qualify(pkg) != "" {
		name = n.qualify(pkg) + "." + name
	}
	n.b.WriteString(name)
	n.typeArgs(t.TypeArgs())
}

func (n *namer) typeArgs(args *types.TypeList) {
	if args.Len() == 0 {
		return
	}
	short := n.qualify(types.NewPackage("a/b", "b")) == ""
	for i := range args.Len() {
		if i == 0 {
			n.b.WriteString("[")
		} else {
			n.b.WriteString(",")
		}
		if short {
			n.b.WriteString(shortName(args.At(i)))
		} else {
			arg := namer{qualify: linkPath}
			arg.write(args.At(i))
			n.b.WriteString(arg.b.String())
		}
	}
	n.b.WriteString("]")
}

func (n *namer) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		n.prefixed("chan<- ", t.Elem())
	case types.RecvOnly:
		n.prefixed("<-chan ", t.Elem())
	default:
		if elem, ok := types.Unalias(t.Elem()).(*types.Chan); ok && elem.Dir() == types.RecvOnly {
			n.prefixed("chan (", t.Elem())
			n.b.WriteString(")")
			return
		}
		n.prefixed("chan ", t.Elem())
	}
}

func (n *namer) signature(t *types.Signature) {
	n.b.WriteString("(")
	n.tuple(t.Params(), t.Variadic())
	n.b.WriteString(")")
	switch t.Results().Len() {
	case 0:
	case 1:
		n.prefixed(" ", t.Results().At(0).Type())
	default:
		n.b.WriteString(" (")
		n.tuple(t.Results(), false)
		n.b.WriteString(")")
	}
}

func (n *namer) tuple(t *types.Tuple, variadic bool) {
	for i := range t.Len() {
		if i > 0 {
			n.b.WriteString(", ")
		}
		typ := t.At(i).Type()
		if s, ok := typ.(*types.Slice); ok && variadic && i == t.Len()-1 {
			n.prefixed("...", s.Elem())
			continue
		}
		n.write(typ)
	}
}

func (n *namer) structure(t *types.Struct) {
	if t.NumFields() == 0 {
		n.b.WriteString("struct {}")
		return
	}
	n.b.WriteString("struct { ")
	for i := range t.NumFields() {
		if i > 0 {
			n.b.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			n.b.WriteString(f.Name() + " ")
		}
		n.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			n.b.WriteString(" " + strconv.Quote(tag))
		}
	}
	n.b.WriteString(" }")
}

func (n *namer) iface(t *types.Interface) {
	if t.NumMethods() == 0 {
		n.b.WriteString("interface {}")
		return
	}
	n.b.WriteString("interface { ")
	for i := range t.NumMethods() {
		if i > 0 {
			n.b.WriteString("; ")
		}
		m := t.Method(i)
		if !m.Exported() && m.Pkg() != nil && n.qualify(m.Pkg()) != "" {
			n.b.WriteString(n.qualify(m.Pkg()) + ".")
		}
		n.b.WriteString(m.Name())
		n.signature(m.Signature())
	}
	n.b.WriteString(" }")
}

// funcNames gives a function's full name and the one for people.
func funcNames(fn *ssa.Function) (full, short string) {
	if parent := fn.Parent(); parent != nil {
		full, short = funcNames(parent)
		suffix := strings.TrimPrefix(fn.Name(), parent.Name())
		return full + suffix, short + strings.ReplaceAll(suffix, "$", ".func")
	}
	name := fn.Name()
	if i := strings.IndexByte(name, '['); i > 0 { // type arguments of an instance
		name = name[:i] + name[strings.LastIndexByte(name, ']')+1:]
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return method(fullName(recv.Type()), name), method(shortName(recv.Type()), name)
	}
	if args := fn.TypeArgs(); len(args) > 0 {
		return packagePrefix(fn) + name + argList(args, fullName), name + argList(args, shortName)
	}
	return packagePrefix(fn) + name, name
}

func method(recv, name string) string {
	if strings.HasPrefix(recv, "*") {
		recv = "(" + recv + ")"
	}
	return recv + "." + name
}

func packagePrefix(fn *ssa.Function) string {
	if pkg := packageOf(fn); pkg != nil {
		return pkg.Path() + "."
	}
	return ""
}

func argList(args []types.Type, print func(types.Type) string) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = print(a)
	}
	return "[" + strings.Join(names, ",") + "]"
}

// packageOf is the package that declares a function, or nil for what belongs
// to no package (error.Error).
func packageOf(fn *ssa.Function) *types.Package {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if obj := fn.Object(); obj != nil {
		return obj.Pkg()
	}
	return nil
}

// originName is the name under which built-in meanings and models are looked
// up: that of the generic function where fn is an instance.
func originName(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.String()
}
