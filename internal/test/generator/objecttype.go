// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
)

// Collection is the source of a type that is to be verified.
type Collection struct {
	Source string // package "types" with a type T and a function New() *T
	Kind   string // "object", or the kind whose specification it is meant to keep
	Ops    []Operation
	New    string // how one is made, if not by New()
}

// Operation is a method of a Collection. Its parameters are ints.
type Operation struct {
	Name   string
	Role   string // what it does in the specification of the kind; "" of an object
	Params int
	Call   string // how it is called with ints as arguments and results, if not by its name: "$c.Add(as($1))"
}

// maxTypeSteps bounds, roughly, the visible steps of an operation.
const maxTypeSteps = 4

// Object writes a random type: its methods are statements of the grammar on the fields of
// the receiver. It has no specification but what it does when it is used sequentially.
func Object(seed uint64) Collection {
	return newWriter(seed, 0x6f626a656374).object(seed)
}

func (w *writer) object(seed uint64) Collection {
	w.draw(1+w.rng.IntN(3-min(1, len(w.grown))), nil)
	guard := w.pick("", "", "@mu", "@mu", "@rw")
	var methods []string
	c := Collection{Kind: "object"}
	for i := range 2 + w.rng.IntN(2) {
		op := Operation{Name: string("ABC"[i]) + "op", Params: w.rng.IntN(2)}
		c.Ops = append(c.Ops, op)
		methods = append(methods, w.method(op, guard))
	}
	body := strings.ReplaceAll(strings.Join(methods, "\n"), "{OVERWRITE}", "*o = T{n: &node{}, m: map[int]int{}, s: []int{1}}")
	s := newScope(receiver)
	s.use(body)
	if strings.Contains(body, "T{n:") {
		for _, name := range []string{"n", "m", "s"} {
			s.useName(name)
		}
	}
	if len(s.objects) == 0 {
		s.useName("x")
	}
	constructor := "func New() *T {\no := &T" + s.literal() + "\n" + s.lateStatements() + w.background(s) + "return o\n}\n\n"
	text := s.resolve(s.declarations() + constructor + body)
	decls := freeOnes(text)
	decls = strings.Replace(decls, "type T struct", c.directives()+"type T struct", 1)
	text = strings.Replace(text, "type T struct", c.directives()+"type T struct", 1)
	c.Source = formatSource(fmt.Sprintf("// object %d\npackage types\n\n", seed) + imports(decls+text) + decls + text)
	return c
}

// background is what a constructor starts; mostly nothing.
func (w *writer) background(s *scope) string {
	if !w.oneIn(8) {
		return ""
	}
	text := w.pick("go func() { @x = 1 }()\n", "go func() {\n@mu.Lock()\n@x++\n@mu.Unlock()\n}()\n",
		"go func() {\nfor v := range @c {\n@at.Add(int32(v))\n}\n}()\n", "@x = 1\n@at.Store(2)\n",
		"time.AfterFunc(time.Millisecond, func() { @at.Store(3) })\n")
	s.use(text)
	return text
}

// method writes one operation, mostly in a critical section of the guard, if there is one. Under
// a read lock it may write as well.
func (w *writer) method(op Operation, guard string) string {
	var body []string
	for steps := 0; steps < maxTypeSteps && len(body) < 3; {
		text := w.statement(1)
		if steps += visible(text); steps > 2*maxTypeSteps && len(body) > 0 {
			break
		}
		if strings.Contains(text, "\ndefer ") || strings.Contains(text, ":=") {
			text = "{\n" + text + "\n}"
		}
		body = append(body, text)
	}
	text := strings.Join(body, "\n")
	if guard != "" && !w.oneIn(6) && !strings.Contains(text, "ock()") {
		lock, unlock := guard+".Lock()", guard+".Unlock()"
		if guard == "@rw" && w.oneIn(2) {
			lock, unlock = "@rw.RLock()", "@rw.RUnlock()"
		}
		text = w.pick(lock+"\ndefer "+unlock+"\n"+text, lock+"\n"+text+"\n"+unlock)
	}
	param, first := "", "r := 1\n"
	if op.Params > 0 {
		param, first = "v0 int", "r := v0\n"
	}
	return fmt.Sprintf("func (o *T) %s(%s) int {\n%s%s\nreturn r\n}\n", op.Name, param, first, text)
}

// directives are the lines of the type's comment that say what it is. The last one is for
// readers of the generated text: the operations with their roles, numbers of parameters, and
// how they are called.
func (c *Collection) directives() string {
	var names, roles []string
	for _, op := range c.Ops {
		names = append(names, op.Name)
		role := fmt.Sprintf("%s/%s/%d", op.Name, op.Role, op.Params)
		if op.Call != "" {
			role += "/" + op.Call
		}
		roles = append(roles, role)
	}
	oracle := c.Kind
	if c.Kind == "object" {
		oracle = "self"
	}
	kind := "//pangolin:kind " + c.Kind + "\n//pangolin:oracle " + oracle + "\n"
	if c.Kind == "counter" {
		kind = "" // what Inc returns is for the evidence to say
	}
	made, constructor := "", "//pangolin:new New()\n"
	if c.New != "" {
		made, constructor = " made by "+c.New, "" // for the tool to find, with items for the type parameter
	}
	return "// T is a " + c.Kind + made + " with the operations " + strings.Join(roles, " ") + "\n//\n" + kind +
		"//pangolin:ops " + strings.Join(names, ",") + "\n" + constructor
}
