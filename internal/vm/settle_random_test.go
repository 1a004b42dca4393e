// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// drawer draws package initialisers: variables with values, helper functions, and init functions, of which some call mark.
type drawer struct {
	r *rand.Rand
	b strings.Builder
}

// one draws one of some texts, each with its operands.
func (d *drawer) one(forms ...string) string {
	form := forms[d.r.IntN(len(forms))]
	for {
		i := strings.IndexByte(form, '$')
		if i < 0 {
			return form
		}
		form = form[:i] + d.operand(form[i+1]) + form[i+2:]
	}
}

// operand is one of a kind: a letter.
func (d *drawer) operand(kind byte) string {
	n := d.r.IntN(3)
	switch kind {
	case 'N': // a *node that is not nil
		return d.one("get(n0)", "get(n1)", "get(n2)", "get(n0.next)", "get(n2.next)", "(&w)", "get(w.next)", "box(a0)", "box(a1)", "get(l[1])", "get(by[\"k\"])")
	case 'n':
		return fmt.Sprintf("n%d", n)
	case 'I': // an int
		return d.one("i0", "i1", "$N.n", "*at(p0)", "len(s1)", "m0[\"a\"]", "$N.in.x", "v[1]", "7", "u.x", "cell()", "(*twin)(&w.in).y", "count()")
	case 'i':
		return fmt.Sprintf("i%d", n%2)
	case 'P': // a *int that is not nil
		return d.one("at(p0)", "at(p1)", "&i0", "&i1", "&$N.n", "&$N.in.y", "&v[2]", "&w.arr[1]", "&$N.arr[0]", "at((*int)(q))", "&u.y")
	case 'p':
		return fmt.Sprintf("p%d", n%2)
	case 'S': // a []int of two or more
		return d.one("two(s0)", "two(s1)", "v[:]", "w.arr[:]", "two($N.list)", "$N.arr[:]")
	case 's':
		return fmt.Sprintf("s%d", n%2)
	case 'M':
		return d.one("some(m0)", "some(m1)", "some($N.tab)", "map[string]int(nm)")
	case 'm':
		return fmt.Sprintf("m%d", n%2)
	case 'A':
		return d.one("a0", "a1", "any($N)", "any($P)", "any($I)", "$N.any")
	case 'a':
		return fmt.Sprintf("a%d", n%2)
	case 'F':
		return d.one("call(f0)", "call(f1)", "$N.put", "call(g.f)")
	case 'f':
		return fmt.Sprintf("f%d", n%2)
	}
	panic(kind)
}

func (d *drawer) statement() string {
	return d.one("$N.n = $I", "$N.next = $N", "$N.next = nil", "$N.in = inner{$I, $I}", "$n = $N", "$n = &node{n: $I, next: $N}", "$i = $I", "*$P = $I", "$p = $P",
		"$s = append($S, $I)", "$S[1] = $I", "$s = $S[1:]", "copy($S, $S)", "$N.list = $S", "$M[\"a\"] = $I", "$m = $M", "delete($M, \"a\")",
		"$N.tab = $M", "$a = $A", "put($A, $I)", "$N.any = $A", "$F($I)", "$f = $F", "$f = func(val int) { $N.n = val }",
		"if x := $P; *x > 2 { $f = func(val int) { *x = val } }", "w = *$N", "*$N = w", "v[0] = $I", "v = [3]int{$I}", "u = twin{$I, $I}", "(*twin)(&$N.in).x = $I",
		"nm[\"b\"] = $I", "h1($N, $I)", "h2($P)", "defer func() { $N.n = $I }()", "for _, x := range $S { $i += x }", "for range 2 { $N.n++ }",
		"l = append(l, $N)", "l[0] = $N", "by[\"k\"] = $N", "by = map[string]*node{\"k\": $N}", "clear($S)", "$N.sh = $N", "show($N.sh)", "g.f, g.n = $F, $N", "g = &group{n: $N}",
		"q = (*num)($P)", "if $I > 3 { $i = 2 } else { $N.n = 1 }", "set, cell = pair()", "set($I)", "done.Do(func() { $N.n = $I })", "text += \"x\"", "ch <- $N", "$n = <-ch",
		"for x := range $N.each { $i += x }", "sort.Slice($S, func(i, j int) bool { return i < j })", "total.Add(int64($I))", "av.Store($N)", "$n = got(av.Load())")
}

