// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"go/types"
	"strings"

	"pangolin/internal/collection"
)

// A value with several parts is compared as a whole. If every part is what the int v encodes to, the value's int is v. Any other value,
// such as a struct whose fields come from two different ints, has its digest as its int, with collection.ContentBit set.

// decodeWhole writes the int of a struct, an array, a slice that is not nil, or a map.
func (g *generator) decodeWhole(c *collection.Codec, v string) string {
	if p := c.Alone(); p != nil && c.Composite() { // only this part depends on the int
		return g.decode(p.Codec, v+selector(c, 0))
	}
	if c.Composite() && len(c.Parts) == 0 {
		return g.helper("pangolinIgnore", "func NAME(interface{}) int {\n\treturn 0\n}\n") + "(" + operand(c, v) + ")"
	}
	var b strings.Builder
	switch c.Shape {
	case collection.AsMap:
		b.WriteString("\tif len(x) == 1 {\n\t\tfor k, e := range x {\n")
		g.compare(&b, c, []collection.Part{{Codec: c.Key}, {Codec: c.Elem}}, []string{"k", "e"})
		b.WriteString("\t\t}\n\t}\n")
	case collection.AsSequence:
		if len(c.Parts) > 0 {
			fmt.Fprintf(&b, "\tif len(x) == %d {\n", len(c.Parts))
			g.compare(&b, c, c.Parts, selectors(c))
			b.WriteString("\t}\n")
		}
	default:
		g.compare(&b, c, c.Parts, selectors(c))
	}
	if c.Shape == collection.AsMap && c.ZeroIsNil {
		b.WriteString("\tif x == nil {\n\t\treturn 0\n\t}\n")
	}
	return g.helper("pangolinWhole#", fmt.Sprintf("func NAME(x %s) int {\n%s\treturn %s(0, x) | 1<<%d\n}\n",
		g.operandType(c), b.String(), g.fold(c), collection.ContentBit)) + "(" + operand(c, v) + ")"
}

// compare writes statements that return v if all parts are what v encodes to.
func (g *generator) compare(b *strings.Builder, c *collection.Codec, parts []collection.Part, exprs []string) {
	var same, bits []string
	v := ""
	var pair [2]int // where the parts are that vary by themselves
	coarse := ""    // a part that tells the value but for the lowest bit
	for i, p := range parts {
		fmt.Fprintf(b, "\tp%d := %s\n", i, g.decode(p.Codec, exprs[i]))
		same = append(same, fmt.Sprintf("p%d == %s", i, g.masked(p.Codec)))
		switch mask := p.Codec.Mask(); {
		case p.Codec.Pair == collection.Coarse:
			if mask == collection.All {
				coarse = fmt.Sprintf("p%d", i)
			}
		case p.Codec.Pair > 0:
			pair[(p.Codec.Pair-1)%2] = i
		case mask == collection.All && v == "":
			v = fmt.Sprintf("p%d", i)
		case mask != 0:
			bits = append(bits, fmt.Sprintf("p%d", i))
		}
	}
	if pair != [2]int{} && v == "" {
		rest := pair[0]
		if parts[pair[1]].Codec.Mask() == collection.All {
			rest = pair[1]
		}
		joined := fmt.Sprintf("%s(p%d, p%d, p%d)", g.joined(parts[pair[0]].Codec.Pair), pair[0], pair[1], rest)
		if parts[rest].Codec.Mask() == collection.All {
			v = joined
		}
		bits = append(bits, joined)
	}
	if v == "" && coarse != "" {
		bits = append(bits, coarse)
	}
	switch {
	case v != "":
	case len(bits) > 0:
		v = strings.Join(bits, " | ")
	default:
		v = "0"
	}
	if c.ZeroIsNil && !c.Composite() { // 0 is nil, and nothing else
		same = append(same, "v != 0")
	}
	fmt.Fprintf(b, "\tv := %s\n\tsame := %s\n", v, strings.Join(same, " && "))
	if c.Long() {
		fmt.Fprintf(b, "\tfor j := %d; j < len(x) && same; j++ {\n\t\tswitch j %% %[1]d {\n", len(parts))
		for i, p := range parts {
			fmt.Fprintf(b, "\t\tcase %d:\n\t\t\tsame = %s == %s\n", i, g.decode(p.Codec, "x[j]"), g.masked(p.Codec))
		}
		b.WriteString("\t\t}\n\t}\n")
	}
	b.WriteString("\tif same {\n\t\treturn v\n\t}\n")
}

// joined writes the function that gives the number of a value by its two parts that vary by themselves, and by the bits of one of them, see collection.Paired.
func (g *generator) joined(first int) string {
	if first == collection.FirstOfTwo {
		return g.helper("pangolinJoined", `func NAME(first, second, rest int) int {
	x := (first | first>>1) & 1
	return rest&^3 | x | (second>>1&1^x)<<1
}
`)
	}
	return g.helper("pangolinJoinedFew", "func NAME(first, second, rest int) int {\n\treturn rest&^3 | first&1 | (first^second)&1<<1\n}\n")
}

