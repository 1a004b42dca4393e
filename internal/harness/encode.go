package harness

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strings"

	"pangolin/internal/collection"
)

// constant writes the argument for a constant parameter.
func (g *generator) constant(c *collection.Codec) string {
	switch c.Shape {
	case collection.AsCallback:
		return "func() { c.calls++ }"
	case collection.AsConstant:
	default:
		return ""
	}
	e, err := parser.ParseExpr(c.Constant)
	if call, ok := e.(*ast.CallExpr); ok && err == nil {
		sel := call.Fun.(*ast.SelectorExpr) // context.Background()
		named := types.Unalias(c.Type).(*types.Named)
		return g.imported(named.Obj().Pkg().Path(), named.Obj().Pkg().Name()) + "." + sel.Sel.Name + "()"
	}
	return c.Constant
}

// conv converts an expression to a type.
func (g *generator) conv(t types.Type, expr string) string {
	name := g.typ(t)
	if strings.HasPrefix(name, "*") || strings.ContainsAny(name, " {(") {
		name = "(" + name + ")"
	}
	return name + "(" + expr + ")"
}

// encode writes the value of the codec's type that an int expression stands for.
func (g *generator) encode(c *collection.Codec, arg string) string {
	switch c.Shape {
	case collection.AsBool:
		return g.maybeConv(c.Type, types.Bool, arg+"&1 != 0")
	case collection.AsInt:
		return g.maybeConv(c.Type, types.Int, arg)
	case collection.AsFloat:
		return g.conv(c.Type, arg)
	case collection.AsString:
		return g.maybeConv(c.Type, types.String, g.helper("pangolinString", stringEncoder())+"("+arg+")")
	case collection.AsPointer:
		return g.maybeConvNamed(c.Type, g.pointerEncoder(c)+"("+arg+")")
	case collection.AsDynamic:
		return g.conv(c.Type, g.encode(c.Elem, arg))
	case collection.AsContext:
		return g.context() + "(" + arg + ")"
	case collection.AsFailure:
		return g.failing() + "(" + arg + ")"
	case collection.AsFunc:
		return g.function(c, arg)
	case collection.AsMap:
		return g.typ(c.Type) + "{" + g.encode(c.Key, arg) + ": " + g.encode(c.Elem, arg) + "}"
	case collection.AsStruct:
		if c.Field == "" {
			return g.typ(c.Type) + "{}"
		}
		return g.typ(c.Type) + "{" + c.Field + ": " + g.encode(c.Elem, arg) + "}"
	}
	elements := []string{g.encode(c.Elem, arg)}
	for i := 1; i < c.Count; i++ {
		elements = append(elements, g.encode(c.Elem, fmt.Sprintf("%s+%d", arg, i)))
	}
	return g.typ(c.Type) + "{" + strings.Join(elements, ", ") + "}" // AsSequence
}

// maybeConv converts unless the expression has the type already.
func (g *generator) maybeConv(t types.Type, have types.BasicKind, expr string) string {
	if types.Identical(t, types.Typ[have]) {
		return expr
	}
	return g.conv(t, expr)
}

// maybeConvNamed converts to a named pointer type.
func (g *generator) maybeConvNamed(t types.Type, expr string) string {
	if _, ok := t.(*types.Pointer); ok {
		return expr
	}
	return g.conv(t, expr)
}

// helper adds a function once; what it does is its source but for its name.
func (g *generator) helper(name, source string) string {
	if known, ok := g.known[source]; ok {
		return known
	}
	if strings.HasSuffix(name, "#") {
		name = fmt.Sprintf("%s%d", strings.TrimSuffix(name, "#"), len(g.known))
	}
	g.known[source] = name
	g.helpers = append(g.helpers, strings.ReplaceAll(source, "NAME", name))
	return name
}

// stringEncoder cuts strings out of one constant, so that no table lies in memory.
func stringEncoder() string {
	var all strings.Builder
	for i := range collection.StringValues {
		fmt.Fprintf(&all, "v%02d", i)
	}
	return fmt.Sprintf(`func NAME(i int) string {
	i &= %d
	if i == 0 {
		return ""
	}
	const all = %q
	return all[3*i : 3*i+3]
}
`, collection.StringValues-1, all.String())
}

func stringDecoder() string {
	return fmt.Sprintf(`func NAME(s string) int {
	if s == "" {
		return 0
	}
	if len(s) == 3 && s[0] == 'v' {
		if n := int(s[1]-'0')*10 + int(s[2]-'0'); 0 < n && n < %d {
			return n
		}
	}
	n := 1 << 40
	for i := 0; i < len(s); i++ {
		n = n*31 + int(s[i])
	}
	return n
}
`, collection.StringValues)
}