// program draws one. Its declarations do not depend on what is drawn, so that front keeps the same variables.
func (d *drawer) program() string {
	b := &d.b
	b.WriteString(`import ("sort"; "sync"; "sync/atomic")

type node struct {
	n    int
	next *node
	list []int
	tab  map[string]int
	in   inner
	any  any
	arr  [3]int
	sh   shower
}
type inner struct{ x, y int }
type twin struct{ x, y int }
type num int
type named map[string]int
type shower interface{ show() }
type group struct { f func(int); n *node }

func (n *node) show()    { n.n++ }
func (n *node) put(v int) { n.n = v }
func (n *node) each(yield func(int) bool) { _ = yield(n.n) && yield(2) }

func get(n *node) *node { if n == nil { return &w }; return n }
func got(x any) *node { n, _ := x.(*node); return get(n) }
func at(p *int) *int { if p == nil { p = new(int) }; return p }
func two(s []int) []int { if len(s) < 2 { return v[:] }; return s }
func some(m map[string]int) map[string]int { if m == nil { return map[string]int{} }; return m }
func call(f func(int)) func(int) { if f == nil { return func(v int) { i1 = v } }; return func(val int) { if depth < 3 { depth++; f(val); depth-- } } }
func box(x any) *node { if n, ok := x.(*node); ok { return get(n) }; return get(n1) }
func show(s shower) { if s != nil { s.show() } }
func put(x any, v int) {
	switch x := x.(type) {
	case *int: *x = v
	case *node: x.n = v
	}
}
func pair() (func(int), func() int) { n := 1; return func(v int) { n = v }, func() int { return n } }
var _ = sort.Ints

func count() int { total.Add(1); return int(total.Load()) }

var (
	w     node
	v     [3]int
	u     twin
	done  sync.Once
	total atomic.Int64
	av    atomic.Value
	text  string
	depth int
	ch    = func() chan *node { c := make(chan *node, 200); for range 100 { c <- nil }; return c }()
	nm    = named{"a": 1}
	g     = &group{}
	l     = []*node{nil, nil}
	by    = map[string]*node{}
	set, cell = pair()
	q     = (*num)(nil)
`)
	for _, decl := range []string{"n0 *node = $N", "n1 = &node{}", "n2 = &node{next: $N, n: $I}", "i0 int", "i1 = $I", "p0 *int = $P", "p1 = new(int)", "s0 []int = $S",
		"s1 = []int{1, 2, 3, 4}", "m0 = map[string]int{}", "m1 = $M", "a0 any", "a1 = $A", "f0 = $F", "f1 func(int)"} {
		if strings.Contains(decl, "$") && d.r.IntN(2) == 0 || strings.HasPrefix(decl, "n0") || strings.HasPrefix(decl, "f0") || strings.HasPrefix(decl, "i1") {
			decl = strings.NewReplacer("n0 *node = $N", "n0 *node", "i1 = $I", "i1 = 1", "f0 = $F", "f0 func(int)", "$N", "nil", "$I", "2", "$S", "nil", "$P", "new(int)", "$M", "map[string]int(nm)", "$A", "any(1)").Replace(decl)
		}
		fmt.Fprintf(b, "\t%s\n", d.early(decl))
	}
	b.WriteString(")\n\n")
	fmt.Fprintf(b, "func h1(n *node, val int) {\n\t%s\n\tn.n = val\n\t%s\n}\n\n", d.flat(), d.flat())
	fmt.Fprintf(b, "func h2(p *int) {\n\tif p == nil {\n\t\tp = new(int)\n\t}\n\t*p = 5\n\t%s\n}\n\n", d.flat())
	marks := 0
	for i := range 4 + d.r.IntN(4) {
		b.WriteString("func init() {\n")
		for range 1 + d.r.IntN(4) {
			b.WriteString("\t" + d.statement() + "\n")
			if i > 0 && marks < 2 && d.r.IntN(5) == 0 {
				b.WriteString("\t" + d.one("mark()", "mark()", "markAll($N, $F, $P, $S)", "markAll($A, func() { $N.n = $I })") + "\n")
				marks++
			}
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

// early draws the operands of a declaration from what does not depend on other variables that are drawn.
func (d *drawer) early(decl string) string {
	return strings.NewReplacer("$N", []string{"&w", "n1"}[d.r.IntN(2)], "$I", "u.x", "$P", []string{"&v[2]", "&w.n", "&i0"}[d.r.IntN(3)], "$S", []string{"v[:]", "w.arr[:]", "s1[:2]"}[d.r.IntN(3)],
		"$M", []string{"m0", "map[string]int(nm)"}[d.r.IntN(2)], "$A", []string{"any(n1)", "any(&i0)"}[d.r.IntN(2)]).Replace(decl)
}

// flat is a statement that calls no helper.
func (d *drawer) flat() string {
	for {
		if s := d.statement(); !strings.Contains(s, "h1(") && !strings.Contains(s, "h2(") && !strings.Contains(s, "call(") && !strings.Contains(s, "show(") {
			return s
		}
	}
}

// TestSettle_AgreesWithExecution draws packages, and compares what is known of each with an execution of all of it.
func TestSettle_AgreesWithExecution(t *testing.T) {
	n := 8
	switch {
	case level.All():
		n = 3000
	case level.More():
		n = 600
	case !level.Short():
		n = 30
	}
	n = flags.Programs(n)
	sum, of := 0, 0
	const together = 200 // packages are compiled at a time: what is compiled stays in memory
	for first := 0; first < n; first += together {
		seed := flags.Seed() + uint64(first)
		known, all := agreeWithExecution(t, seed, min(together, n-first))
		sum, of = sum+known, of+all
	}
	t.Logf("%d of %d variables are known where something is left out", sum, of)
	if n >= 30 && 5*sum < of {
		t.Errorf("only %d of %d variables are known: too much is made unknown for the comparison to show anything", sum, of)
	}
}

// agreeWithExecution draws so many packages, and gives how many of their variables are known where something is left out, and how many there are.
func agreeWithExecution(t *testing.T, seed uint64, n int) (sum, of int) {
	t.Helper()
	var sources []string
	for i := range n {
		d := &drawer{r: rand.New(rand.NewPCG(seed+uint64(i), 38))}
		sources = append(sources, holding(t, d.program()))
	}
	full, left, wide := compiledAll(t, sources), compiledAll(t, sources), compiledAll(t, sources)
	for i := range n {
		if full[i].initInState { // it panics
			continue
		}
		for how, img := range map[markedness]*Image{closed: left[i], open: wide[i]} {
			known, unknown := agree(t, full[i], marked(t, img.Prog, how))
			if how == closed && len(unknown) > 0 {
				sum, of = sum+len(known), of+len(known)+len(unknown)
			}
		}
		if t.Failed() {
			t.Fatalf("package %d:\n%s", seed+uint64(i), sources[i])
		}
	}
	return sum, of
}
