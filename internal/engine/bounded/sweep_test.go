// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// The codec sweep. Types of parameters and results are generated; of each there are small collections that hold a value
// of it, right ones and faulty ones, and each must get the verdict that it deserves. A faulty one stores a value in
// two steps: first one of which a part is still that of the value before, then the whole; or it returns a
// copy of an object in place of the object. It is seen only if all parts are set and compared.

// swept is a generated type.
type swept struct {
	expr string // the type, as Go source
	// mix is an expression of a value that is neither v nor old, made of parts of both; "" where a value has one part.
	mix string
	// swap is an expression of v with two of its parts in each other's place; "" where none have the same type.
	swap string
	tags []string // what it has, for the count
}

// types makes random types, with the declarations that they need.
type types struct {
	r     *rand.Rand
	decls []string
	n     int
}

func (g *types) name(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

var basics = []string{"int", "int8", "uint16", "int64", "uint64", "string", "float64", "uint8", "rune"}

// leaf is a type of one part.
func (g *types) leaf() swept {
	e := basics[g.r.IntN(len(basics))]
	if g.r.IntN(4) == 0 {
		n := g.name("Named")
		g.decls = append(g.decls, fmt.Sprintf("type %s %s", n, e))
		return swept{expr: n, tags: []string{"basic", "named"}}
	}
	return swept{expr: e, tags: []string{"basic"}}
}

// part is a type of a field or an element.
func (g *types) part(depth int) swept {
	if depth <= 0 {
		return g.leaf()
	}
	switch g.r.IntN(14) {
	case 0, 1:
		return g.strukt(depth)
	case 2:
		return g.array(depth)
	case 3:
		return g.slice(depth)
	case 4:
		e := g.part(depth - 1)
		return swept{expr: "map[string]" + e.expr, tags: append(e.tags, "map")}
	case 5:
		e := g.part(depth - 1)
		return swept{expr: "*" + e.expr, tags: append(e.tags, "pointer")}
	case 6:
		return swept{expr: "any", tags: []string{"interface"}}
	case 7:
		return swept{expr: "time.Time", tags: []string{"foreign"}}
	case 8:
		return swept{expr: "*big.Int", tags: []string{"foreign"}}
	case 9:
		return swept{expr: "bool", tags: []string{"bool"}}
	case 10:
		return swept{expr: "error", tags: []string{"error"}}
	}
	return g.leaf()
}

// strukt is a struct of two to four fields that callers set; a fault keeps one of them back, which is no bool or error: those
// have one bit of the value's number, which may be the same in two values.
func (g *types) strukt(depth int) swept {
	n := g.name("Struct")
	var fields, tags []string
	var held []int
	var first swept
	count := 2 + g.r.IntN(3)
	more := g.r.IntN(8)
	for i := range count {
		p := g.part(depth - 1)
		if i < 2 && (p.expr == "bool" || p.expr == "error") {
			p = g.leaf()
		}
		if i == 1 && g.r.IntN(3) == 0 {
			p = first
		}
		if i == 0 {
			first = p
		}
		if p.expr != "bool" && p.expr != "error" {
			held = append(held, i)
		}
		name := g.field(i)
		if more == 0 { // what a list's node does not export may be its own
			name = fmt.Sprintf("F%d", i)
		}
		fields = append(fields, name+" "+p.expr)
		tags = append(tags, p.tags...)
	}
	tags = append(tags, "struct")
	swap := ""
	if a, b := strings.SplitN(fields[0], " ", 2), strings.SplitN(fields[1], " ", 2); a[1] == b[1] {
		swap = fmt.Sprintf("m := v; m.%s, m.%s = m.%[2]s, m.%[1]s", a[0], b[0])
	}
	switch more {
	case 0:
		fields, tags = append(fields, "link *"+n), append(tags, "recursive")
	case 1:
		fields, tags = append(fields, "f func()"), append(tags, "function")
	}
	kept := strings.Fields(fields[held[g.r.IntN(len(held))]])[0]
	if g.r.IntN(6) == 0 && len(fields) == count { // generic in the type of its first field
		first := strings.SplitN(fields[0], " ", 2)
		g.decls = append(g.decls, fmt.Sprintf("type %s[T any] struct {\n\t%s T\n\t%s\n}", n, first[0], strings.Join(fields[1:], "\n\t")))
		tags, n = append(tags, "generic"), n+"["+first[1]+"]"
	} else {
		g.decls = append(g.decls, fmt.Sprintf("type %s struct {\n\t%s\n}", n, strings.Join(fields, "\n\t")))
	}
	return swept{expr: n, tags: tags, swap: swap, mix: fmt.Sprintf("func() %s { m := v; m.%[2]s = old.%[2]s; return m }()", n, kept)}
}

// field is the name of a field; the first one is exported, so that callers can make the struct.
func (g *types) field(i int) string {
	if i == 0 || g.r.IntN(2) == 0 {
		return fmt.Sprintf("F%d", i)
	}
	return fmt.Sprintf("f%d", i)
}

func (g *types) array(depth int) swept {
	e := g.part(depth - 1)
	if e.expr == "bool" || e.expr == "error" {
		e = g.leaf()
	}
	n := []int{2, 3, 9, 16}[g.r.IntN(4)]
	t := fmt.Sprintf("[%d]%s", n, e.expr)
	return swept{expr: t, tags: append(e.tags, "array"), swap: "m := v; m[0], m[1] = m[1], m[0]", mix: fmt.Sprintf("func() %s { m := v; m[%d] = old[%[2]d]; return m }()", t, g.r.IntN(n))}
}

func (g *types) slice(depth int) swept {
	e := g.part(depth - 1)
	if e.expr == "bool" || e.expr == "error" {
		e = g.leaf()
	}
	t := "[]" + e.expr
	return swept{expr: t, tags: append(e.tags, "slice"),
		mix: fmt.Sprintf("func() %s { m := slices.Clone(v); if len(m) > 1 { m[1] = *new(%s); if len(old) > 1 { m[1] = old[1] } }; return m }()", t, e.expr)}
}

// whole is a type of a parameter.
func (g *types) whole() swept {
	switch g.r.IntN(8) {
	case 0:
		return g.leaf()
	case 1:
		return g.array(2)
	case 2:
		return g.slice(2)
	case 3:
		s := g.strukt(2)
		t := "*" + s.expr
		return swept{expr: t, tags: append(s.tags, "pointer", "object"),
			mix: fmt.Sprintf("func() %s { var was %s; if old != nil { was = *old }; return func(v, old %[2]s) %[1]s { w := %[3]s; return &w }(*v, was) }()", t, s.expr, s.mix)}
	}
	return g.strukt(2)
}

const sweptHead = `package example

import (
	"math/big"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

var (
	_ *big.Int
	_ time.Time
	_ = slices.Clone[[]int]
	_ atomic.Int64
)

type base struct{ mu sync.Mutex }

`

// sweptCollections are those that hold a value of the type V. STORE is where a value takes effect: right puts the value v there, torn does so
// in two steps, or puts MIX there, which is made of v and old.
var sweptCollections = []struct{ name, kind, source, right, torn string }{
	{"register", "register", `
type NAME struct { base; v V }
func (c *NAME) Load() V { c.mu.Lock(); defer c.mu.Unlock(); return c.v }
func (c *NAME) Store(v V) { c.mu.Lock(); STORE; c.mu.Unlock() }
`, "c.v = v", "old := c.v; _ = old; c.v = MIX; c.mu.Unlock(); c.mu.Lock(); c.v = v"},
	{"object", "object", `
type NAME struct { base; v V }
func (c *NAME) Show() V { c.mu.Lock(); defer c.mu.Unlock(); return c.v }
func (c *NAME) Change(v V) { c.mu.Lock(); STORE; c.mu.Unlock() }
`, "c.v = v", "old := c.v; _ = old; c.v = MIX; c.mu.Unlock(); c.mu.Lock(); c.v = v"},
	{"queue", "queue", `
type NAME struct { base; v []V }
func (c *NAME) Enqueue(v V) { c.mu.Lock(); i := len(c.v); c.v = append(c.v, v); if i > 0 { i = 0 }; STORE; c.mu.Unlock() }
func (c *NAME) Dequeue() (v V, ok bool) { c.mu.Lock(); defer c.mu.Unlock(); if len(c.v) > 0 { v, ok = c.v[0], true; c.v = c.v[1:] }; return }
`, "if len(c.v) == 1 { c.v[0] = v }",
		"old := *new(V); _ = old; if len(c.v) == 1 { c.v[0] = MIX }; c.mu.Unlock(); c.mu.Lock(); if len(c.v) == 1 { c.v[0] = v }"},
	{"map", "map", `
type NAME struct { base; v map[int]V }
func NewNAME() *NAME { return &NAME{v: map[int]V{}} }
func (c *NAME) Store(k int, v V) { c.mu.Lock(); STORE; c.mu.Unlock() }
func (c *NAME) Load(k int) (V, bool) { c.mu.Lock(); defer c.mu.Unlock(); v, ok := c.v[k]; return v, ok }
`, "c.v[k] = v", "old := c.v[k]; _ = old; c.v[k] = MIX; c.mu.Unlock(); c.mu.Lock(); c.v[k] = v"},
	{"roles", "register", `
//pangolin:roles Store:1,Load:~1
type NAME struct { base; v V }
func (c *NAME) Load() V { c.mu.Lock(); defer c.mu.Unlock(); return c.v }
func (c *NAME) Store(v V) { c.mu.Lock(); STORE; c.mu.Unlock() }
`, "c.v = v", "old := c.v; _ = old; c.v = MIX; c.mu.Unlock(); c.mu.Lock(); c.v = v"},
	{"handle", "object", `
type NAMETicket struct { v V }
type NAME struct { base; v V ; busy atomic.Int64 }
func (c *NAME) Take(v V) *NAMETicket { c.busy.Add(1); defer c.busy.Add(-1); c.mu.Lock(); defer c.mu.Unlock(); c.v = v; return &NAMETicket{v} }
func (c *NAME) Give(t *NAMETicket) V { c.mu.Lock(); defer c.mu.Unlock(); v, w := t.v, t.v; STORE; return w }
`, "w = v", "if c.busy.Load() > 0 { old := c.v; _ = old; w = MIX }"}, // what a handle gives back is another value while somebody takes one
}

// sweptCase is one collection and the verdict that it deserves.
type sweptCase struct {
	name, source string
	kind         string
	want         verdict.Status
	about        swept
	decls        string
}

// casesOf are the collections for a type: of the kind with a number, or of all.
func casesOf(s swept, name string, kind int) (out []sweptCase) {
	for i, c := range sweptCollections {
		if kind >= 0 && i != kind%len(sweptCollections) {
			continue
		}
		add := func(suffix, store string, want verdict.Status) {
			n := fmt.Sprintf("%s%s%d", name, suffix, i)
			out = append(out, sweptCase{name: n, kind: c.kind, want: want, about: s,
				source: strings.NewReplacer("NAME", n, "STORE", store, "V)", s.expr+")", " V ", " "+s.expr+" ", "]V", "]"+s.expr, "(V,", "("+s.expr+",", "v V", "v "+s.expr).Replace(
					strings.ReplaceAll(c.source, ") V {", ") "+s.expr+" {"))})
		}
		add("Right", c.right, verdict.Verified)
		if s.mix != "" {
			add("Torn", strings.NewReplacer("(V)", "("+s.expr+")", "MIX", s.mix).Replace(c.torn), verdict.Violated)
		}
	}
	// A cell whose Show returns something else while another Show is in progress.
	shows := func(suffix, other string) {
		n := name + suffix
		out = append(out, sweptCase{name: n, kind: "object", want: verdict.Violated, about: s, source: fmt.Sprintf(`
type %s struct { base; v %s; readers atomic.Int64 }
func (c *%[1]s) Change(v %[2]s) { c.mu.Lock(); c.v = v; c.mu.Unlock() }
func (c *%[1]s) Show() %[2]s {
	n := c.readers.Add(1)
	defer c.readers.Add(-1)
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.v
	if n > 1 { %[3]s }
	return v
}
`, n, s.expr, other)})
	}
	if s.swap != "" {
		shows("Swaps", s.swap+"; return m")
	}
	if strings.HasPrefix(s.expr, "[]") {
		shows("Empties", "if v == nil { return "+s.expr+"{} }")
	}
	if slices.Contains(s.tags, "object") {
		shows("Copies", "if v != nil { w := *v; return &w }")
		// An object for each key, loaded and then stored, in one step or in two.
		for step, want := range map[string]verdict.Status{"": verdict.Verified, "c.mu.Unlock(); c.mu.Lock()": verdict.Violated} {
			n := name + "For" + string(want)
			out = append(out, sweptCase{name: n, kind: "object", want: want, about: s, source: fmt.Sprintf(`
type %s struct { base; v map[int]%s }
func New%[1]s() *%[1]s { return &%[1]s{v: map[int]%[2]s{}} }
func (c *%[1]s) For(k int) %[2]s {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.v[k]
	if x == nil { %[3]s; x = new(%[4]s); c.v[k] = x }
	return x
}
`, n, s.expr, step, s.expr[1:])})
		}
	}
	return out
}

// sweep verifies collections of so many types, some types in one package, and calls failed with what is wrong.
func sweep(t *testing.T, from, count int, all bool, failed func(c sweptCase, v verdict.Verdict)) (cases int, met map[string]int) {
	met = map[string]int{}
	const together = 4
	for at := from; at < from+count; at += together {
		g := &types{r: rand.New(rand.NewPCG(uint64(at), 29))}
		var list []sweptCase
		for i := range together {
			s := g.whole()
			slices.Sort(s.tags)
			for _, tag := range slices.Compact(s.tags) {
				met[tag]++
			}
			kind := at/together + i
			if all {
				kind = -1
			}
			list = append(list, casesOf(s, fmt.Sprintf("C%d", i), kind)...)
		}
		source := sweptHead + strings.Join(g.decls, "\n\n") + "\n"
		for i := range list {
			list[i].decls = strings.Join(g.decls, "\n")
			source += list[i].source
		}
		sweepPackage(t, source, list, failed)
		cases += len(list)
	}
	return cases, met
}

func sweepPackage(t *testing.T, source string, list []sweptCase, failed func(c sweptCase, v verdict.Verdict)) {
	t.Helper()
	dir, done := modules.Take(t, source)
	defer done()
	for _, c := range list {
		got, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Type: c.name, Kind: c.kind, Specification: pangolin.Specification{Expect: "violated"},
			Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3", Values: 3}})
		if err != nil || len(got) != 1 {
			t.Fatalf("%s of %s: %v\n%s", c.name, c.about.expr, err, source)
		}
		if v := got[0]; v.Status != c.want {
			failed(c, v)
		}
	}
}

func TestSweep_EveryTypeOfAParameterIsComparedWhole(t *testing.T) {
	level.SkipShort(t, "verifies collections of generated types")
	count := 8
	switch {
	case planting.On() != "":
		count = 80
	case level.More():
		count = 300
	}
	first, last := flags.Numbers(0, count-1)
	count = last - first + 1
	cases, met := sweep(t, first, count, false, func(c sweptCase, v verdict.Verdict) {
		if planting.On() != "" {
			t.Fatalf("%s of %s shows the fault", c.name, c.about.expr)
		}
		t.Errorf("%s of %s, as %s: %s, want %s: %s\n%s%s", c.name, c.about.expr, c.kind, v.Status, c.want, v.Reason, c.decls, c.source)
	})
	t.Logf("%d collections of %d types: %v", cases, count, met)
}
