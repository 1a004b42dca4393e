// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strconv"
	"strings"

	"pangolin/internal/collection"
)

// constant writes the argument for a parameter that is the same in every call: a counting callback, nil,
// context.Background().
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

// encode writes the expression that converts an int expression to the value of the codec's type for which the int stands.
func (g *generator) encode(c *collection.Codec, arg string) string {
	if c.Other != nil {
		return g.inTurns(c) + "(" + arg + ")"
	}
	if c.Pair > 0 {
		arg = g.paired(c.Pair, arg)
	}
	if len(c.Names) > 0 {
		return g.named(c).made + "(" + arg + ")"
	}
	switch c.Shape {
	case collection.AsBool:
		return g.maybeConv(c.Type, types.Bool, fmt.Sprintf("%s&%d != 0", arg, 1<<c.Bit))
	case collection.AsInt:
		if c.IsStandIn() {
			g.standIn(c)
		}
		return g.maybeConv(c.Type, types.Int, lowered(c, g.tagged(c, arg)))
	case collection.AsFloat:
		return g.conv(c.Type, lowered(c, g.tagged(c, arg)))
	case collection.AsString:
		return g.maybeConv(c.Type, types.String, g.helper(numberedBy("pangolinString", c.Tag), stringEncoder(collection.Letter(c.Tag)))+"("+arg+")")
	case collection.AsPointer:
		return g.maybeConvNamed(c.Type, g.pointerEncoder(c)+"("+arg+")")
	case collection.AsContext:
		return g.context() + "(" + arg + ")"
	case collection.AsFailure:
		if c.Bit > 0 {
			arg = fmt.Sprintf("%s>>%d", arg, c.Bit)
		}
		return g.failing() + "(" + arg + ")"
	case collection.AsFunc:
		return g.function(c, arg)
	case collection.AsForeign:
		return g.foreign(c).made + "(" + arg + ")"
	}
	if c.ZeroIsNil { // not a pointer
		return g.helper("pangolinMade#", fmt.Sprintf("func NAME(i int) (x %s) {\n\tif i != 0 {\n\t\tx = %s\n\t}\n\treturn x\n}\n",
			g.typ(c.Type), g.literal(c, "i"))) + "(" + arg + ")"
	}
	return g.literal(c, arg)
}

// inTurns writes a function that makes a value by one codec, and the next one by the other. It is for one thread.
func (g *generator) inTurns(c *collection.Codec) string {
	own := *c
	own.Other = nil
	return g.helper("pangolinTurns#", fmt.Sprintf("var NAMEMade int\n\nfunc NAME(i int) %s {\n\tif NAMEMade ^= 1; NAMEMade == 1 {\n\t\treturn %s\n\t}\n\treturn %s\n}\n", g.typ(c.Type), g.encode(&own, "i"), g.encode(c.Other, "i")))
}

// literal is encode for types that contain others: interfaces, maps, structs, arrays, slices.
func (g *generator) literal(c *collection.Codec, arg string) string {
	switch c.Shape {
	case collection.AsDynamic:
		return g.conv(c.Type, g.encode(c.Elem, arg))
	case collection.AsMap:
		if c.Several {
			return g.several(c) + "(" + arg + ")"
		}
		return g.typ(c.Type) + "{" + g.encode(c.Key, arg) + ": " + g.encode(c.Elem, arg) + "}"
	case collection.AsSequence:
		if c.Several {
			return g.several(c) + "(" + arg + ")"
		}
	case collection.AsArray:
		if c.Long() {
			return g.longArray(c) + "(" + arg + ")"
		}
	}
	var elements []string
	for _, p := range c.Parts {
		switch {
		case p.Codec.Zero:
		case c.Shape == collection.AsStruct:
			elements = append(elements, p.Name+": "+g.encode(p.Codec, arg))
		default:
			elements = append(elements, g.encode(p.Codec, arg))
		}
	}
	return g.typ(c.Type) + "{" + strings.Join(elements, ", ") + "}"
}

