// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// Initialisers that are left out because of a call of mark. The second way is to execute them: a variable that is known afterwards has what it
// has then, and shares memory with the other known ones as it does then.

// markedness says how a call of mark is not supported.
type markedness string

const (
	closed markedness = "closed" // it does nothing else, and that is known
	open   markedness = "open"   // nothing is known of what it does
)

// marked makes calls of mark and markAll unsupported in a settler of a program.
func marked(t *testing.T, prog *ir.Program, how markedness) *settler {
	t.Helper()
	prog.Messages = append(prog.Messages, "mark is called")
	code := []ir.Instr{{Op: ir.OpUnsupported, X: int32(len(prog.Messages) - 1)}}
	var marks []*ir.Func
	for _, f := range prog.Funcs {
		if strings.HasSuffix(f.Name, ".mark") || strings.HasSuffix(f.Name, ".markAll") {
			marks = append(marks, f)
			if how == open {
				f.Code, f.Pos, f.Blocks = code, []ir.Pos{{}}, []ir.Block{{End: 1}}
			}
		}
	}
	s, err := newSettler(prog)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range marks {
		s.img.Codes[f.ID].Instrs = code
	}
	return s
}

// known are the program's own variables that are known when initialisation is settled.
func (s *settler) known() (known, unknown []int) {
	for g := range s.prog.Globals {
		_, un := s.unknown[g]
		switch {
		case !strings.HasPrefix(s.prog.Globals[g].Name, "programs/"):
		case un:
			unknown = append(unknown, g)
		default:
			known = append(known, g)
		}
	}
	return known, unknown
}

