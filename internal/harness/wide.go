// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/collection"
)

// context writes the function that makes a context which may be cancelled at any moment, by a goroutine of one step.
func (g *generator) context() string {
	source := strings.ReplaceAll(`func NAME(i int) CTX.Context {
	if i&1 == 0 {
		return CTX.Background()
	}
	c := NAMEOf{CTX.Background(), make(chan struct{})}
	go func() { close(c.done) }()
	return c
}

type NAMEOf struct {
	CTX.Context
	done chan struct{}
}

func (c NAMEOf) Done() <-chan struct{} { return c.done }

func (c NAMEOf) Err() error {
	select {
	case <-c.done:
		return CTX.Canceled
	default:
		return nil
	}
}
`, "CTX", g.imported("context", "context"))
	return g.helper("pangolinContext", source)
}

// failing writes the function that makes an error of a type that the user's package does not know.
func (g *generator) failing() string {
	return g.helper("pangolinFailing", `func NAME(i int) error {
	if i&1 == 0 {
		return nil
	}
	return NAMEError{}
}

type NAMEError struct{}

func (NAMEError) Error() string { return "an error" }
`)
}

// failure writes the function that gives the int of an error: which of the package's variables it is, or else a hash of its text and,
// if the package has several error types, of its type.
func (g *generator) failure(c *collection.Codec) string {
	var b strings.Builder
	b.WriteString("func NAME(err error) int {\n\tswitch {\n\tcase err == nil:\n\t\treturn 0\n")
	for i, name := range c.Errors {
		fmt.Fprintf(&b, "\tcase err == %s:\n\t\treturn %d\n", name, i+collection.FirstError)
	}
	fmt.Fprintf(&b, "\t}\n\ttext := %s(err)\n\tswitch err.(type) {\n\tcase %sError:\n\t\treturn 1\n", g.errorText(), g.failing())
	for i, p := range c.Parts {
		fmt.Fprintf(&b, "\tcase %s:\n\t\treturn %s(%d, text) | 1<<%d\n", g.typ(p.Codec.Type), g.mix(), i+1, collection.ContentBit)
	}
	b.WriteString("\t}\n\treturn text\n}\n")
	return g.helper("pangolinFailure#", b.String())
}

// errorText writes the function that hashes an error's text. If Error panics, as on a nil pointer, the result is only
// ContentBit.
func (g *generator) errorText() string {
	return g.helper("pangolinErrorText", fmt.Sprintf(`func NAME(err error) (n int) {
	defer func() {
		if recover() != nil {
			n = 1 << %d
		}
	}()
	return %s(err.Error())
}
`, collection.ContentBit, g.text()))
}

// function writes a function literal that records its calls and arguments, and whose results depend on arg. If it maps a number to a
// number, the result is greater than the argument.
func (g *generator) function(c *collection.Codec, arg string) string {
	sig := c.Type.Underlying().(*types.Signature)
	var params, gives []string
	for i := range c.Parts {
		t := sig.Params().At(i).Type()
		name := g.typ(t)
		if sig.Variadic() && i == len(c.Parts)-1 {
			name = "..." + g.typ(t.(*types.Slice).Elem())
		}
		params = append(params, fmt.Sprintf("p%d %s", i, name))
	}
	hash := g.digest(c)
	for i, r := range c.Gives {
		gives = append(gives, g.answer(c, i, r, arg))
	}
	results := make([]string, len(c.Gives))
	for i, r := range c.Gives {
		results[i] = g.typ(r.Type)
	}
	body := ""
	if g.again {
		body = fmt.Sprintf("%s.StoreInt64(calls, %s(%s))", g.imported("sync/atomic", "atomic"), g.noting(), hash)
	} else {
		body = fmt.Sprintf("if %s() == caller { *calls += %s(%s) }", g.thread(), g.noting(), hash)
	}
	if g.back != "" {
		body = g.back + "; " + body
	}
	for i, p := range c.Parts {
		if p.Changes {
			name := fmt.Sprintf("p%d", i)
			place, at := p.Codec.Place(name)
			body += fmt.Sprintf("; if %s != nil { %s }", name, g.change(at, place))
		}
	}
	if len(gives) > 0 {
		body += "; return " + strings.Join(gives, ", ")
	}
	return fmt.Sprintf("func(%s) (%s) { %s }", strings.Join(params, ", "), strings.Join(results, ", "), body)
}