// pointerEncoder makes a new object each time, or points into a table where
// pointers are compared.
func (g *generator) pointerEncoder(c *collection.Codec) string {
	elem := c.Type.Underlying().(*types.Pointer).Elem()
	typ := g.typ(elem)
	if c.Fresh {
		return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\tx := %s\n\treturn &x\n}\n",
			typ, g.encode(c.Elem, fmt.Sprintf("(i & %d)", collection.PointerValues-1))))
	}
	table := g.helper("pangolinTable#", fmt.Sprintf(`var NAME = func() (table [%d]%s) {
	for i := range table {
		table[i] = %s
	}
	return table
}()
`, collection.PointerValues, typ, g.encode(c.Elem, "i")))
	isNil := ""
	if c.ZeroIsNil {
		isNil = "\tif i == 0 {\n\t\treturn nil\n\t}\n"
	}
	return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\ti &= %d\n%s\treturn &%s[i]\n}\n",
		typ, collection.PointerValues-1, isNil, table))
}

// decode writes the int that a value stands for.
func (g *generator) decode(c *collection.Codec, v string) string {
	if c.Nilable() {
		name := g.helper("pangolinFlat", `func NAME(value, present int) int {
	if present == 0 {
		return -1 << 42
	}
	return value
}
`)
		if c.ZeroIsNil {
			name = g.helper("pangolinOrZero", "func NAME(value, present int) int {\n\treturn value * present\n}\n")
		}
		return name + "(" + g.decodeNilable(c, v) + ")"
	}
	switch c.Shape {
	case collection.AsBool:
		return g.helper("pangolinBool", "func NAME(b bool) int {\n\tif b {\n\t\treturn 1\n\t}\n\treturn 0\n}\n") +
			"(" + g.plain(c.Type, types.Bool, v) + ")"
	case collection.AsInt:
		return g.decodeInt(c.Type, v)
	case collection.AsFloat:
		return g.helper("pangolinFloat", `func NAME(f float64) int {
	if n := int(f); float64(n) == f {
		return n
	}
	return 1<<50 + int(f*65536)
}
`) + "(" + g.plain(c.Type, types.Float64, v) + ")"
	case collection.AsString:
		return g.helper("pangolinStringValue", stringDecoder()) + "(" + g.plain(c.Type, types.String, v) + ")"
	case collection.AsError:
		return g.helper("pangolinError", "func NAME(err error) int {\n\tif err != nil {\n\t\treturn 1\n\t}\n\treturn 0\n}\n") + "(" + v + ")"
	case collection.AsFailure:
		return g.failure(c) + "(" + v + ")"
	case collection.AsStruct:
		if c.Field == "" {
			return g.helper("pangolinIgnore", "func NAME(interface{}) int {\n\treturn 0\n}\n") + "(" + v + ")"
		}
		return g.decode(c.Elem, v+"."+c.Field)
	}
	return g.decode(c.Elem, v+"[0]") // an array
}

// plain converts a value of a named type to its basic type.
func (g *generator) plain(t types.Type, kind types.BasicKind, v string) string {
	if types.Identical(t, types.Typ[kind]) {
		return v
	}
	return types.Typ[kind].Name() + "(" + v + ")"
}

// decodeInt reads unsigned integers as signed ones of their size: counting down
// from 0 gives -1.
func (g *generator) decodeInt(t types.Type, v string) string {
	signed := map[types.BasicKind]string{types.Uint8: "int8", types.Uint16: "int16", types.Uint32: "int32"}
	if s, ok := signed[t.Underlying().(*types.Basic).Kind()]; ok {
		return "int(" + s + "(" + v + "))"
	}
	return g.plain(t, types.Int, v)
}

// decodeNilable writes an expression of two ints: the value, and whether there is
// one.
func (g *generator) decodeNilable(c *collection.Codec, v string) string {
	var body string
	switch c.Shape {
	case collection.AsOpaque:
		name := g.helper("pangolinPresent", "func NAME(present bool) (int, int) {\n\tif present {\n\t\treturn 1, 1\n\t}\n\treturn 0, 0\n}\n")
		return name + "(" + v + " != nil)"
	case collection.AsPointer:
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\treturn %s, 1\n", g.decode(c.Elem, deref(c)))
	case collection.AsDynamic:
		held := g.typ(c.Elem.Type)
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\tif y, ok := x.(%s); ok {\n\t\treturn %s, 1\n\t}\n\treturn 1 << 41, 1\n",
			held, g.decode(c.Elem, "y"))
	default:
		body = fmt.Sprintf("\tif len(x) == 0 {\n\t\treturn 0, 0\n\t}\n\tn := 0\n\tfor i := len(x) - 1; i > 0; i-- {\n"+
			"\t\tn = n*%d + %s + 1\n\t}\n\treturn n*%[1]d + %[3]s, 1\n", collection.SequenceBase, g.decode(c.Elem, "x[i]"), g.decode(c.Elem, "x[0]"))
	}
	return g.helper("pangolinValue#", fmt.Sprintf("func NAME(x %s) (int, int) {\n%s}\n", g.typ(c.Type), body)) + "(" + v + ")"
}

// deref is what x points to; a field is reached without copying the struct.
func deref(c *collection.Codec) string {
	if c.Elem.Shape == collection.AsStruct {
		return "x"
	}
	return "(*x)"
}
