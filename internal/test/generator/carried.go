// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"strings"
)

// Collections whose operations take structs and arrays, and give structs and pointers.

// wholeFrom finds the int of which an element was made, by its whole value: 90 if it was made of none, and is
// a mixture of several.
const wholeFrom = "for i := range 8 {\nif v == as(i) {\nreturn i\n}\n}\nreturn 90"

// carried are values of several parts, all of which depend on the int of which they are made. parts are two of
// them, as a place behind the value.
var carried = []struct {
	element
	parts [2]string
}{
	{element{typ: "couple", decl: "type couple struct {\na int8\nb string\n}\n\n", as: "if i == 0 {\nreturn couple{}\n}\nreturn couple{int8(i), string(rune('a' + i))}",
		from: wholeFrom, loses: "return couple{a: v.a}"}, [2]string{".a", ".b"}},
	{element{typ: "couple", decl: "type couple struct {\nb, a uint16\n}\n\n", as: "return couple{uint16(i) * 7, uint16(i)}",
		from: wholeFrom, loses: "return couple{v.a, v.b}"}, [2]string{".b", ".a"}},
	{element{typ: "[2]int8", as: "return [2]int8{int8(i), int8(i * 3)}", from: wholeFrom, loses: "return [2]int8{v[1], v[0]}"}, [2]string{"[0]", "[1]"}},
	{element{typ: "nested", decl: "type nested struct {\nhead struct{ x, y int8 }\nrest [2]uint8\n}\n\n", as: "v := nested{rest: [2]uint8{uint8(i), uint8(i * 5)}}\nv.head.x, v.head.y = int8(i), int8(i*2)\nreturn v",
		from: wholeFrom, loses: "v.rest[1] = 0\nreturn v"}, [2]string{".head", ".rest"}},
	{element{typ: "nested", decl: "type nested struct {\nhead struct{ x, y int8 }\nrest [2]uint8\n}\n\n", as: "v := nested{rest: [2]uint8{uint8(i), uint8(i * 5)}}\nv.head.x, v.head.y = int8(i), int8(i*2)\nreturn v",
		from: wholeFrom, loses: "v.head.y = 0\nreturn v"}, [2]string{".rest[0]", ".head"}},
	{element{typ: "named", decl: "type named struct {\nok bool\nname string\nn float32\n}\n\n", as: "if i == 0 {\nreturn named{}\n}\nreturn named{i > 0, string(rune('a' + i)), float32(i) / 2}",
		from: wholeFrom, loses: "v.n = 0\nreturn v"}, [2]string{".name", ".n"}},
	{element{typ: "tagged", decl: "type tagged struct {\nv any\nk int8\n}\n\n", as: "if i == 0 {\nreturn tagged{}\n}\nreturn tagged{int8(i), int8(i)}",
		from: wholeFrom, loses: "return tagged{k: v.k}"}, [2]string{".k", ".v"}},
	{element{typ: "box[uint8]", decl: "type box[V any] struct {\nold, new V\n}\n\n", as: "return box[uint8]{uint8(i), uint8(i * 9)}",
		from: wholeFrom, loses: "v.old = 0\nreturn v"}, [2]string{".new", ".old"}},
}

// carriedType writes a collection of values of several parts: a cell, or one of the storages.
func (w *writer) carriedType(seed uint64) Collection {
	if w.oneIn(2) {
		return w.cell(seed)
	}
	v := &carried[w.rng.IntN(len(carried))]
	for {
		p := &patterned{rng: w.rng, storage: storages[w.rng.IntN(len(storages))], locking: lockings[w.rng.IntN(len(lockings))]}
		if p.storage.of == "" || p.storage.of == "cmp.Ordered" {
			continue
		}
		if p.storage.own {
			p.locking = lockings[0]
		}
		return p.collection(fmt.Sprintf("carried %d", seed), &v.element)
	}
}

// cell writes a register of a value of several parts, which is kept whole or in its parts, and set and read in one
// critical section or in two.
func (w *writer) cell(seed uint64) Collection {
	v := &carried[w.rng.IntN(len(carried))]
	typ := v.typ
	parts := func(to, from string) [2]string {
		return [2]string{to + v.parts[0] + " = " + from + v.parts[0], to + v.parts[1] + " = " + from + v.parts[1]}
	}
	set, get := parts("t.v", "v"), parts("v", "t.v")
	two := func(p [2]string) string {
		return "t.mu.Lock()\n" + p[0] + "\nt.mu.Unlock()\nt.mu.Lock()\n" + p[1] + "\nt.mu.Unlock()"
	}
	fields := "mu sync.Mutex\nv " + typ + "\n"
	sets := []string{
		"t.mu.Lock()\nt.v = v\nt.mu.Unlock()", "t.mu.Lock()\ndefer t.mu.Unlock()\n" + set[0] + "\n" + set[1],
		two(set), "t.mu.Lock()\n" + set[0] + "\nt.mu.Unlock()", "t.mu.Lock()\nt.v = half(v)\nt.mu.Unlock()", "t.v = v",
	}
	gets := []string{
		"t.mu.Lock()\ndefer t.mu.Unlock()\nreturn t.v", "t.mu.Lock()\nv := t.v\nt.mu.Unlock()\nreturn v",
		"var v " + typ + "\n" + two(get) + "\nreturn v", "t.mu.Lock()\ndefer t.mu.Unlock()\nreturn half(t.v)", "return t.v",
	}
	if w.oneIn(3) {
		fields = "p atomic.Pointer[" + typ + "]\n"
		sets = []string{"t.p.Store(&v)", "if p := t.p.Load(); p == nil || *p != v {\nt.p.Store(&v)\n}", "v = half(v)\nt.p.Store(&v)", "p := new(" + typ + ")\nt.p.Store(p)\n*p = v"}
		gets = []string{"if p := t.p.Load(); p != nil {\nreturn *p\n}\nreturn " + typ + "{}", "var v " + typ + "\nif p := t.p.Load(); p != nil {\nv = *p\n}\nreturn v"}
	}
	lost := func(list []string) string { return list[max(0, w.rng.IntN(len(list)+2)-2)] } // half of them are right
	c := Collection{Kind: "register", Ops: []Operation{
		{Name: "Set", Role: "write", Params: 1, Call: "$c.Set(as($1))"}, {Name: "Get", Role: "read", Call: "from($c.Get())"}}}
	text := c.directives() + "type T struct {\n" + fields + "}\n\nfunc New() *T { return &T{} }\n\nfunc (t *T) Set(v " + typ + ") {\n" + lost(sets) + "\n}\n\nfunc (t *T) Get() " + typ + " {\n" + lost(gets) + "\n}\n\n" + v.helpers()
	c.Source = formatSource(fmt.Sprintf("// carried %d: a cell of %s\npackage types\n\n", seed, typ) + imports(text) + text)
	return c
}