// change writes the statement by which a function changes a place of what it is given.
func (g *generator) change(c *collection.Codec, place string) string {
	if len(c.Names) > 0 {
		return fmt.Sprintf("%s = %s", place, g.encode(c, "1"))
	}
	switch c.Shape {
	case collection.AsBool:
		return fmt.Sprintf("%s = !%[1]s", place)
	case collection.AsString:
		return place + ` += "+"`
	case collection.AsSequence:
		return fmt.Sprintf("%s = append(%[1]s, *new(%s))", place, g.typ(c.Elem.Type))
	case collection.AsMap:
		key, more := g.encode(c.Key, "0"), ""
		if n := c.Elem; n.Shape == collection.AsInt || n.Shape == collection.AsFloat {
			more = "; " + g.change(n, "e")
		}
		return fmt.Sprintf("if %s != nil { e := %[1]s[%s]%s; %[1]s[%[2]s] = e }", place, key, more)
	}
	return place + "++"
}

// thread declares a function without body to which the machine gives the meaning of mark.Thread. Calls by other goroutines than the one
// that was given the function are not recorded.
func (g *generator) thread() string {
	return g.helper("pangolinThread", "func NAME() int\n")
}

// object declares a function without body that gives the number of the object to which its argument points, see package vm.
func (g *generator) object() string {
	return g.helper("pangolinObject", "func NAME(table *[32]interface{}, x interface{}) int\n")
}

// increases is the parameter of a function, a number, that is less than its result r, see function; -1: there is none.
func increases(c, r *collection.Codec) int {
	return slices.IndexFunc(c.Parts, func(p collection.Part) bool {
		return r.Shape == collection.AsInt && types.Identical(p.Codec.Type, r.Type)
	})
}

// digest is the expression of a digest of what a function literal is told, its parameters p0, p1, …
func (g *generator) digest(c *collection.Codec) string {
	hash := "0"
	for i, p := range c.Parts {
		hash = fmt.Sprintf("%s(%s, %s)", g.fold(p.Codec), hash, operand(p.Codec, fmt.Sprintf("p%d", i)))
	}
	return hash
}

// agreed is the expression of the answer of a function for which clients choose none. Calls with the same keys are given functions with the same answer; those with
// keys that follow each other get answers that do, pangolinAgreed(1+a0) of Do(key, f), so that the result of the wrong call shows. A function that is told
// something answers by that as well: if two calls tell their functions different things, they cannot share one result. Answers are numbered alike whatever
// a function returns; one with fewer gives its last one in place of those that it does not have.
func (g *generator) agreed(m *collection.Call, at int) string {
	c, last := m.Params[at], m.Params[at].Choices()-1
	sum := []string{strconv.Itoa(c.Chosen)}
	for _, i := range m.Keys() {
		key := fmt.Sprintf("a%d", i)
		if mask := m.Params[m.Args[i]].Mask(); mask != collection.All {
			key += fmt.Sprintf("&%d", mask)
		}
		sum = append(sum, key)
	}
	if len(c.Parts) > 0 && !slices.ContainsFunc(c.Gives, func(r *collection.Codec) bool { return increases(c, r) >= 0 }) {
		sum = append(sum, g.digest(c))
	}
	if last == 0 || len(sum) == 1 {
		return strconv.Itoa(min(c.Chosen, last))
	}
	return fmt.Sprintf("%s(%s, %d)", g.helper("pangolinAgreed", fmt.Sprintf("func NAME(n, last int) int {\n\tif n = int(uint(n) %% %d); n > last {\n\t\treturn last\n\t}\n\treturn n\n}\n", collection.MostChoices)), strings.Join(sum, "+"), last)
}