// several writes a function that makes the slice or the map of several elements for which an int stands, see collection.Elements.
func (g *generator) several(c *collection.Codec) string {
	made := func(numbers ...string) string {
		var elements []string
		for _, i := range numbers {
			e := g.encode(c.Elem, i)
			if c.Shape == collection.AsMap {
				e = g.encode(c.Key, i) + ": " + e
			}
			elements = append(elements, e)
		}
		return g.typ(c.Type) + "{" + strings.Join(elements, ", ") + "}"
	}
	var b strings.Builder
	b.WriteString("func NAME(i int) " + g.typ(c.Type) + " {\n\tswitch i {\n")
	for v := range int64(4) { // behind which the elements are v, v-1 and v-2
		var numbers []string
		for _, e := range collection.Elements(v) {
			numbers = append(numbers, strconv.FormatInt(e, 10))
		}
		fmt.Fprintf(&b, "\tcase %d:\n\t\treturn %s\n", v, made(numbers...))
	}
	fmt.Fprintf(&b, "\t}\n\treturn %s\n}\n", made("i", "i-1", "i-2"))
	return g.helper("pangolinSeveral#", b.String())
}

// longArray writes a function that makes a long array: element j has the codec of part j modulo the number of parts.
func (g *generator) longArray(c *collection.Codec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func NAME(i int) (x %s) {\n\tfor j := range x {\n\t\tswitch j %% %d {\n", g.typ(c.Type), len(c.Parts))
	for j, p := range c.Parts {
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\tx[j] = %s\n", j, g.encode(p.Codec, "i"))
	}
	b.WriteString("\t\t}\n\t}\n\treturn x\n}\n")
	return g.helper("pangolinArray#", b.String())
}

// tagged writes the function by which parts of one value differ from each other, see collection.Tagged.
func (g *generator) tagged(c *collection.Codec, arg string) string {
	if c.Tag == 0 {
		return arg
	}
	return fmt.Sprintf("%s(%s, %d)", g.tagging(), arg, collection.Tagged(1, c.Tag)-1)
}

// lowered writes the function, its own inverse, by which a number goes down where the one goes up for which it stands, see collection.Function.
func lowered(c *collection.Codec, arg string) string {
	if !c.Down {
		return arg
	}
	return fmt.Sprintf("(%d - %s)", c.Lowered(), arg)
}

func (g *generator) tagging() string {
	return g.helper("pangolinTagged", "func NAME(v, tag int) int {\n\tif v == 0 || v == tag {\n\t\treturn v\n\t}\n\treturn v ^ tag\n}\n")
}

// paired writes collection.Paired.
func (g *generator) paired(which int, arg string) string {
	name, expr := "pangolinFirst", "v&^3 | v&1&(v>>1)<<1 | v&1&^(v>>1)"
	switch which {
	case collection.SecondOfTwo:
		name, expr = "pangolinSecond", "v&^3 | (v^v>>1)&1<<1 | v&(v>>1)&1"
	case collection.BesideFew:
		name, expr = "pangolinBeside", "v &^ 2"
	case collection.OneOfFew:
		name, expr = "pangolinFew", "v&^3 | (v^v>>1)&1"
	case collection.Coarse:
		name, expr = "pangolinCoarse", "v &^ 1"
	}
	return g.helper(name, "func NAME(v int) int {\n\treturn "+expr+"\n}\n") + "(" + arg + ")"
}

// maybeConv converts an expression to a type, unless it has that type already.
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

// helper adds a function to the file, unless one with the same body is there, and returns its name. NAME in the source stands for it; a
// name that ends with # gets a number.
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

// numberedBy is the name of a helper: it is numbered if the tag is not 0.
func numberedBy(name string, tag int) string {
	if tag == 0 {
		return name
	}
	return name + "#"
}

// stringEncoder writes the function that makes the string of an int. All strings are slices of one constant, so that no table is part
// of a state.
func stringEncoder(letter rune) string {
	var all strings.Builder
	for i := range collection.StringValues {
		fmt.Fprintf(&all, "%c%02d", letter, i)
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

// stringDecoder writes the function that gives the int of a string; a string that stringEncoder does not make is hashed
// (text).
func (g *generator) stringDecoder(tag int) string {
	return g.helper(numberedBy("pangolinStringValue", tag), fmt.Sprintf(`func NAME(s string) int {
	if s == "" {
		return 0
	}
	if len(s) == 3 && s[0] == %q {
		if n := int(s[1]-'0')*10 + int(s[2]-'0'); s[1] <= '9' && s[2] <= '9' && 0 < n && n < %d {
			return n
		}
	}
	return %s(s)
}
`, collection.Letter(tag), collection.StringValues, g.text()))
}

// float writes the function that gives the int of a float without importing a package: a whole number is itself, any other one a hash
// of mantissa and exponent.
func (g *generator) float() string {
	return g.helper("pangolinFloat", fmt.Sprintf(`func NAME(f float64) int {
	if f != f || f == f/2 && f > 0 || f == f/2 && f < 0 {
		n := 1 << %[2]d
		if f > 0 {
			n++
		} else if f < 0 {
			n += 2
		}
		return n
	}
	e := 0
	for ; f >= 1<<50 || f <= -1<<50; e++ {
		f /= 2
	}
	for ; float64(int(f)) != f; e-- {
		f *= 2
	}
	if e == 0 {
		return int(f)
	}
	return %[1]s(int(f), e) | 1<<%[2]d
}
`, g.mix(), collection.ContentBit))
}

// text writes the function that gives an int for any text: up to 6 bytes are the bytes themselves after a leading 1, more
// are hashed.
func (g *generator) text() string {
	return g.helper("pangolinText", fmt.Sprintf(`func NAME(s string) int {
	n := 1
	for i := 0; i < len(s); i++ {
		if len(s) <= 6 {
			n = n<<8 | int(s[i])
		} else {
			n = %s(n, int(s[i]))
		}
	}
	return n | 1<<%d
}
`, g.mix(), collection.ContentBit))
}

// pointerEncoder writes the function that makes the pointer of an int: to a new object each time, or, where the collection may compare
// pointers, into a table.
func (g *generator) pointerEncoder(c *collection.Codec) string {
	elem := c.Type.Underlying().(*types.Pointer).Elem()
	typ := g.typ(elem)
	if c.Fresh {
		return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\tx := %s\n\treturn &x\n}\n",
			typ, g.encode(c.Elem, fmt.Sprintf("(i & %d)", collection.PointerValues-1))))
	}
	isNil := ""
	if c.ZeroIsNil {
		isNil = "\tif i == 0 {\n\t\treturn nil\n\t}\n"
	}
	return g.helper("pangolinPointer#", fmt.Sprintf("func NAME(i int) *%s {\n\ti &= %d\n%s\treturn &%s[i]\n}\n",
		typ, collection.PointerValues-1, isNil, g.table(c)))
}

// table writes the variable with the objects to which the pointers for 0, 1, 2, … point.
func (g *generator) table(c *collection.Codec) string {
	return g.helper("pangolinTable#", fmt.Sprintf(`var NAME = func() (table [%d]%s) {
	for i := range table {
		table[i] = %s
	}
	return table
}()
`, collection.PointerValues, g.typ(c.Type.Underlying().(*types.Pointer).Elem()), g.encode(c.Elem, "i")))
}

// decode writes the expression that converts a value to the int that stands for it.
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
	if len(c.Names) > 0 {
		return g.named(c).read + "(" + v + ")"
	}
	switch c.Shape {
	case collection.AsBool:
		return g.helper(numberedBy("pangolinBool", c.Bit), fmt.Sprintf("func NAME(b bool) int {\n\tif b {\n\t\treturn %d\n\t}\n\treturn 0\n}\n", 1<<c.Bit)) +
			"(" + g.plain(c.Type, types.Bool, v) + ")"
	case collection.AsInt:
		if c.IsStandIn() {
			g.standIn(c)
		}
		return g.tagged(c, lowered(c, g.decodeInt(c.Type, v)))
	case collection.AsFloat:
		return g.tagged(c, lowered(c, g.float()+"("+g.plain(c.Type, types.Float64, v)+")"))
	case collection.AsString:
		return g.stringDecoder(c.Tag) + "(" + g.plain(c.Type, types.String, v) + ")"
	case collection.AsError:
		return g.helper("pangolinError", "func NAME(err error) int {\n\tif err != nil {\n\t\treturn 1\n\t}\n\treturn 0\n}\n") + "(" + v + ")"
	case collection.AsFailure:
		if c.Bit > 0 {
			return fmt.Sprintf("%s(%s)<<%d", g.failure(c), v, c.Bit)
		}
		return g.failure(c) + "(" + v + ")"
	case collection.AsForeign:
		return g.foreign(c).read + "(" + v + ")"
	case collection.AsDigest:
		return g.read(c, v)
	case collection.AsSeq:
		return g.fold(c) + "(0, " + v + ")"
	}
	return g.decodeWhole(c, v) // a struct, an array, a map
}

// named writes the functions that make a constant of an int, and give the int of one: what is no such constant is a hash of its value.
func (g *generator) named(c *collection.Codec) (f struct{ made, read string }) {
	typ, other := g.typ(c.Type), ""
	if c.Shape == collection.AsString {
		other = g.text() + "(string(x))"
	} else {
		other = fmt.Sprintf("%s(int(x), 1) | 1<<%d", g.mix(), collection.ContentBit)
	}
	make, read := fmt.Sprintf("func NAME(i int) %s {\n\tswitch i & %d {\n", typ, len(c.Names)-1), fmt.Sprintf("func NAME(x %s) int {\n\tswitch x {\n", typ)
	for i, name := range c.Names {
		make += fmt.Sprintf("\tcase %d:\n\t\treturn %s\n", i, name)
		read += fmt.Sprintf("\tcase %s:\n\t\treturn %d\n", name, i)
	}
	f.made = g.helper("pangolinConstant#", make+"\t}\n\treturn "+c.Names[0]+"\n}\n")
	f.read = g.helper("pangolinNumber#", read+"\t}\n\treturn "+other+"\n}\n")
	return f
}

// plain converts a value of a named type to its basic type.
func (g *generator) plain(t types.Type, kind types.BasicKind, v string) string {
	if types.Identical(t, types.Typ[kind]) {
		return v
	}
	return types.Typ[kind].Name() + "(" + v + ")"
}

// decodeInt reads unsigned integers as signed ones of the same size, so that counting down from 0 gives -1.
func (g *generator) decodeInt(t types.Type, v string) string {
	signed := map[types.BasicKind]string{types.Uint8: "int8", types.Uint16: "int16", types.Uint32: "int32"}
	if s, ok := signed[t.Underlying().(*types.Basic).Kind()]; ok {
		return "int(" + s + "(" + v + "))"
	}
	return g.plain(t, types.Int, v)
}

// decodeNilable writes an expression of two ints: the value, and whether it is not nil (1 or 0).
func (g *generator) decodeNilable(c *collection.Codec, v string) string {
	var body string
	switch c.Shape {
	case collection.AsOpaque:
		name := g.helper("pangolinPresent", "func NAME(present bool) (int, int) {\n\tif present {\n\t\treturn 1, 1\n\t}\n\treturn 0, 0\n}\n")
		if types.Identical(c.Type.Underlying(), types.Typ[types.Bool]) { // whatever it is
			return name + "(bool(" + v + ") || true)"
		}
		return name + "(" + v + " != nil)"
	case collection.AsPointer:
		body = g.pointerBody(c)
	case collection.AsForeign:
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\treturn %s(x), 1\n", g.foreign(c).read)
	case collection.AsDynamic:
		body = g.dynamicBody(c)
	default: // AsSequence
		body = fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\treturn %s, 1\n", g.decodeWhole(c, "x"))
	}
	return g.helper("pangolinValue#", fmt.Sprintf("func NAME(x %s) (int, int) {\n%s}\n", g.typ(c.Type), body)) + "(" + v + ")"
}