// given writes a type that gives pointers: to what belongs to a key, made when it is asked for first, or to what was there before.
// Who asks for the same gets the same, or, by a fault, something that looks like it.
func (w *writer) given(seed uint64) Collection {
	item := w.pick("struct{ key int }", "struct{ mu sync.Mutex }", "struct{ n atomic.Int32 }")
	made := "&item{}"
	if strings.Contains(item, "key") {
		made = "&item{k}"
	}
	gives := w.pick(
		"t.mu.Lock()\ndefer t.mu.Unlock()\nif t.m[k] == nil {\nt.m[k] = MADE\n}\nreturn t.m[k]",
		"t.mu.Lock()\np := t.m[k]\nt.mu.Unlock()\nif p != nil {\nreturn p\n}\np = MADE\nt.mu.Lock()\nt.m[k] = p\nt.mu.Unlock()\nreturn p",
		"t.mu.Lock()\np := t.m[k]\nt.mu.Unlock()\nif p != nil {\nreturn p\n}\nn := MADE\nt.mu.Lock()\ndefer t.mu.Unlock()\nif p = t.m[k]; p == nil {\nt.m[k], p = n, n\n}\nreturn p",
		"t.mu.Lock()\ndefer t.mu.Unlock()\nif t.m[k] == nil {\nt.m[k] = MADE\nreturn MADE\n}\nreturn t.m[k]",
		"if p := t.a[k&1].Load(); p != nil {\nreturn p\n}\nn := MADE\nt.a[k&1].Store(n)\nreturn n",
		"if p := t.a[k&1].Load(); p != nil {\nreturn p\n}\nn := MADE\nif t.a[k&1].CompareAndSwap(nil, n) {\nreturn n\n}\nreturn t.a[k&1].Load()",
		"if p := t.a[k&1].Load(); p != nil {\nreturn p\n}\nn := MADE\nt.a[k&1].CompareAndSwap(nil, n)\nreturn n",
		"p, _ := t.s.LoadOrStore(k, MADE)\nreturn p.(*item)",
		"if p, ok := t.s.Load(k); ok {\nreturn p.(*item)\n}\np := MADE\nt.s.Store(k, p)\nreturn p",
	)
	takes := map[string][]string{
		"t.m[": {"t.mu.Lock()\ndefer t.mu.Unlock()\np := t.m[k]\ndelete(t.m, k)\nreturn p", "t.mu.Lock()\np := t.m[k]\nt.mu.Unlock()\nt.mu.Lock()\ndelete(t.m, k)\nt.mu.Unlock()\nreturn p"},
		"t.a[": {"return t.a[k&1].Swap(nil)", "p := t.a[k&1].Load()\nt.a[k&1].Store(nil)\nreturn p"},
		"t.s.": {"p, _ := t.s.LoadAndDelete(k)\nn, _ := p.(*item)\nreturn n", "p, _ := t.s.Load(k)\nt.s.Delete(k)\nn, _ := p.(*item)\nreturn n"},
	}
	c := Collection{Kind: "object", Ops: []Operation{{Name: "Aop", Params: 1}}}
	body := "func (t *T) Aop(k int) *item {\n" + gives + "\n}\n\n"
	for _, place := range []string{"t.m[", "t.a[", "t.s."} {
		if strings.Contains(gives, place) && w.oneIn(2) {
			c.Ops = append(c.Ops, Operation{Name: "Bop", Params: 1})
			body += "func (t *T) Bop(k int) *item {\n" + w.pick(takes[place]...) + "\n}\n"
		}
	}
	text := "type item " + item + "\n\n" + c.directives() + "type T struct {\nmu sync.Mutex\nm map[int]*item\na [2]atomic.Pointer[item]\ns sync.Map\n}\n\nfunc New() *T { return &T{m: map[int]*item{}} }\n\n" + strings.ReplaceAll(body, "MADE", made)
	c.Source = formatSource(fmt.Sprintf("// given %d: %s\npackage types\n\n", seed, item) + imports(text) + text)
	return c
}