// answer writes the i-th result of a function literal.
func (g *generator) answer(c *collection.Codec, i int, r *collection.Codec, arg string) string {
	switch r.Shape {
	case collection.AsFailure:
		if len(c.Gives) > 1 {
			return g.failing() + "((" + arg + ")>>1)"
		}
		return g.failing() + "(" + arg + ")"
	case collection.AsBool:
		return g.encode(r, arg)
	case collection.AsInt:
		if k := increases(c, r); k >= 0 {
			return fmt.Sprintf("p%d + %s + 1", k, g.conv(r.Type, arg))
		}
	}
	if c.Choices() > 2 {
		return g.encode(r, "("+arg+"+1)%3")
	}
	return g.encode(r, arg+"+1")
}

// noting writes the function that makes, of a digest of a call's arguments, the number that is added for the call: 1 plus a
// hash above the low 8 bits.
func (g *generator) noting() string {
	return g.helper("pangolinCall", `func NAME(digest int) int64 {
	if digest == 0 {
		return 1
	}
	h := uint64(digest) * 0x9e3779b97f4a7c15
	return int64((h^h>>29)&(1<<40-1))<<8 + 1
}
`)
}

// mix, digit and put write the functions that extend a digest, see package collection.
func (g *generator) mix() string {
	return g.helper("pangolinMix", fmt.Sprintf(`func NAME(n, d int) int {
	h := (uint64(n) + 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	h = (h ^ h>>32 ^ uint64(d)) * 0xc4ceb9fe1a85ec53
	h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
	return int((h^h>>32)&(1<<%d-1)) | 1<<%[1]d
}
`, collection.DigestBits))
}

func (g *generator) digit() string {
	return g.helper("pangolinDigit", fmt.Sprintf("func NAME(n, d int) int {\n\tif n >= 1<<%d {\n\t\treturn %s(n, d)\n\t}\n\treturn n<<6 | d\n}\n",
		collection.DigestBits-6, g.mix()))
}

// put extends a digest by a number. One outside 0..59 is no digit and is mixed in after the digit 0, which stands for
// nothing else.
func (g *generator) put() string {
	return g.helper("pangolinPut", fmt.Sprintf("func NAME(n, leaf int) int {\n\tif leaf < 0 || leaf > 59 {\n\t\treturn %s(%[1]s(n, 0), leaf)\n\t}\n\treturn %s(n, leaf+1)\n}\n",
		g.mix(), g.digit()))
}

// fold writes the function that extends a digest by a value of the codec's type.
func (g *generator) fold(c *collection.Codec) string {
	var b strings.Builder
	switch c.Shape {
	case collection.AsStruct, collection.AsArray:
		if c.Long() {
			fmt.Fprintf(&b, "\tfor i := range x {\n\t\tn = %s(n, %s)\n\t}\n\treturn %s(n, %d)\n", g.fold(c.Elem), operand(c.Elem, "x[i]"), g.digit(), collection.DigitEnd)
			break
		}
		for i, p := range c.Parts {
			fmt.Fprintf(&b, "\tn = %s(n, %s)\n", g.fold(p.Codec), operand(p.Codec, "x"+selector(c, i)))
		}
		b.WriteString("\treturn n\n")
	case collection.AsSequence:
		fmt.Fprintf(&b, "\tif x == nil {\n\t\treturn %s(n, %d)\n\t}\n", g.digit(), collection.DigitNil)
		fmt.Fprintf(&b, "\tfor i := range x {\n\t\tn = %s(n, %s)\n\t}\n\treturn %s(n, %d)\n", g.fold(c.Elem), operand(c.Elem, "x[i]"), g.digit(), collection.DigitEnd)
	case collection.AsMap:
		g.foldMap(&b, c)
	case collection.AsSeq:
		var vars []string
		steps := ""
		for i, p := range c.Parts {
			vars = append(vars, fmt.Sprintf("p%d", i))
			steps += fmt.Sprintf("\t\t\tn = %s(n, %s)\n", g.fold(p.Codec), operand(p.Codec, vars[i]))
		}
		if len(vars) > 0 {
			vars = append(vars, ":=")
		}
		head := strings.Replace(strings.Join(vars, ", "), ", :=", " :=", 1)
		fmt.Fprintf(&b, `	if x == nil {
		return %[1]s(n, %[2]d)
	}
	first := true
	for %[3]s range x {
%[4]s		if first && %[5]s() {
			n = %[1]s(n, %[6]d)
			break
		}
		first = false
	}
	return %[1]s(n, %[2]d)
`, g.digit(), collection.DigitEnd, head, steps, g.either(), collection.DigitStop)
	case collection.AsPointer:
		if c.Taken {
			g.foldNilable(&b, c)
			break
		}
		fmt.Fprintf(&b, "\tif x == nil {\n\t\treturn %s(n, %d)\n\t}\n\treturn %s(n, %s)\n", g.digit(), collection.DigitNil, g.fold(c.Elem), operand(c.Elem, "(*x)"))
	case collection.AsOpaque:
		fmt.Fprintf(&b, "\tif x == nil {\n\t\treturn %s(n, %d)\n\t}\n\treturn %s(n, 1)\n", g.digit(), collection.DigitNil, g.put())
	default:
		if c.Nilable() {
			g.foldNilable(&b, c)
			break
		}
		fmt.Fprintf(&b, "\treturn %s(n, %s)\n", g.put(), g.decode(c, "x"))
	}
	return g.helper("pangolinFold#", fmt.Sprintf("func NAME(n int, x %s) int {\n%s}\n", g.operandType(c), b.String()))
}

