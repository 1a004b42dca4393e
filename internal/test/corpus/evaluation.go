// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"slices"
	"strings"
)

// EvaluationOrder gives programs that evaluate every operand of a list beside a call
// that changes all of them, in every context of another list, and print what came out.
// In which order Go's compiler does that is written down nowhere but in itself.
func EvaluationOrder() []Program {
	var list []Program
	g := &evaluation{}
	for _, c := range slices.Concat(expressionContexts, operandContexts, targetContexts, statementContexts) {
		if g.context(c); len(g.names) >= maxFunctions {
			list = append(list, g.program(fmt.Sprintf("evaluation%d", len(list))))
			g = &evaluation{}
		}
	}
	return append(list, g.program(fmt.Sprintf("evaluation%d", len(list))))
}

// maxFunctions is how many functions make a program: what the machine has printed is part
// of its state.
const maxFunctions = 400

// evaluation collects the functions of one program.
type evaluation struct {
	text  strings.Builder
	names []string
}

// context fills in the places of a context: $L is a target, $A an operand, $B a call.
// Targets meet one operand, and calls vary where there are neither.
func (g *evaluation) context(c string) {
	targets, operands, calls := []string{""}, []string{""}, evaluationCalls[:1]
	switch {
	case strings.Contains(c, "$L"):
		targets, operands = evaluationTargets, []string{"s.n"}
	case strings.Contains(c, "$A"):
		operands = evaluationOperands
	default:
		calls = evaluationCalls
	}
	for _, l := range targets {
		for _, a := range operands {
			for _, b := range calls {
				g.function(strings.NewReplacer("$L", l, "$A", a, "$B", b).Replace(c))
			}
		}
	}
}

func (g *evaluation) function(body string) {
	name := fmt.Sprintf("t%04d", len(g.names))
	g.names = append(g.names, name)
	fmt.Fprintf(&g.text, `func %s() {
	var x, r, t int
	var ok bool
	s := fresh(&x)
	bump := func() int { return s.bump() }
	_ = bump
	defer end(%q, s, &r, &t, &ok)
	%s
}

`, name, strings.ReplaceAll(body, "\n", "; "), body)
}

func (g *evaluation) program(name string) Program {
	var b strings.Builder
	b.WriteString(evaluationPrelude)
	b.WriteString(g.text.String())
	b.WriteString("func main() {\n")
	for _, name := range g.names {
		b.WriteString("\t" + name + "()\n")
	}
	b.WriteString("}\n")
	return Program{Name: name, Source: b.String()}
}

// evaluationCalls change everything that the operands read.
var evaluationCalls = []string{"s.bump()", "bump()", "s.i2.bump()", "func() int { return s.bump() }()", "(*state).bump(s)",
	"s.bumps[0]()", "<-s.later()", "viaDefer(s)", "generic[int](s)", "inlined(s)", "s.two2()[1]"}

// evaluationOperands are integers that a call changes.
var evaluationOperands = []string{
	"x", "g", "s.n", "s.q.n", "*s.p", "s.a[1]", "s.sl[1]", "s.a[s.k]", "s.sl[s.k]", "s.m[1]", "s.ms[s.str]", "s.mi[int8(s.k)]",
	"(s.mp[point{s.k, 1}])", "s.st.v", "len(s.sl)", "cap(s.sl)", "s.i.(int)", "-s.n", "s.n + s.a[1]", "int(int32(s.n))",
	"s.aa[1][s.k]", "min(s.n, 99)", "len(s.str)", "int(s.str[0])", "len(s.sl[s.k:])", "s.sl[s.k:][0]", "(point{s.n, 1}.v)",
	"([2]int{s.n, 1}[s.k])", "(map[int]int{1: s.n}[1])", "func() int { return s.n }()", "s.fn(1)", "s.q.q.n", "(&point{s.n, 2}).v",
	"s.get()", "s.st.get()", "([]int{s.n, s.k}[0])", "(*s.pp).v", "s.q.st.w", "int(s.e)", "len([]byte(s.str))", "int([]byte(s.str)[0])",
	"int([]rune(s.str)[0])", "int(max(float64(s.n), s.fl))", "s.emb.z", "s.z", "s.big[s.k].v", "s.mst[s.k].v", "int(real(complex(s.fl, 1)))",
	"s.i3.(point).v", "s.arr1[0]", "s.ch2len()", "len(s.ch)", "int(int8(s.n))", "s.n << 1", "s.n / (s.k + 1)", "len(s.str + s.str)",
	"([...]int{s.sl[0], s.n}[0])", "*s.ptrs[s.k]", "s.pa[s.k]", "len(s.m)", "copy(s.tmp[:], s.sl)", "int(*(*uint8)(s.b))",
}

