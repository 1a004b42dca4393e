package collection

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strings"
)

// constant writes the argument for a constant parameter.
func (g *generator) constant(c *codec) string {
	switch c.shape {
	case asCallback:
		return "func() { c.calls++ }"
	case asConstant:
	default:
		return ""
	}
	e, err := parser.ParseExpr(c.constant)
	if call, ok := e.(*ast.CallExpr); ok && err == nil {
		sel := call.Fun.(*ast.SelectorExpr) // context.Background()
		named := namedOf(c.typ)
		return g.imported(named.Obj().Pkg().Path(), named.Obj().Pkg().Name()) + "." + sel.Sel.Name + "()"
	}
	return c.constant
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
func (g *generator) encode(c *codec, arg string) string {
	switch c.shape {
	case asBool:
		return g.maybeConv(c.typ, types.Bool, arg+"&1 != 0")
	case asInt:
		return g.maybeConv(c.typ, types.Int, arg)
	case asFloat:
		return g.conv(c.typ, arg)
	case asString:
		return g.maybeConv(c.typ, types.String, g.helper("pangolinString", stringEncoder())+"("+arg+")")
	case asPointer:
		return g.maybeConvNamed(c.typ, g.pointerEncoder(c)+"("+arg+")")
	case asDynamic:
		return g.conv(c.typ, g.encode(c.elem, arg))
	case asStruct:
		if c.field == "" {
			return g.typ(c.typ) + "{}"
		}
		return g.typ(c.typ) + "{" + c.field + ": " + g.encode(c.elem, arg) + "}"
	}
	return g.typ(c.typ) + "{" + g.encode(c.elem, arg) + "}" // asSequence
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
	for i := range stringValues {
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
`, stringValues-1, all.String())
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
`, stringValues)
}

// pointerEncoder makes a new object each time, or points into a table where
// pointers are compared.
func (g *generator) pointerEncoder(c *codec) string {
	elem := c.typ.Underlying().(*types.Pointer).Elem()
	typ := g.typ(elem)
	if c.fresh {
		return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\tx := %s\n\treturn &x\n}\n",
			typ, g.encode(c.elem, fmt.Sprintf("(i & %d)", pointerValues-1))))
	}
	table := g.helper("pangolinTable#", fmt.Sprintf(`var NAME = func() (table [%d]%s) {
	for i := range table {
		table[i] = %s
	}
	return table
}()
`, pointerValues, typ, g.encode(c.elem, "i")))
	isNil := ""
	if c.zeroIsNil {
		isNil = "\tif i == 0 {\n\t\treturn nil\n\t}\n"
	}
	return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\ti &= %d\n%s\treturn &%s[i]\n}\n",
		typ, pointerValues-1, isNil, table))
}

// decode writes the int that a value stands for.
func (g *generator) decode(c *codec, v string) string {
	if c.nilable() {
		name := g.helper("pangolinFlat", `func NAME(value, present int) int {
	if present == 0 {
		return -1 << 42
	}
	return value
}
`)
		if c.zeroIsNil {
			name = g.helper("pangolinOrZero", "func NAME(value, present int) int {\n\treturn value * present\n}\n")
		}
		return name + "(" + g.decodeNilable(c, v) + ")"
	}
	switch c.shape {
	case asBool:
		return g.helper("pangolinBool", "func NAME(b bool) int {\n\tif b {\n\t\treturn 1\n\t}\n\treturn 0\n}\n") +
			"(" + g.plain(c.typ, types.Bool, v) + ")"
	case asInt:
		return g.decodeInt(c.typ, v)
	case asFloat:
		return g.helper("pangolinFloat", `func NAME(f float64) int {
	if n := int(f); float64(n) == f {
		return n
	}
	return 1<<50 + int(f*65536)
}
`) + "(" + g.plain(c.typ, types.Float64, v) + ")"
	case asString:
		return g.helper("pangolinStringValue", stringDecoder()) + "(" + g.plain(c.typ, types.String, v) + ")"
	case asError:
		return g.helper("pangolinError", "func NAME(err error) int {\n\tif err != nil {\n\t\treturn 1\n\t}\n\treturn 0\n}\n") + "(" + v + ")"
	case asStruct:
		if c.field == "" {
			return g.helper("pangolinIgnore", "func NAME(interface{}) int {\n\treturn 0\n}\n") + "(" + v + ")"
		}
		return g.decode(c.elem, v+"."+c.field)
	}
	return g.decode(c.elem, v+"[0]") // an array
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
func (g *generator) decodeNilable(c *codec, v string) string {
	var body string
	switch c.shape {
	case asOpaque:
		name := g.helper("pangolinPresent", "func NAME(present bool) (int, int) {\n\tif present {\n\t\treturn 1, 1\n\t}\n\treturn 0, 0\n}\n")
		return name + "(" + v + " != nil)"
	case asPointer:
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\treturn %s, 1\n", g.decode(c.elem, c.deref()))
	case asDynamic:
		held := g.typ(c.elem.typ)
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\tif y, ok := x.(%s); ok {\n\t\treturn %s, 1\n\t}\n\treturn 1 << 41, 1\n",
			held, g.decode(c.elem, "y"))
	default:
		body = fmt.Sprintf("\tif len(x) == 0 {\n\t\treturn 0, 0\n\t}\n\tn := 0\n\tfor i := len(x) - 1; i > 0; i-- {\n"+
			"\t\tn = n*%d + %s + 1\n\t}\n\treturn n*%[1]d + %[3]s, 1\n", sequenceBase, g.decode(c.elem, "x[i]"), g.decode(c.elem, "x[0]"))
	}
	return g.helper("pangolinValue#", fmt.Sprintf("func NAME(x %s) (int, int) {\n%s}\n", g.typ(c.typ), body)) + "(" + v + ")"
}

// deref is what x points to; a field is reached without copying the struct.
func (c *codec) deref() string {
	if c.elem.shape == asStruct {
		return "x"
	}
	return "(*x)"
}
