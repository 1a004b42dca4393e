// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// A stand-in is a number with the methods of an interface. Where operations are given stand-ins, each operation has one more result: with what
// its own goroutine has called stand-ins meanwhile, as far as their methods give nothing, or an error. An operation begins to listen (pangolinListen), a stand-in's method tells (pangolinTell), and
// the operation asks what was told (pangolinTold). What is told is added up, so that the order in which stand-ins are called does not matter: a
// map's order is no fault. Calls by other goroutines, and those while a collection is made, are not recorded, for nobody listens.

// standIn declares the type of a stand-in.
func (g *generator) standIn(c *collection.Codec) {
	var b strings.Builder
	underlying, receiver, number := "int", "NAME", "int(s)"
	switch c.Made {
	case collection.Exclusive:
		underlying, receiver, number = "struct{ used int }", "*NAME", "0"
	case collection.Concurrent:
		underlying, receiver, number = "struct{ _ int }", "*NAME", "0" // two of which are not equal
	}
	fmt.Fprintf(&b, "type NAME %s\n", underlying)
	for i, m := range c.Parts {
		sig := m.Codec.Type.Underlying().(*types.Signature)
		hash := number
		if i > 0 {
			hash = fmt.Sprintf("%s(%d, %s)", g.mix(), i, number)
		}
		params, gives := make([]string, len(m.Codec.Parts)), make([]string, len(m.Codec.Gives))
		results := make([]string, len(gives))
		for j, p := range m.Codec.Parts {
			params[j] = fmt.Sprintf("p%d %s", j, g.parameter(sig, j))
			hash = fmt.Sprintf("%s(%s, %s)", g.fold(p.Codec), hash, operand(p.Codec, fmt.Sprintf("p%d", j)))
		}
		answer := number
		if c.Made != "" {
			answer = madeAnswer(m.Codec, c.Chosen != 0)
		}
		for j, r := range m.Codec.Gives {
			gives[j], results[j] = g.answer(m.Codec, j, r, answer), g.typ(r.Type)
		}
		fmt.Fprintf(&b, "\nfunc (s %s) %s(%s) (%s) {\n", receiver, m.Name, strings.Join(params, ", "), strings.Join(results, ", "))
		if c.Made == collection.Exclusive {
			fmt.Fprintf(&b, "\ts.used = 1\n")
		}
		switch made := m.Codec.Made; {
		case c.Chosen != 0 && (made == collection.Written || made == collection.Ended):
			fmt.Fprintf(&b, "\treturn 0, %s(1)\n}\n", g.failing())
			continue
		case made == collection.Written:
			fmt.Fprintf(&b, "\treturn len(p0), nil\n}\n")
			continue
		case made == collection.Ended:
			fmt.Fprintf(&b, "\treturn 0, %s.EOF\n}\n", g.imported("io", "io"))
			continue
		}
		if m.Codec.Made != "" && c.Made != "" {
			fmt.Fprintf(&b, "\treturn %s\n}\n", map[string]string{collection.Less: "false", collection.Equal: "p0 == s", collection.Compare: "0"}[m.Codec.Made])
			continue
		}
		if m.Codec.Made != "" {
			fmt.Fprintf(&b, "\tx, _ := p0.(NAME)\n\treturn %s\n}\n", map[string]string{collection.Less: "s < x", collection.Equal: "s == x", collection.Compare: "int(s - x)"}[m.Codec.Made])
			continue
		}
		if g.observing && m.Codec.Tells() {
			told := g.tell()
			if g.repeating && m.Asks() {
				told = g.ask()
			}
			fmt.Fprintf(&b, "\t%s(%s)\n", told, hash)
		}
		b.WriteString(g.returns)
		if len(gives) > 0 {
			fmt.Fprintf(&b, "\treturn %s\n", strings.Join(gives, ", "))
		}
		b.WriteString("}\n")
	}
	g.helper(c.Type.(*types.Named).Obj().Name(), b.String())
}

