// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"strings"
)

// Accesses is a program whose functions each read in one way while a goroutine writes in
// another: which of them race is what the expressions access, no more and no less. With
// native set it calls all of them, and says on standard error which one begins; otherwise it
// chooses one.
func Accesses(native bool) (source string, names []string) {
	var b, calls strings.Builder
	b.WriteString(accessPrelude)
	if !native {
		b.WriteString("func begin(int) {}\n\n")
	} else {
		b.WriteString("func begin(i int) { println(\"begin\", i) }\n\n")
	}
	for _, read := range accessReads {
		for _, write := range accessWrites {
			i := len(names)
			names = append(names, read+" | "+write)
			fmt.Fprintf(&b, "func p%d() {\n\tw, n, done := fresh(), 0, make(chan bool)\n\tbegin(%d)\n\tgo func() { %s; done <- true }()\n\t%s\n\t_ = n\n\t<-done\n}\n\n", i, i, write, read)
			fmt.Fprintf(&calls, "\t\tcase %d:\n\t\t\tp%d()\n", i, i)
		}
	}
	choice := "{\n\t\ti := mark.Choose(%d)\n"
	if native {
		choice = "for i := range %d {\n"
	}
	fmt.Fprintf(&b, "func main() {\n\t_ = mark.Choose\n\t"+choice+"\t\tswitch i {\n%s\t\t}\n\t}\n}\n", len(names), calls.String())
	return b.String(), names
}

// accessReads use n for what they read.
var accessReads = []string{
	"for i := range w.arr { n += i }", "for range w.arr { n++ }", "n = len(w.arr)", "n = cap(w.arr)", "n = len(w.pa)", "for i := range w.pa { n += i }", "for range *w.pa { n++ }",
	"_ = w.q.a", "_ = w.q", "_ = *w.p", "n = w.q.a", "q := w.q; n = q.a", "n = w.arr[1]", "n = w.arr[w.k]", "n = (&w.q).b", "n = w.p.a", "n = (*w.p).b", "q := *w.p; n = q.a",
	"n = w.q.get()", "n = w.p.get()", "f := w.q.get; n = f()", "f := w.q.ptr; _ = f", "p := &w.q; _ = p", "p := &w.arr[1]; _ = p", "p := &w.p.b; _ = p", "sl := w.arr[:]; n = len(sl)", "sl := w.pa[:]; n = len(sl)",
	"n = len(w.sl)", "n = cap(w.sl)", "n = w.sl[0]", "sl := w.sl[:1]; n = cap(sl)", "for i := range w.sl { n += i }", "for _, v := range w.arr { n += v }", "for _, v := range w.sl { n += v }", "for _, v := range w.pa { n += v }",
	"var i any = w.q; _ = i", "n = len(w.str)", "b := w.i == nil; _ = b", "v, ok := w.i.(int); n = v; _ = ok", "v := *w; n = v.k", "n = w.emb.z", "n = w.z", "n = len(w.m)", "n = w.m[1]", "m := w.m; _ = m",
	"var dst [2]int; n = copy(dst[:], w.arr[:])", "a := w.arr; n = a[0]", "switch w.q.a { case 1: n = 1 }", "func() { n = w.q.a }()", "n = min(w.q.a, 2)", "defer w.q.ptr()", "defer w.q.get()", "n = id(w.q).b", "p := w.p; n = p.a", "w.q.a = 5", "w.arr[w.k] = 2", "w.q.a, w.q.b = w.q.b, w.q.a",
	"n = func() (r int) { defer func() { r += w.q.a }(); return w.q.b }()", "n += w.aa[1][0]", "a := w.aa[1]; n = a[0]", "for i := range w.aa[1] { n += i }", "for i := range w.aa { n += len(w.aa[i]) }", "sl := append(w.sl[:0:0], w.arr[0]); n = len(sl)",
}

var accessWrites = []string{
	"w.arr[0] = 1", "w.arr[1]++", "w.q.a = 2", "w.q.b++", "w.q = pair{}", "w.p = &pair{}", "w.p.b = 3", "w.sl = []int{1, 2}", "w.sl[0] = 3", "w.pa = &[2]int{}", "w.pa[1] = 2", "w.k = 0", `w.str = "x"`, "w.i = 3",
	"w.z = 2", "w.emb.z = 2", "w.m = map[int]int{}", "w.m[1] = 2", "w.aa[1][0] = 3", "w.aa[0][0] = 3",
}

const accessPrelude = `package main

import "pangolin/mark"

type pair struct{ a, b int }

func (p pair) get() int  { return p.a }
func (p *pair) ptr() int { return 0 }

type embedded struct{ z int }

type world struct {
	embedded
	emb embedded
	arr [2]int
	aa  [2][2]int
	pa  *[2]int
	q   pair
	p   *pair
	sl  []int
	k   int
	str string
	i   any
	m   map[int]int
}

func fresh() *world {
	return &world{pa: &[2]int{}, p: &pair{}, sl: make([]int, 2, 4), m: map[int]int{}}
}

func id(p pair) pair { return p }

`