// evaluationTargets are places of integers.
var evaluationTargets = []string{
	"x", "g", "s.n", "s.a[s.k]", "s.sl[s.k]", "*s.p", "s.q.n", "s.m[s.n]", "s.ms[s.str]", "s.mi[int8(s.k)]", "(s.mp[point{s.k, 1}])",
	"s.aa[s.k][s.k]", "s.st.v", "s.q.st.w", "s.big[s.k].v", "s.a[s.idx()]", "s.sl[s.idx()]", "s.m[s.idx()]", "*s.ptrs[s.k]", "s.emb.z", "s.z",
	"s.q.q.n", "(*s.pp).v", "s.pa[s.k]", "s.nilq.n", "s.nilsl[s.k]", "s.nilm[s.k]", "*s.nilp", "s.sl[s.n]", "s.next().n", "s.next().sl[s.k]",
}

// expressionContexts use an operand and a call in one expression.
var expressionContexts = []string{
	"r = $A + $B", "r = $B + $A", "r = $A + $B + $A", "r = -($A) * $B", "r = f2($A, $B)", "r = f2($B, $A)", "r = f2($A + $B, $A)",
	"r, t = $A, $B", "r, t = $B, $A", "h := []int{$A, $B, $A}\nshow(h)", "h := [3]int{$A, $B}\nshow(h)", "h := point{$A, $B}\nshow(h)",
	"h := &point{w: $B, v: $A}\nshow(*h)", "h := map[int]int{$A: $B, 1000: $A}\nshow(h)", "h := map[int]int{1: $A, 2: $B, 3: $A}\nshow(h)",
	"ok = $A == $B", "ok = $A < $B", "ok = $A > 5 && $B > 0", "ok = $A < 5 || $B > $A", "r = bits($A > 5 && $B > 0) + $A", "show($A, $B)", "show(any($A), $B)",
	"show([]any{$A, $B, $A})", "println($A, $B)", "r = sum($A, $B, $A)", "r = sum(append([]int(nil), $A, $B)...)", "r = s.tab[($A+$B)%4]", "r = s.tab[($A)%4] + $B",
	"r = len(s.tab[($A)%2 : 2+$B%1])", "r = s.sl[$B%2] + $A", "r = pointOf(two($A, $B)).v", "ok = point{$A, 1} == point{$B, 1}", "ok = any($A) == any($B)",
	"r = min($A, $B) + $A", "r = (func() int { return $A }()) + $B", "v, k := any($A+$B).(int)\nr, ok = v, k", "r = s.m[$A] + s.m[$B]", "r = s.fn($A + $B)",
	"r = s.i2.take($A, $B)", "r = s.st.take($A, $B)", "r = s.next().take($A, $B)", "r = s.take(s.take($A, $B), $A)", "r = func(a, b int) int { return a*1000 + b }($A, $B)",
	"show(string(rune(64+($A)%50)) + s.text($B))", "show(wide{$A, $B, s.sl})", "r = int(int64($A) - int64($B))", "show(struct{ a any; b int }{$A, $B})",
	"show(append(s.sl[:1], $A, $B))", "r = generic2($A, $B)", "x = $A + $B", "x = $A - $B*$A", "r = tuple3($A, $B, s)", "r = ($A ^ $B) &^ $A", "r = f2(f2($A, 1), f2(2, $B))",
	"ok = $A == s.now($B, func() int { return $A })", "ok = point{$A, 1} == point{s.now($B, func() int { return $A }), 1}", "ok = [1]int{$A} == [1]int{s.now($B, func() int { return $A })}", "ok = any($A) == any(s.now($B, func() int { return $A }))", "ok = any($A) == s.now($B, func() int { return $A })", "ok = any(point{$A, 1}) == point{s.now($B, func() int { return $A }), 1}", "ok = one{$A} == one{s.now($B, func() int { return $A })}", "ok = any(s.now($B, func() int { return $A })) == $A",
}