// madeAnswer is the number that stands for what a method of a constructor's stand-in gives: no error, and true behind a value, or false alone; or else an error, and the other bool.
func madeAnswer(c *collection.Codec, fails bool) string {
	switch {
	case len(c.Gives) > 1 && fails:
		return "2"
	case len(c.Gives) > 1 || fails:
		return "1"
	}
	return "0"
}

// madeUp declares the type of a stand-in that the constructor is given: it tells nobody with what it is called, and calls nothing.
func (g *generator) madeUp(c *collection.Codec) {
	observing, returns := g.observing, g.returns
	g.observing, g.returns = false, ""
	g.standIn(c)
	g.observing, g.returns = observing, returns
}

// standInsCallBack writes the statement with which stand-ins call an operation of the same object, if they do: the first call of one of their methods
// does, and no other.
func (g *generator) standInsCallBack(c *collection.Collection) {
	for _, o := range c.Operations {
		if o.Call.Back == "" || !slices.ContainsFunc(o.Call.Params, (*collection.Codec).HasStandIn) {
			continue
		}
		if i := calledBack(c, &o); i >= 0 {
			g.returns = fmt.Sprintf("\tselect {\n\tcase <-pangolinBack:\n\t\t%s\n\tdefault:\n\t}\n", g.callBack(c, "pangolinIt", i))
		}
	}
}

// parameter is the type of the i-th parameter of a function, as its declaration has it.
func (g *generator) parameter(sig *types.Signature, i int) string {
	t := sig.Params().At(i).Type()
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return "..." + g.typ(t.(*types.Slice).Elem())
	}
	return g.typ(t)
}

// own declares a function without body that reads and writes a word of the calling goroutine, see package vm.
func (g *generator) own() string {
	return g.helper("pangolinOwn", "func NAME(table *[16]int, write bool, word int) int\n")
}

// words declares the words of goroutines. That of one that listens is twice what was told, plus one.
func (g *generator) words() string { return g.helper("pangolinWords", "var NAME [16]int\n") }

func (g *generator) tell() string {
	return g.helper("pangolinTell", fmt.Sprintf("func NAME(digest int) {\n\tif w := %[1]s(&%[2]s, false, 0); w != 0 {\n\t\t%[1]s(&%[2]s, true, w+2*int(%[3]s(digest)))\n\t}\n}\n",
		g.own(), g.words(), g.noting()))
}

func (g *generator) listen() string {
	return g.helper("pangolinListen", fmt.Sprintf("func NAME() {\n\t%s(&%s, true, 1)\n}\n", g.own(), g.words()))
}

// last declares the words of goroutines that make checks again in vain (collection.Call.Again): that of the last check, as in words.
func (g *generator) last() string { return g.helper("pangolinLast", "var NAME [16]int\n") }

// ask is tell for a check.
func (g *generator) ask() string {
	return g.helper("pangolinAsk", fmt.Sprintf("func NAME(digest int) {\n\tif %[1]s(&%[2]s, false, 0) == 0 {\n\t\t%[3]s(digest)\n\t\treturn\n\t}\n\t%[1]s(&%[2]s, true, 2*int(%[4]s(digest))+1)\n}\n",
		g.own(), g.last(), g.tell(), g.noting()))
}

// listenAgain is listen where of checks the last one is recorded.
func (g *generator) listenAgain() string {
	return g.helper("pangolinListenAgain", fmt.Sprintf("func NAME() {\n\t%s()\n\t%s(&%s, true, 1)\n}\n", g.listen(), g.own(), g.last()))
}

func (g *generator) told() string {
	again := ""
	if g.repeating {
		again = fmt.Sprintf("\tw += %[1]s(&%[2]s, false, 0) &^ 1\n\t%[1]s(&%[2]s, true, 0)\n", g.own(), g.last())
	}
	return g.helper("pangolinTold", fmt.Sprintf("func NAME() int {\n\tw := %[1]s(&%[2]s, false, 0)\n\t%[1]s(&%[2]s, true, 0)\n%[3]s\treturn w >> 1\n}\n", g.own(), g.words(), again))
}