// either writes the function that gives false or true; both are explored.
func (g *generator) either() string {
	return g.helper("pangolinEither", `func NAME() bool {
	no, yes := make(chan int, 1), make(chan int, 1)
	select {
	case no <- 0:
		return false
	case yes <- 0:
		return true
	}
}
`)
}

// foldNilable extends a digest by a value that may be nil.
func (g *generator) foldNilable(b *strings.Builder, c *collection.Codec) {
	fmt.Fprintf(b, "\tif v, present := %s; present != 0 {\n\t\treturn %s(n, v)\n\t}\n\treturn %s(n, %d)\n",
		g.decodeNilable(c, "x"), g.put(), g.digit(), collection.DigitNil)
}

// foldMap extends a digest by the entries of a map, sorted by the ints of their keys. Those of a map with more than 64
// entries are summed.
func (g *generator) foldMap(b *strings.Builder, c *collection.Codec) {
	fmt.Fprintf(b, `	if x == nil {
		return %[1]s(n, %[2]d)
	}
	sum := 0
	var keys [64]int
	var parts [64]int
	if len(x) > len(keys) {
		for k, v := range x {
			sum += %[3]s(%[4]s(0, %[5]s(k)), %[6]s(0, %[7]s))
		}
		return %[3]s(n, sum)
	}
	for k, v := range x {
		at := %[5]s(k)
		part := %[6]s(0, %[7]s)
		i := sum
		for ; i > 0 && keys[i-1] > at; i-- {
			keys[i], parts[i] = keys[i-1], parts[i-1]
		}
		keys[i], parts[i] = at, part
		sum++
	}
	for i := 0; i < sum; i++ {
		n = %[4]s(n, keys[i])
		if parts[i] < 64 {
			n = %[1]s(n, parts[i])
		} else {
			n = %[3]s(n, parts[i])
		}
	}
	return %[1]s(n, %[8]d)
`, g.digit(), collection.DigitNil, g.mix(), g.put(), g.decoder(c.Key), g.fold(c.Elem), operand(c.Elem, "v"), collection.DigitEnd)
}

// decoder writes the function that converts a key to its int.
func (g *generator) decoder(c *collection.Codec) string {
	return g.helper("pangolinKey#", fmt.Sprintf("func NAME(x %s) int {\n\treturn %s\n}\n", g.typ(c.Type), g.decode(c, "x")))
}