// masked is the int as which the part of the value for v is decoded.
func (g *generator) masked(c *collection.Codec) string {
	v := "v"
	if c.Pair > 0 {
		v = g.paired(c.Pair, "v")
	}
	switch m := c.Mask(); m {
	case collection.All:
		return v
	case 0:
		return "0"
	default:
		return fmt.Sprintf("%s&%d", v, m)
	}
}

// selectors lists the expressions for the parts of a value x.
func selectors(c *collection.Codec) (out []string) {
	for i := range c.Parts {
		out = append(out, "x"+selector(c, i))
	}
	return out
}

func selector(c *collection.Codec, i int) string {
	if c.Shape == collection.AsStruct {
		return "." + c.Parts[i].Name
	}
	return fmt.Sprintf("[%d]", i)
}

// operand passes structs and arrays by pointer, so that reading one part does not count as an access to the others.
func operand(c *collection.Codec, v string) string {
	switch {
	case !c.Composite():
		return v
	case strings.HasPrefix(v, "(*") && strings.HasSuffix(v, ")"):
		return v[2 : len(v)-1]
	}
	return "&" + v
}

func (g *generator) operandType(c *collection.Codec) string {
	if c.Composite() {
		return "*" + g.typ(c.Type)
	}
	return g.typ(c.Type)
}

// pointerBody writes the decoding of a pointer x. Its int is v only if x points to the table's object for v and the object
// has not changed.
func (g *generator) pointerBody(c *collection.Codec) string {
	body := fmt.Sprintf("\tif x == nil {\n\t\treturn 0, 0\n\t}\n\tv := %s\n", g.decode(c.Elem, deref(c)))
	if c.Taken && !c.Fresh && sized(c.Type) {
		body += fmt.Sprintf("\tif x != &%s[v&%d]%s {\n\t\treturn %s(%s(0, %d), v) | 1<<%d, 1\n\t}\n", g.table(c), collection.PointerValues-1,
			map[bool]string{true: " || v == 0"}[c.ZeroIsNil], g.put(), g.digit(), collection.DigitEnd, collection.ContentBit)
	}
	return body + "\treturn v, 1\n"
}

// sized reports whether two variables of the pointer's element type have different addresses, which those of size 0 need
// not.
func sized(t types.Type) bool {
	return (&types.StdSizes{WordSize: 8, MaxAlign: 8}).Sizeof(t.Underlying().(*types.Pointer).Elem()) > 0
}

// deref is the expression for the object to which x points; a struct with one part is not copied.
func deref(c *collection.Codec) string {
	if c.Elem.Shape == collection.AsStruct && c.Elem.Alone() != nil {
		return "x"
	}
	return "(*x)"
}

// dynamicBody writes the decoding of an interface x by its dynamic type: the one that arguments are given, or another
// possible one.
func (g *generator) dynamicBody(c *collection.Codec) string {
	var b strings.Builder
	b.WriteString("\tswitch y := x.(type) {\n\tcase nil:\n\t\treturn 0, 0\n")
	if c.Elem != nil {
		zero := ""
		if c.ZeroIsNil {
			zero = fmt.Sprintf("\t\tif v == 0 {\n\t\t\treturn 1<<%d, 1\n\t\t}\n", collection.ContentBit)
		}
		fmt.Fprintf(&b, "\tcase %s:\n\t\tv := %s\n%s\t\treturn v, 1\n", g.typ(c.Elem.Type), g.decode(c.Elem, "y"), zero)
	}
	for i, p := range c.Parts {
		fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %s(%s(0, %d), %s) | 1<<%d, 1\n", g.typ(p.Codec.Type), g.mix(), g.mix(), i+1,
			g.decode(p.Codec, "y"), collection.ContentBit)
	}
	b.WriteString("\t}\n\treturn 1 << 41, 1\n")
	if c.Elem == nil && len(c.Parts) == 0 {
		return "\tif x == nil {\n\t\treturn 0, 0\n\t}\n\treturn 1 << 41, 1\n"
	}
	return b.String()
}

// foreigner names the functions that make and read values of a type of the standard library.
type foreigner struct{ made, read string }

func (g *generator) foreign(c *collection.Codec) foreigner {
	f := collection.Foreigns[c.Made]
	name := f.Path[strings.LastIndex(f.Path, "/")+1:]
	tag := g.helper("pangolinTag#", fmt.Sprintf("func NAME(v int) int {\n\treturn %s\n}\n", g.tagged(c, "v")))
	fill := strings.NewReplacer("PKG", g.imported(f.Path, name), "MIX", g.mix(), "TEXT", g.text(), "TAG", tag)
	lines := func(text string) string {
		return "\t" + strings.ReplaceAll(fill.Replace(text), "; ", "\n\t") + "\n"
	}
	return foreigner{
		made: g.helper("pangolinMade#", fmt.Sprintf("func NAME(i int) %s {\n%s}\n", g.typ(c.Type), lines(f.Made))),
		read: g.helper("pangolinRead#", fmt.Sprintf("func NAME(x %s) int {\n%s}\n", g.typ(c.Type), lines(f.Read))),
	}
}