// operandContexts have operands that are no integers.
var operandContexts = []string{
	"show(s.st, $B)", "show(s.str, $B)", "show(s.fl, $B)", "show(s.mst[1], $B)", "show(s.sl, $B)", "show(s.i, $B)", "show(s.a, $B)", "show(s.e, $B)", "show(point(s.st), $B)",
	"show([1]int{s.n}, $B)", "show(point{s.n, 1}, $B)", "show(one{s.n}, $B)", "show(text{s.str}, $B)", "show(s.small, $B)", "show(s.b8, $B)", "show(int16(s.n), $B)", "show(uint8(s.n), $B)",
	"show(s.k == 1, $B)", "show(s.next() != nil, s.n, $B)", "show(s.i3, $B)", "ok = s.st == point{$B, 1}", "ok = s.mst[1] == point{$B, 1}", "ok = s.a == [4]int{$B}", "ok = s.i == any($B)",
	"ok = s.i3 == s.pointIs($B)", "ok = s.str == s.text($B)", "ok = any(s.st) == s.pointIs($B)", "ok = s.sl == nil || $B > 0", "ok = s.pp == s.ppIs($B)",
	"show(s.str + s.text($B))", "show(s.str + \"a\" + s.text($B) + s.str)", "show(string(s.bytes) + s.text($B))", "show([]byte(s.str), $B)", "show(string(s.bytes), $B)", "show([]rune(s.str), $B)",
	"show(s.str[s.k:], $B)", "show(s.sl[s.k:s.k+1], $B)", "show(s.a[s.k:], $B)", "show(s.pa[:], $B)", "show(append(s.sl, $B))", "show(append(s.sl[:1], s.n, $B))", "s.sl = append(s.sl, $B)", "s.sl = append(s.sl, s.n, $B)",
	"s.m2[s.k] = append(s.m2[s.k], $B)", "s.m2[s.k] = append(s.m2[s.k], s.n, $B)", "s.slsl[s.k] = append(s.slsl[s.k], $B)", "show(append(s.slsl[s.k], s.slsl[$B%2]...))", "show(copy(s.a[s.k:], s.later2($B)))",
	"r = s.fn($B)", "r = s.q.fn($B)", "r = s.next().fn($B)", "r = s.next().q.fn($B)", "r = s.fns[s.k]($B)", "r = s.mf[s.k]($B)", "r = s.st.add($B)", "r = s.q.st.add($B)", "r = s.pp.add($B)", "r = s.next().st.add($B)",
	"r = s.next().q.st.add($B)", "r = s.next().pp.add($B)", "r = s.i2.take(1, $B)", "r = s.next().i2.take(1, $B)", "r = s.next().q.i2.take(1, $B)", "r = s.st.ptr($B)", "r = s.q.st.ptr($B)", "r = s.next().q.st.ptr($B)", "r = s.emb.addEmb($B)", "r = s.addEmb($B)",
	"r = s.big[s.k].add($B)", "r = s.mst[s.k].add($B)", "r = s.aa2[s.k].add($B)", "h := s.st.add\nr = h($B)", "h, k := s.st.add, $B\nr = h(k)", "h, k := s.st.ptr, $B\nr = h(k)", "h, k := s.i2.take, $B\nr = h(1, k)",
	"show(*s.pp, $B)", "show(s.pp.v, s.q.st, $B)", "h, k := &s.q.st, $B\nshow(*h, k)", "h, k := &s.sl[s.k], $B\nshow(*h, k)", "h, k := s.pp, $B\nshow(*h, k)", "h, k := s.i3.(point), $B\nshow(h, k)", "h, k := s.i.(any), $B\nshow(h, k)", "h, k := s.ip.(*point), $B\nshow(*h, k)",
	"show(len(s.str) + s.n + $B)", "h, k := []any{s.n, s.st, s.str, s.fl, s.e}, $B\nshow(h, k)", "h, k := [2]any{s.st, s.mst[1]}, $B\nshow(h, k)", "show(map[string]any{\"a\": s.st, \"b\": $B, \"c\": s.st})", "show(map[point]int{s.st: $B, {1, 1}: s.n})", "show(map[any]any{s.n: $B, -1: s.mst[1]})",
	"show([]point{s.st, {s.n, $B}, {$B, s.n}})", "show([]*point{{s.n, $B}}[0].v)", "show(two(s.n, $B))", "r, t = two(s.n, $B)", "show(s.ms[s.str], $B)", "show(s.mi[int8(s.n)], $B)", "v, k := s.m[$B]\nshow(v, k, s.n)", "show(s.mif[s.i], $B)", "r = s.mif[s.n] + $B", "r = s.mif[s.st] + $B", "r = s.mbig[s.k][1] + $B",
	"h := func(a any, b int) { show(a, b) }\nh(s.st, $B)", "s.i, r = s.st, $B", "s.i, r = s.mst[1], $B", "s.i = s.st\nshow(s.i, $B)", "complexes(complex(s.fl, 1), $B)", "show(s.h.Load(), s.n, $B)", "show(s.n, s.h.Add(1), s.n)", "show(-s.fl, !s.b8, ^s.n, $B)", "show(s.n, (<-s.ch)+$B, s.n)",
	"show(s.n, func() int { s.n++; return s.n }(), s.n, func() int { s.n *= 2; return s.n }())", "show(max(s.fl, float64($B)), s.fl)", "show(new(point).v + s.n + $B)", "show(len(make([]int, s.k)), $B)", "show(len(append(s.sl, s.sl...)), $B)",
}