// held writes the type in which a thread's handles are stored. Each sort of them has a type of its own, so that what the harness keeps is told apart from the collection's elements of the same type.
func (g *generator) held(c *collection.Collection) {
	if len(c.Handles) == 0 {
		return
	}
	for i, h := range c.Handles {
		g.printf("type pangolinHandle%d struct{ v %s }\n\n", i, g.typ(h.Type))
	}
	g.printf("// pangolinHeld is what one thread keeps.\ntype pangolinHeld struct {\n")
	for i := range c.Handles {
		g.printf("\th%d []pangolinHandle%[1]d\n", i)
	}
	g.printf("}\n\n")
}

// keeper writes the line by which an operation finds the handles that its thread got from earlier calls (held := c.held[a2]); nothing
// if it uses none.
func (g *generator) keeper(o *collection.Operation) {
	n := len(o.Params) - 1
	if n < 0 || o.Params[n].Codec == nil || o.Params[n].Codec.Shape != collection.AsThread {
		return
	}
	uses := o.Call.Use != nil || o.Call.Leave != nil
	for _, p := range o.Call.Params {
		uses = uses || p.Shape == collection.AsHandle || p.Shape == collection.AsOuter
	}
	for i := range o.Results {
		uses = uses || o.Results[i].Codec != nil && o.Results[i].Codec.Shape == collection.AsHandle
	}
	if uses {
		g.printf("\theld := c.held[a%d]\n", n)
	}
}

// pop writes statements that take the thread's latest handle of a sort; without one the operation returns at once.
func (g *generator) pop(name string, slot int, ends bool) {
	g.printf("\tif len(held.h%d) == 0 {\n\t\treturn\n\t}\n\t%s := held.h%[1]d[len(held.h%[1]d)-1].v\n", slot, name)
	if ends {
		g.printf("\theld.h%d = held.h%[1]d[:len(held.h%[1]d)-1]\n", slot)
	}
}

// received writes a receive operation on a channel that does not wait.
func (g *generator) received(o *collection.Operation) {
	slot := o.Call.Use.Slot
	g.printf("\tselect {\n\tcase v, ok := <-x:\n\t\tif !ok {\n\t\t\theld.h%d = held.h%[1]d[:len(held.h%[1]d)-1]\n\t\t\tr1 = 2\n\t\t\treturn\n\t\t}\n\t\tr0, r1 = %s, 1\n\tdefault:\n\t}\n\treturn\n",
		slot, g.read(o.Results[0].Codec, "v"))
}

// sent writes a send operation on a channel that does not wait.
func (g *generator) sent(m *collection.Call) {
	value := g.constant(m.Params[0])
	if len(m.Args) > 0 {
		value = g.encode(m.Params[0], "a0")
	}
	g.printf("\tselect {\n\tcase x <- %s:\n\t\tr0 = 1\n\tdefault:\n\t}\n\treturn\n", value)
}

// kept is the expression that is stored for a handle; an iterator is started by iter.Pull.
func (g *generator) kept(c *collection.Codec, v string) string {
	if c.Elem == nil {
		return v
	}
	iter, pull, seq := g.imported("iter", "iter"), "Pull", "Seq"
	if len(c.Elem.Parts) == 2 {
		pull, seq = "Pull2", "Seq2"
	}
	values := make([]string, len(c.Elem.Parts))
	for i, p := range c.Elem.Parts {
		values[i] = g.typ(p.Codec.Type)
	}
	kept := fmt.Sprintf("struct{next func() (%s, bool); stop func()}", strings.Join(values, ", "))
	return g.helper("pangolinPull#", fmt.Sprintf("func NAME(s %s) *%s {\n\tnext, stop := %s.%s(%[3]s.%[5]s[%[6]s](s))\n\treturn &%[2]s{next, stop}\n}\n",
		g.typ(c.Type), kept, iter, pull, seq, strings.Join(values, ", "))) + "(" + v + ")"
}

// read is the expression of the one int for a value.
func (g *generator) read(c *collection.Codec, v string) string {
	if c.Shape == collection.AsDigest {
		return g.fold(c.Elem) + "(0, " + operand(c.Elem, v) + ")"
	}
	return g.decode(c, v)
}