// shown is what some variables lead to: their words and those of objects, numbered as they are met.
func shown(m *Machine, globals []int) string {
	var b strings.Builder
	numbers := map[uint32]int{}
	var work []uint32
	number := func(id uint32) int {
		n, ok := numbers[id]
		if !ok {
			n = len(numbers)
			numbers[id] = n
			work = append(work, id)
		}
		return n
	}
	for _, g := range globals {
		number(uint32(g + 1))
	}
	for len(work) > 0 {
		o := &m.Objs[work[0]]
		fmt.Fprintf(&b, "%d %s x%d", numbers[work[0]], o.Info.Type.Name, o.Count)
		work = work[1:]
		size := o.Info.Type.Size
		for i := range o.Words() {
			words, at := m.Mem[o.At+i/size*size:o.At+i/size*size+size], i%size
			kind := o.Info.Layout[at]
			switch ref := m.Reference(words, at, kind); {
			case ref != 0:
				fmt.Fprintf(&b, " @%d+%d", number(uint32(ref)), uint32(words[at]))
			case kind == ir.String:
				fmt.Fprintf(&b, " %q", m.Text(words[at]))
			default:
				fmt.Fprintf(&b, " %x", words[at])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// executedFully is the heap when all initialisers have been executed.
func executedFully(t *testing.T, prog *ir.Program) *Machine {
	t.Helper()
	img, err := NewImage(prog)
	if err != nil {
		t.Fatal(err)
	}
	if img.initInState {
		t.Fatal("initialisation does not end by itself")
	}
	m := img.NewMachine(Options{})
	m.Start(prog.Roots[0])
	return m
}

// agree compares what is known with what there is if all is executed.
func agree(t *testing.T, img *Image, s *settler) (known, unknown []int) {
	t.Helper()
	full := executedFully(t, img.Prog)
	s.settle()
	if s.failed {
		t.Fatal("nothing could be left out")
	}
	known, unknown = s.known()
	have := executedFully(t, s.prog)
	if a, b := shown(have, known), shown(full, known); a != b {
		for _, g := range known {
			if shown(have, []int{g}) != shown(full, []int{g}) {
				t.Errorf("%s is not what it is known to be", s.prog.Globals[g].Name)
			}
		}
		t.Errorf("left out:\n%s\nexecuted:\n%s", a, b)
	}
	return known, unknown
}

func names(s *settler, globals []int) string {
	var list []string
	for _, g := range globals {
		name := s.prog.Globals[g].Name
		list = append(list, name[strings.LastIndexByte(name, '.')+1:])
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// settledFrame is what the sources have in common.
const settledFrame = `
func mark() {}

func markAll(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case func():
			v()
		case interface{ show() }:
			v.show()
		case *int:
			*v = 9
		case []int:
			v[0] = 9
		case *func():
			(*v)()
		case interface{ Get() func() }:
			v.Get()()
		}
	}
}

func main() { mark(); hold() }

func keep[T any](p *T) bool { return p == nil }
`

// settledTypes are those that the hand-made sources have in common.
const settledTypes = `
type node struct {
	n    int
	next *node
	list []int
	tab  map[string]int
	f    func() int
	any  any
	arr  [3]int
	in   inner
	ch   chan int
}

type inner struct{ x, y int }

type twin struct{ x, y int }

type shower interface{ show() }

func (n *node) show()  { n.n++ }
func (n *node) set(v int) { n.n = v }
`

// settled are sources with the variables that are unknown, if mark is known to do nothing else.
var settled = []struct{ name, src, unknown string }{
	{"assignment", `var a, b = 1, 2
func init() { mark(); a = 3 }`, "a"},
	{"value", `var a = f()
var b = a + 1
var c = 3
func f() int { mark(); return 4 }`, "a b"},
	{"before and behind", `var a = 1
var b = a
func init() { mark(); a = 3 }
var c = b
func init() { d = a }
var d int`, "a d"},
	{"pointer to a variable", `var q int
var p = &q
var r = &p
var other = new(int)
func init() { mark(); q = 7 }`, "p q r"},
	{"through a pointer to a variable", `var q int
var p = &q
var other = 1
func init() { mark(); *p = 7 }`, "p q"},
	{"field's address", `var q node
var p = &q.in.y
var other *inner
func init() { mark(); q.n = 7 }`, "p q"},
	{"alias", `var a = &node{}
var b = a
var c = &node{}
func init() { mark(); a.n = 3 }`, "a b"},
	{"element by another slice", `var a = []int{1, 2, 3}
var b = a[1:]
var c = []string{"x"}
func init() { mark(); b[0] = 3 }`, "a b"},
	{"array of a variable by a slice", `var a [3]int
var b = a[:]
var c = "x"
func init() { mark(); b[0] = 3 }`, "a b"},
	{"append in place", `var a = make([]int, 2, 8)
var b = a[:4]
var c = 1
func init() { mark(); a = append(a, 3) }`, "a b"},
	{"copy", `var a = make([]int, 2, 8)
var b = a
var c = 1
func init() { mark(); copy(a, []int{1}) }`, "a b"},
	{"clear", `var a = make([]int, 2, 8)
var b = a
var c = map[string]int{"x": 1}
var d = c
var e = map[int]int{}
func init() { mark(); clear(a); clear(c) }`, "a b c d"},
	{"map", `var a = map[string]int{}
var b = a
var c = map[string]bool{}
func init() { mark(); b["x"] = 1 }`, "a b"},
	{"map of another name", `type named map[string]int
var a = named{}
var b = map[string]int(a)
var c = map[string]bool{}
func init() { mark(); b["x"] = 1 }`, "a b"},
	{"pointer to a type of the same fields", `var a = &inner{}
var b = (*twin)(a)
var c = &node{}
func init() { mark(); b.x = 1 }`, "a b"},
	{"pointer to a type of the same fields, at once", `var a = &inner{}
var b = (*twin)(a)
var c = new(string)
func init() { mark(); *b = twin{1, 2} }`, "a b"},
	{"number of another name", `type num int
var a = new(num)
var b = (*int)(a)
var c = new(string)
func init() { mark(); *b = 2 }`, "a b"},
	{"parameter that is made anew", `var a = new(int)
var b = a
var c = new(string)
func put(p *int) { if p == nil { p = new(int) }; *p = 3 }
func init() { mark(); put(b) }`, "a b"},
	{"phi of new and old", `var a = new(int)
var b = a
var c = new(string)
func init() {
	mark()
	var p *int
	for i := 0; i < 2; i++ {
		if p == nil { p = new(int) } else { p = b }
		*p = 3
	}
}`, "a b"},
	{"closure's variable", `var get, set = pair()
var c = func() int { return 1 }
var d = c()
func pair() (func() int, func(int)) { n := 0; return func() int { return n }, func(v int) { n = v } }
func init() { mark(); set(4) }
var e = get()`, "get set"},
	{"method value", `var a = &node{}
var set = a.set
var c = &inner{}
func init() { mark(); set(4) }`, "a set"},
	{"interface", `var a = &node{}
var s shower = a
var c = &inner{}
func init() { mark(); s.show() }`, "a s"},
	{"embedded", `type outer struct { *node; k int }
var a = &node{}
var o = outer{node: a}
var c = &inner{}
func init() { mark(); o.set(2) }`, "a o"},
	{"function variable that is called", `var a int
var f = func() { a = 3 }
var c = 2
func init() { mark(); f() }`, "a"},
	{"deferred", `var a int
var c = 2
func g() { defer func() { a = 4 }(); mark() }
func init() { g() }`, "a"},
	{"range", `var a = []*node{{}, {}}
var b = a[1]
var c = 2
func init() { mark(); for _, n := range a { n.n = 4 } }`, "a b"},
	{"value in an interface", `var a any = &node{}
var b = a.(*node)
var c = 2
func init() { mark(); a.(*node).n++ }`, "a b"},
	{"channel", `var a = make(chan int, 1)
var b = a
var c = 2
func init() { mark(); a <- 1 }`, "a b"},
	{"select", `var a = make(chan int, 1)
var b = a
var c = 2
func init() { mark(); select { case a <- 1: default: } }`, "a b"},
	{"in a loop", `var a int
var c = 2
func init() { for i := range 3 { if i == 1 { mark() }; a += i } }`, "a"},
	{"linked and written later", `var a = &node{}
var b = &node{}
func init() { mark(); a.next = b }
func init() { b.n = 5 }`, "a b"},
	{"written through what is unknown, which nobody else names any more", `var a = &node{}
var b = &node{}
var c = b
func init() { mark(); a = b }
func init() { b = nil }
func init() { a.n = 5 }`, "a c"},
	{"written through what is unknown", `var a = &node{}
var b = &node{}
func init() { mark(); a = b }
func init() { a.n = 5 }`, "a b"},
	{"once", `import "sync"
var once sync.Once
var a, b int
func init() { once.Do(func() { mark(); a = 1 }) }
func init() { once.Do(func() { b = 1 }) }`, "a b once"},
	{"unsafe", `import "unsafe"
var a = &inner{}
var b = a
var c = new(string)
func init() { mark(); p := (*int)(unsafe.Pointer(a)); *p = 3 }`, "a b"},
	{"unsafe, a part", `import "unsafe"
var a = &node{}
var b = a
var c = new(string)
func init() { mark(); p := (*twin)(unsafe.Pointer(&a.in)); *p = twin{} }`, "a b"},
	{"unsafe, as an array", `import "unsafe"
var a = &inner{}
var b = a
var c = new(string)
func init() { mark(); p := (*[2]int)(unsafe.Pointer(a)); p[1] = 3 }`, "a b"},
	{"errors.As", `import "errors"
type failure struct{ n int }
func (f *failure) Error() string { return "" }
var target = new(*failure)
var other = target
var box any = target
var c = new(string)
var err error = &failure{1}
func init() { mark(); errors.As(err, box) }`, "box err other target"},
	{"sort.Slice", `import "sort"
var a = []int{3, 2, 1}
var b = a
var box any = a
var c = new(string)
func init() { mark(); sort.Slice(box, func(i, j int) bool { return a[i] < a[j] }) }`, "a b box"},
	{"shown", `import "fmt"
var count int
type loud struct{}
func (loud) String() string { count++; return "x" }
var text string
var c = 2
func init() { mark(); text = fmt.Sprint(loud{}) }`, "count text"},
	{"atomic", `import "sync/atomic"
var a = &atomic.Int32{}
var b = a
var c = new(string)
func init() { mark(); a.Add(1) }`, "a b"},
	{"atomic value", `import "sync/atomic"
var a = &atomic.Value{}
var b = a
var c = new(string)
func init() { mark(); a.Store(1) }`, "a b"},
	{"goto and labels", `var a, b int
func init() {
again:
	if a < 3 { a++; goto again }
	mark()
}
func init() { b = 2 }`, "a"},
	{"swapped", `var a, b = &node{}, &inner{}
var c = b
func init() { mark(); a, b = nil, nil }`, "a b"},
	{"goroutine that is started before", `var a = &node{}
var b = a
var c = 2
func init() { go func() { b = nil; a.n = 2 }() }
func init() { mark(); c = 3 }`, "a b c"},
	{"unknown code calls what it is given", `var a int
var b = 2
func init() { markAll(func() { a = 2 }) }`, "a"},
	{"unknown code calls what it finds in memory", `var a int
var b = 2
var f = func() { a = 4 }
func init() { markAll(&f) }`, "a f"},
	{"unknown code calls what a method gives", `var a int
var b = 2
type giver struct{ f func() }
func (g *giver) Get() func() { return g.f }
var f = &giver{func() { a = 4 }}
func init() { markAll(f) }`, "a"},
	{"unknown code calls a method", `type loud struct{ p *int }
func (l loud) show() { *l.p = 3 }
var a int
var l = loud{&a}
var b = new(string)
func init() { markAll(l) }`, "a l"},
	{"unknown code calls a method of what is in an interface", `type loud struct{}
func (loud) show() { a = 3 }
var a int
var l any = loud{}
var b = new(string)
func init() { markAll(l) }`, "a"},
	{"unknown code calls what it finds in memory, and that a function value", `var a int
var b = 2
var f = func() { run(set) }
func run(f func()) { f() }
func set() { a = 4 }
func init() { markAll(&f) }`, "a f"},
	{"pointer to one of two variables", `var a, b int
var c = 2
var d = 3
func init() {
	p := &a
	if c > 2 {
		p = &b
	}
	mark()
	*p = 4
}`, "a b"},
	{"operands of || and && stand with their statement", `var a = yes() || no() && no()
var b = no() || marking() && yes()
var c = yes() && (no() || yes())
func marking() bool { mark(); return true }
func yes() bool { return true }
func no() bool { return false }`, "b"},
	{"loop that needs no register", `var n, m int
var c = 2
func init() { for n < 3 { n++; mark(); m = n } }
var d = 2`, "m n"},
	{"loop that only a panic ends", `var n int
var a [3]int
var c = 2
func init() { try() }
func try() {
	defer func() { _ = recover() }()
	loop()
}
func loop() {
	for {
		mark()
		n++
		a[n] = 1
	}
}
var d = 2`, "a n"},
	{"unknown code writes", `var a int
var s = []int{1}
var t = s
var b = new(string)
func init() { markAll(&a, s) }`, "a s t"},
	{"unknown from an earlier place on", `var a = 2
var q = 1
var z = g()
var mid = q
func g() int { q = 5; return a }
func init() { mark(); a = 3; q = 6 }`, "a mid q z"},
	{"generic", `func put[T any](p *T, v T) { *p = v }
var a = new(int)
var b = a
var c = new(string)
func init() { mark(); put(a, 3) }`, "a b"},
	{"a function that an earlier initialiser stored", `var f func()
var a int
var c = new(string)
func init() { f = func() { a = 3 } }
func run() { mark(); f() }
func init() { run() }`, "a"},
	{"a function that what it calls gives", `func bump() { a = 3 }
func pick() func() { return bump }
var a int
var c = new(string)
func init() { mark(); pick()() }`, "a"},
	{"iterator", `var a int
var c = 2
func each(yield func(int) bool) { mark(); _ = yield(1) && yield(2) }
func init() { for i := range each { a += i } }`, "a"},
}

// holding makes a program whose main mentions all variables, for those that nobody mentions are no part of it.
func holding(t *testing.T, src string) string {
	t.Helper()
	src = "package main\n\n" + src + settledFrame
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", src, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	src += "\nfunc hold() {\n"
	for _, d := range file.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if name.Name == "_" {
					continue
				}
				src += "\tkeep(&" + name.Name + ")\n"
			}
		}
	}
	return src + "}\n"
}

// TestSettle_KnowsWhatIsUnknown also executes what is left out, where that ends by itself.
func TestSettle_KnowsWhatIsUnknown(t *testing.T) {
	var sources []string
	for _, test := range settled {
		sources = append(sources, holding(t, test.src+settledTypes))
	}
	full, left, wide := compiledAll(t, sources), compiledAll(t, sources), compiledAll(t, sources)
	for i, test := range settled {
		t.Run(test.name, func(t *testing.T) {
			s := marked(t, left[i].Prog, closed)
			var unknown []int
			if full[i].initInState {
				s.settle()
				_, unknown = s.known()
			} else {
				_, unknown = agree(t, full[i], s)
			}
			if got := names(s, unknown); got != test.unknown {
				t.Errorf("unknown are %q, want %q", got, test.unknown)
			}
			o := marked(t, wide[i].Prog, open)
			if full[i].initInState {
				o.settle()
			} else {
				agree(t, full[i], o)
			}
			_, also := o.known()
			for _, g := range unknown {
				if !slices.Contains(also, g) {
					t.Errorf("%s is known if nothing is known of mark", s.prog.Globals[g].Name)
				}
			}
		})
	}
}