// targetContexts assign beside a call.
var targetContexts = []string{
	"$L = $B", "$L = $A + $B", "$L += $B", "$L -= $B + $A", "$L, r = $A, $B", "r, $L = $A, $B", "r, $L = $B, $A", "$L, r = two($A, $B)", "r, $L = two($B, $A)", "$L, ok = s.m[$B]", "$L, ok = any($A + $B).(int)", "$L, ok = <-s.laterWith($B)", "$L = s.m[$B]", "$L = <-s.laterWith($B)",
	"$L = s.sl[$B%2]", "$L = min($B, $A)", "$L |= $B & $A", "$L = func() int { return $B }()", "for $L = range $B%3 {\n\tr++\n}", "for r, $L = range []int{$B, $A} {\n\tt++\n}", "$L, s.n = s.n, $B", "s.n, $L = $B, s.n", "$L *= $A", "$L <<= $B % 3", "$L, s.k = $B, $B", "s.k, s.sl, $L = 0, nil, $B",
}

// statementContexts use an operand and a call in a statement.
var statementContexts = []string{
	"if $A < $B {\n\tr = 1\n}", "if t := $A + $B; t > $A {\n\tr = t\n} else if $A != $B {\n\tr = 2\n}", "if $B > 0 && $A == $B {\n\tr = 1\n} else if q := $A; q < $B {\n\tr = q\n}", "for i := 0; $A+$B < 400 && i < 3; i++ {\n\tr += i + 1\n\tif i == 1 {\n\t\tcontinue\n\t}\n}",
	"for i := $A; i < $A+$B%5; i += $B {\n\tr++\n\tif r > 3 {\n\t\tbreak\n\t}\n}", "switch $A {\ncase $B:\n\tr = 1\ncase $A, $A + $B - $B:\n\tr = 2\n\tfallthrough\ndefault:\n\tr += 3\n}", "switch {\ncase $A > $B:\n\tr = 1\ndefault:\n\tr = 4\ncase $A < $B, $B < $A:\n\tr = 2\n}",
	"switch $B {\ncase $A:\n\tr = 1\ncase $A + 1:\n\tr = 2\n}", "switch $A + $B {\ncase 0:\ndefault:\n\tr = $A\n}", "switch v := any($A + $B).(type) {\ncase int:\n\tr = v\n}", "select {\ncase s.ch <- $A + $B:\ndefault:\n}\nr = <-s.drained()", "s.ch <- $A + $B\nr = <-s.drained()", "s.ch <- $B\nshow(len(s.ch))",
	"func() { defer show($A, $B); s.n = 7 }()", "func() { defer s.st.shows($B); s.st.v = 7 }()", "done := make(chan int)\ngo send(done, $A, $B)\nr = <-done", "r, t = func() (int, int) { return $A, $B }()", "r, t = func() (int, int) { return $B, $A }()", "r, t = func() (a, b int) { a = 5; return a, $A + $B }()",
	"r, t = func() (a, b int) { a = $A; return a, $B }()", "r, t = func() (a, b int) { a, b = 1, 2; return b, a + $A + $B }()", "r, t = func() (a, b int) { defer func() { a += 1000 }(); return $A, $B }()", "r = func() (a int) { defer func() { recover(); a++ }(); a = 3; return $A + $B/(a-3) }()",
	"r = func() (a int) { defer func() { recover(); a++ }(); a = 3; return a }()", "show(func() (a any, err error) { return $A + $B, nil }())", "var v, w = $A, $B\nr, t = v, w", "var v, w any = $A, $B\nshow(v, w)", "var (\n\tv = $A + $B\n\tw = v + $A\n)\nr, t = v, w",
	"for i, v := range [2]int{$A, $B} {\n\tr, t = r+i, t+v\n}", "for range s.sl[:$A%2+$B%1] {\n\tr++\n}", "for i := range $A%3 + $B%3 {\n\tr += i\n}", "for v := range s.seq($A, $B) {\n\tr = r*7 + v\n}", "s.a[$B%4]++\nr = $A", "s.sl[s.k+$B%1]++", "s.sl[$B%2] += $A",
	"L:\n\tfor i := 0; i < 3; i++ {\n\t\tswitch $A + $B {\n\t\tcase 0:\n\t\tdefault:\n\t\t\tr++\n\t\t\tcontinue L\n\t\t}\n\t}", "i := 0\nL:\n\tfor range s.sl[:$A%2+$B%1] {\n\t\tif i++; i < 3 {\n\t\t\tgoto L\n\t\t}\n\t\tbreak L\n\t}\n\tr = i", "L:\n\tr = $A + $B\n\tif t++; t < 3 {\n\t\tgoto L\n\t}", "delete(s.m, $A+$B-$B)\nr = len(s.m)",
	"copy(s.tmp[$A%2:], s.later2($B))\nshow(s.tmp)", "panic($A + $B)", "panic(point{$A, $B})", "clear(s.sl[$A%2 : 1+$A%2+$B%1])\nshow(s.sl)", "h := func() (int, int) { return $A, $B }\nr, t = h()", "func() {\n\tfor ; r < 3; r++ {\n\t\tif $A > 20 && $B > 0 {\n\t\t\tbreak\n\t\t}\n\t}\n}()", "print($A, \" \", $B, \"\\n\")",
	"type local struct{ a, b int }\nv := local{b: $A, a: $B}\nr, t = v.a, v.b", "s.st, s.n = point{$A, $B}, $A", "*s.pp = point{$A, $B}", "s.next().st = point{$A, $B}", "s.mst[s.k] = point{$A, $B}", "s.i = point{$A, $B}", "s.q = &state{n: $A, k: $B}\nr, t = s.q.n, s.q.k", "select {\ncase s.nilch <- $A + $B:\ncase v := <-s.laterWith($A + $B):\n\tr = v\n}", "select {\ncase s.next().ch <- $A + $B:\ncase v := <-s.nilch:\n\tr = v\n}\nr = <-s.drained()",
}

