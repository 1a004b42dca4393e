// SPDX-License-Identifier: BSD-3-Clause

package fragment

import (
	"reflect"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/test/assembler"
)

// An object with a truth value and an item in a cell. Each operation has a driver, which calls it.

const head = `
type box { item int }
type C { flag bool; value *box }

func New() *C
    c = new C
    b = new box
    p = field c value
    store p b
    return c

func held(c *C) int
    p = field c value
    b = load p
    i = field b item
    x = load i
    return x

func become(c *C, x int)
    n = new box
    i = field n item
    store i x
    p = field c value
    store p n
    return

func Set(c *C, on bool)
    p = field c flag
    store p on
    return

func DriveSet(c *C, a int)
    on = ne a 0
    call Set c on
    return

func Value(c *C) int
    x = call held c
    return x

func DriveValue(c *C) int
    x = call Value c
    return x

func DriveSwap(c *C, a int, b int) int
    x = call Swap c a b
    return x
`

// object learns Set, Value and a Swap with a body.
func object(body string) (*certificate.Object, *assembler.Program, error) {
	p := assembler.Parse(head + "\nfunc Swap(c *C, a int, b int) int\n" + body)
	q := &fixpoint.Program{Prog: p.Program, New: p.Func("New")}
	for _, name := range []string{"Set", "Value", "Swap"} {
		q.Funcs, q.Operations = append(q.Funcs, p.Func("Drive"+name)), append(q.Operations, content.Operation{Name: name})
	}
	o, err := learned(q)
	return o, p, err
}

// compare replaces the value if it is the first argument and the flag is set.
const compare = `
    x = call held c
    f = field c flag
    on = load f
    if on on end
on:
    same = eq x a
    if same swap end
swap:
    call become c b
end:
    return x
`

func TestObject_LearnsWhatOperationsDo(t *testing.T) {
	o, p, err := object(compare)
	if err != nil {
		t.Fatal(err)
	}
	k := certificate.OfK
	want := &certificate.Object{
		Registers: []certificate.Register{{Word: 0}, {Word: 1, Cell: p.Type("box").ID, Holds: k}},
		Rules: []certificate.Rule{
			{Args: []certificate.Value{certificate.Number}, Assigns: 0, From: 0, Returns: -1},
			{Assigns: -1, From: -1, Returns: 1},
			{Args: []certificate.Value{k, k}, Assigns: 1, From: 1, Returns: 1, Guards: []certificate.Guard{{Register: 0, Arg: -1, Number: 1}, {Register: 1, Arg: 0}}},
		},
	}
	if !reflect.DeepEqual(o.Registers, want.Registers) {
		t.Errorf("registers %+v, want %+v", o.Registers, want.Registers)
	}
	for i := range want.Rules {
		if len(o.Rules[i].Args) == 0 {
			o.Rules[i].Args = nil
		}
		if !reflect.DeepEqual(o.Rules[i], want.Rules[i]) {
			t.Errorf("rule %d: %+v, want %+v", i, o.Rules[i], want.Rules[i])
		}
	}
}

func TestObject_LearnsAnotherGuard(t *testing.T) {
	o, _, err := object(strings.Replace(compare, "if on on end", "if on end on", 1))
	if err != nil {
		t.Fatal(err)
	}
	if g := o.Rules[2].Guards; len(g) != 2 || g[0] != (certificate.Guard{Register: 0, Arg: -1, Number: 0}) {
		t.Errorf("%+v, want the flag to be 0", g)
	}
	if o, _, err = object("    x = call held c\n    call become c b\n    return x\n"); err != nil || len(o.Rules[2].Guards) > 0 || o.Rules[2].Assigns != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestObject_SaysWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"another result", "    x = call held c\n    y = add x 1\n    return y\n", "what it returns is not always what a register held before"},
		{"a result that is calculated of arguments", "    return a\n", "what it returns is not always"},
		{"a value that is calculated", "    x = call held c\n    y = add a 1\n    call become c y\n    return x\n", "what it writes into a register is not always an argument"},
		{"two registers", "    x = call held c\n    call become c a\n    f = field c flag\n    store f true\n    return x\n", "changes more than one register"},
		{"an order", "    x = call held c\n    less = lt x a\n    if less swap end\nswap:\n    call become c a\nend:\n    return x\n", "not a matter of registers that have certain values"},
		{"no end", "loop:\n    jump loop\n", "does not return when it is alone"},
		{"a panic", "    panic\n", "panics when it is alone"},
	} {
		if o, _, err := object(c.body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v, want %q", c.name, o, err, c.want)
		}
	}
}

func TestObject_RefusesWordsThatAreNoRegisters(t *testing.T) {
	for fields, want := range map[string]string{
		"n int":                 "the word n is no truth value and leads to no cell",
		"f func()":              "the word f is no truth value and leads to no cell",
		"p *two":                "which is not a value with, perhaps, a descriptor",
		"p *leading":            "that is not of numbers only",
		"ok bool; count uint64": "the word count",
	} {
		p := assembler.Parse("type two { a int; b int }\ntype leading { a int; to *two; also *two }\ntype C { " + fields + " }\nfunc New() *C\n    c = new C\n    return c\n")
		_, err := learned(&fixpoint.Program{Prog: p.Program, New: p.Func("New")})
		if strings.Contains(fields, "leading") {
			want = "which is not a value with, perhaps, a descriptor"
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", fields, err, want)
		}
	}
}

// Registers whose values are never compared with one another, nor copied, have values of two kinds.
func TestSplit_TellsApartWhatIsNeverCompared(t *testing.T) {
	two := func(args ...int) *learner {
		l := &learner{object: &certificate.Object{Registers: []certificate.Register{{Cell: 1, Holds: certificate.OfK}, {Cell: 1, Holds: certificate.OfK}}}}
		for i, a := range args {
			l.object.Rules = append(l.object.Rules, certificate.Rule{Args: []certificate.Value{certificate.OfK, certificate.OfK}, Assigns: i, From: a, Returns: -1})
		}
		return l
	}
	l := two(0, 1)
	if err := l.split(); err != nil || l.object.Registers[0].Holds != certificate.OfK || l.object.Registers[1].Holds != certificate.OfJ {
		t.Errorf("%+v, %v", l.object.Registers, err)
	}
	l = two(0, 1)
	l.object.Rules[0].Guards = []certificate.Guard{{Register: 1, Arg: 0}} // what goes into the first is compared with the second
	if err := l.split(); err != nil || l.object.Registers[1].Holds != certificate.OfK {
		t.Errorf("%+v, %v", l.object.Registers, err)
	}
}