// evaluationPrelude declares what the contexts use. Every field that an operand reads
// is changed by bump, to something that can be told from what it was.
const evaluationPrelude = `package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

type point struct{ v, w int }

type one struct{ v int }

type text struct{ s string }

type wide struct {
	v, w int
	sl   []int
}

type small struct{ a, b int8 }

type embedded struct{ z int }

type number int

type doer interface {
	bump() int
	take(a, b int) int
}

type state struct {
	embedded
	emb    embedded
	n, k   int
	x      *int
	a      [4]int
	aa     [2][2]int
	aa2    [2]point
	arr1   [1]int
	pa     *[2]int
	sl     []int
	slsl   [][]int
	p      *int
	ptrs   []*int
	q      *state
	nilq   *state
	nilsl  []int
	nilm   map[int]int
	nilp   *int
	st     point
	pp     *point
	big    []point
	m      map[int]int
	m2     map[int][]int
	ms     map[string]int
	mi     map[int8]int
	mp     map[point]int
	mst    map[int]point
	mif    map[any]int
	mbig   map[int][40]int
	mf     map[int]func(int) int
	i      any
	i2     doer
	i3     any
	ip     any
	fn     func(int) int
	fns    []func(int) int
	bumps  []func() int
	str    string
	bytes  []byte
	fl     float64
	e      number
	small  small
	b8     bool
	ch     chan int
	nilch  chan int
	tab    [4]int
	tmp    [4]int
	b      unsafe.Pointer
	h      atomic.Int64
	rounds int
}

var g int

func fresh(x *int) *state {
	s := &state{x: x, ch: make(chan int, 8), tab: [4]int{3, 5, 7, 11}}
	s.ch <- 77
	s.set(1)
	return s
}

// set gives everything values that belong to round i.
func (s *state) set(i int) {
	inner := &state{n: 100*i + 1, st: point{100*i + 2, 100*i + 3}, fn: func(j int) int { return 100000*i + j }}
	inner.q, inner.pp, inner.i2, inner.sl = &state{n: 100*i + 4}, &point{100 * i, 1}, other{i}, []int{i, i}
	*s.x, g, s.n, s.k = 10*i+1, 10*i+2, 10*i+3, i%2
	s.z, s.emb.z = 10*i+4, 10*i+5
	s.a, s.aa, s.aa2, s.arr1 = [4]int{i, 2 * i, 3 * i, 4 * i}, [2][2]int{{i, i + 1}, {i + 2, i + 3}}, [2]point{{i, 1}, {i, 2}}, [1]int{10*i + 6}
	s.pa, s.sl, s.slsl = &[2]int{10 * i, 20 * i}, []int{10*i + 7, 10*i + 8, i, i}[:1+i%2+1], [][]int{{i}, {i, i}}
	s.p, s.ptrs, s.q = value(10*i+9), []*int{value(i), value(-i)}, inner
	s.st, s.pp, s.big = point{20*i + 1, 20*i + 2}, &point{20*i + 3, 20*i + 4}, []point{{20*i + 5, i}, {20*i + 6, i}}
	s.m, s.m2, s.ms, s.mi = map[int]int{1: 20*i + 7, i + 7: 1}, map[int][]int{0: {i}, 1: {i, i}}, map[string]int{"s1": 20*i + 8, "s2": 20*i + 9, "s3": 1}, map[int8]int{0: 30 * i, 1: 30*i + 1}
	for j := range i {
		s.m[50+j] = j
	}
	s.mp, s.mst, s.mif = map[point]int{{0, 1}: 30*i + 2, {1, 1}: 30*i + 3}, map[int]point{0: {30*i + 4, 1}, 1: {30*i + 5, 2}}, map[any]int{10*i + 3: i, s.st: 2 * i}
	s.mbig, s.mf = map[int][40]int{0: {1: i}, 1: {1: 10 * i}}, map[int]func(int) int{0: func(j int) int { return i + j }, 1: func(j int) int { return i - j }}
	s.i, s.i3, s.ip = 30*i+6, point{30*i + 7, 30*i + 8}, &point{30*i + 9, i}
	s.fn, s.fns = func(j int) int { return 1000*i + j }, []func(int) int{func(j int) int { return 2000*i + j }, func(j int) int { return 3000*i + j }}
	s.str, s.bytes, s.fl, s.e = "s1s2s3s4"[2*(i-1)%8:][:min(2*i, 8-2*(i-1)%8)], []byte{byte('a' + i)}, float64(i)+0.5, number(40*i)
	s.small, s.b8, s.tmp = small{int8(i), 1}, i%2 == 0, [4]int{i}
	s.i2 = s
	s.bumps = []func() int{s.bump}
	u := uint8(i)
	s.b = unsafe.Pointer(&u)
	s.rounds = i
}

func value(i int) *int { return &i }

func (s *state) bump() int {
	s.set(s.rounds + 1)
	return s.rounds * 7
}

type other struct{ i int }

func (o other) bump() int         { return o.i }
func (o other) take(a, b int) int { return o.i*10000 + a*100 + b }

func (s *state) take(a, b int) int { return a*1000 + b + s.n }
func (s *state) get() int          { return s.n }
func (s *state) idx() int          { return s.bump() % 2 }
func (s *state) next() *state      { s.set(s.rounds + 1); s.q.ch = s.ch; return s.q }
func (s *state) ch2len() int       { return len(s.ch) + s.k }
func (s *state) two2() []int       { return []int{1, s.bump()} }
func (s *state) text(i int) string { return fmt.Sprint(i) }
func (s *state) pointIs(i int) any { return point{i, 1} }
func (s *state) ppIs(int) *point   { return s.pp }
func (s *state) later2(i int) []int { return []int{i, i + 1} }
func (s *state) later() chan int   { c := make(chan int, 1); c <- s.bump(); return c }
func (s *state) laterWith(i int) chan int {
	c := make(chan int, 1)
	c <- i
	return c
}
func (s *state) drained() chan int {
	c := make(chan int, 1)
	r := 0
	for len(s.ch) > 0 {
		r = r*31 + <-s.ch
	}
	c <- r
	return c
}
func (s *state) seq(a, b int) func(func(int) bool) {
	return func(yield func(int) bool) { _ = yield(a) && yield(b) && yield(s.n) }
}

func (p point) get() int        { return p.v }
func (p point) add(i int) int   { return p.v*1000 + i }
func (p *point) ptr(i int) int  { return p.v*1000 + i }
func (p point) take(a, b int) int { return p.v*10000 + a*100 + b }
func (p point) shows(i int)     { show(p, i) }
func (e embedded) addEmb(i int) int { return e.z*1000 + i }

func (s *state) now(_ int, f func() int) int { return f() }

func viaDefer(s *state) (r int) {
	defer func() { r = s.bump() }()
	return 0
}
func generic[T any](s *state) int  { return s.bump() }
func generic2[T any](a, b T) T     { show(a, b); return b }
func inlined(s *state) int         { return s.bump() + 1 }
func f2(a, b int) int              { return a*1000 + b }
func bits(b bool) int {
	if b {
		return 1
	}
	return 0
}
func sum(list ...int) (r int) {
	for _, v := range list {
		r = r*100 + v
	}
	return r
}
func two(a, b int) (int, int)          { return a, b }
func pointOf(a, b int) point           { return point{a*1000 + b, 0} }
func tuple3(a, b int, s *state) int    { return a*1000 + b + s.n }
func complexes(c complex128, i int)    { show(real(c), i) }
func send(c chan int, a, b int)        { c <- a*1000 + b }
func show(list ...any)                 { fmt.Println(list...) }

func end(what string, s *state, r, t *int, ok *bool) {
	if p := recover(); p != nil {
		fmt.Println("panic:", p)
	}
	fmt.Println(what, "=>", *r, *t, *ok, "|", *s.x, g, s.n, s.k, s.a, s.aa, s.sl, *s.p, s.q.n, s.q.st, s.q.sl, s.m, s.ms, s.mi, s.mp, s.st, *s.pp, s.big, s.z, s.emb, *s.pa, s.mst, s.m2, s.slsl, s.i)
}

`
