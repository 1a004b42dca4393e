// SPDX-License-Identifier: BSD-3-Clause

package harness_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/harness"
	"pangolin/internal/recognise"
)

// carried are types of values with which a harness is compiled and executed by Go itself: what goes in as a number comes out as the same
// number, or at least no two as one.
var carried = []string{"int", "int8", "uint8", "uint32", "uint64", "float64", "string", "Name", "*int", "any", "pair", "*pair", "[2]int", "[]int", "map[string]int", "nested"}

// digested are those whose content comes out as another number, but each as its own.
var digested = map[string]bool{"[]int": true, "map[string]int": true}

// carrier is a type with a cell for each of them.
func carrier(all []string) (text string, ops []string) {
	text = "package main\n\ntype Name string\n\ntype pair struct {\n\tA int\n\tB string\n}\n\ntype nested struct {\n\tP pair\n\tQ [2]uint8\n}\n\ntype T struct {\n"
	for i, typ := range all {
		text += fmt.Sprintf("\tv%d %s\n", i, typ)
	}
	text += "}\n\nfunc NewT() *T { return new(T) }\n"
	for i, typ := range all {
		text += fmt.Sprintf("\nfunc (t *T) Set%d(v %s) { t.v%[1]d = v }\nfunc (t *T) Get%[1]d() %s { return t.v%[1]d }\n", i, typ, typ)
		ops = append(ops, fmt.Sprint("Set", i), fmt.Sprint("Get", i))
	}
	return text, ops
}

// withoutCode finds functions that the machine executes: which object a pointer is, a number made of many.
var withoutCode = regexp.MustCompile(`(?m)^(func .*int)$`)

func TestSource_CarriesEachNumberThere(t *testing.T) {
	all := carried
	text, ops := carrier(all)
	pkg := check(t, text+"\nfunc main() {}\n")
	found, err := recognise.Find(pkg, collection.Overrides{Type: "T", Ops: ops, Oracle: collection.SelfOracle})
	if err != nil {
		t.Fatal(err)
	}
	_, src, roots, err := harness.Source(pkg, found[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(roots) != 1+len(ops) {
		t.Fatalf("%d functions for %d operations", len(roots), len(ops))
	}
	text += "\nfunc main() {\n\tc := pangolinNew()\n\tfor x := 1; x < 6; x++ {\n"
	for i := range all {
		text += fmt.Sprintf("\t\tpangolinOp%d(c, x)\n\t\tprintln(%d, x, first(pangolinOp%d(c)))\n", 2*i, i, 2*i+1)
	}
	// Of what may be nil there are more words: whether it is, and which object it is.
	text += "\t}\n}\n\nfunc first(words ...int) int { return words[0] }\n"
	lines := printed(t, text, src)
	if len(lines) != 5*len(all) {
		t.Fatalf("%d lines\n%s", len(lines), lines)
	}
	seen := map[string]bool{}
	for _, line := range lines {
		var i, x, y int
		if n, err := fmt.Sscan(line, &i, &x, &y); n != 3 {
			t.Fatal(line, err)
		}
		if x != y && !digested[all[i]] {
			t.Errorf("a %s: %d goes in, %d comes out", all[i], x, y)
		}
		if seen[fmt.Sprint(i, " ", y)] {
			t.Errorf("a %s: two numbers come out as %d", all[i], y)
		}
		seen[fmt.Sprint(i, " ", y)] = true
	}
}

// printed lists the lines that Go prints where it executes a program with a harness.
func printed(t *testing.T, program string, src []byte) []string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module made\n\ngo 1.24\n", "main.go": program, "harness.go": withoutCode.ReplaceAllString(string(src), "$1 { return 0 }")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-gcflags=-N -l", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, src)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// What gives the largest first is given less for a larger number, and what it gives comes out as the number that went in.
func TestSource_GoesDownForTheLargest(t *testing.T) {
	for typ, less := range map[string]string{"int": "v < w", "int8": "v < w", "uint8": "v < w", "uint32": "v < w", "uint64": "v < w", "float64": "v < w", "item": "v.A < w.A && v.B < w.B", "*item": "v.B < w.B"} {
		text := fmt.Sprintf(`package main

type item struct { A int; B uint8; Name string }

func less(v, w %s) bool { return %s }

type Heap struct { last %[1]s; down int }

func (h *Heap) Insert(v %[1]s) {
	if h.down == 0 || less(v, h.last) {
		h.down++
	}
	h.last = v
}

func (h *Heap) DeleteMax() (%[1]s, bool) { return h.last, true }
`, typ, less)
		pkg := check(t, text+"\nfunc main() {}\n")
		found, err := recognise.Find(pkg, collection.Overrides{Type: "Heap", Fewer: collection.Fewer{Together: true}})
		if err != nil || found[0].Oracle.IsSelf() {
			t.Fatal(typ, err, found[0].Reason)
		}
		_, src, _, err := harness.Source(pkg, found[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		text += "\nfunc first(words ...int) int { return words[0] }\n\nfunc main() {\n\th := pangolinNew()\n\tfor x := range 8 {\n\t\tpangolinOp0(h, x)\n\t\tprintln(x, first(pangolinOp1(h)), h.down)\n\t}\n}\n"
		for x, line := range printed(t, text, src) {
			if want := fmt.Sprint(x, x, x+1); line != want {
				t.Errorf("a %s, number %d: %s, want %s", typ, x, line, want)
			}
		}
	}
}

// The whole file for a counter, as a reader would write it.
func TestSource_IsPlainForACounter(t *testing.T) {
	pkg := check(t, "package p\n\ntype Counter struct{ n int }\n\nfunc (c *Counter) Inc() { c.n++ }\nfunc (c *Counter) Get() int { return c.n }\n")
	found, err := recognise.Find(pkg, collection.Overrides{Type: "Counter"})
	if err != nil {
		t.Fatal(err)
	}
	name, src, roots, err := harness.Source(pkg, found[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `// Code generated by pangolin. DO NOT EDIT.

package p

func pangolinNew() *Counter {
	c := new(Counter)
	return c
}

func pangolinOp0(c *Counter) (r0 int) {
	v0 := c.Get()
	r0 = v0
	return r0
}

func pangolinOp1(c *Counter) {
	c.Inc()
}
`
	if string(src) != want || name != "pangolin_harness.go" || strings.Join(roots, " ") != "pangolinNew pangolinOp0 pangolinOp1" {
		t.Errorf("%s %s:\n%s\nwant\n%s", name, roots, src, want)
	}
}

func TestSource_WritesWhatATypeNeeds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a constructor that fails panics", "type T struct{}\nfunc NewT() (*T, error) { return nil, nil }\nfunc (t *T) Push(x int) {}\nfunc (t *T) Pop() (int, bool) { return 0, false }", `panic("the constructor returns an error: " + err.Error())`},
		{"a lock guards a plain counter", "type T struct{}\nfunc (t *T) Lock() {}\nfunc (t *T) Unlock() {}", "c.inner.Lock()\n\tc.calls = (c.calls + 1) % 16\n\tr0 = c.calls\n\tc.inner.Unlock()"},
		{"a truth value is a bit", "type T struct{ n int }\nfunc (t *T) Set(on bool) {}\nfunc (t *T) Get() bool { return false }", "c.Set(a0&1 != 0)"},
		{"a value is taken by its address", "type T struct{ p *int }\nfunc NewT() T { return T{} }\nfunc (t T) Push(x int) {}\nfunc (t T) Pop() (int, bool) { return 0, false }", "return &c"},
		{"type parameters are ints", "type T[E any] struct{}\nfunc NewT[E any]() *T[E] { return nil }\nfunc (t *T[E]) Push(x E) {}\nfunc (t *T[E]) Pop() (E, bool) { var e E; return e, false }", "NewT[int]()"},
	} {
		pkg := check(t, "package p\n"+c.text)
		found, err := recognise.Find(pkg, collection.Overrides{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, src, _, err := harness.Source(pkg, found[0], nil)
		if err != nil || !strings.Contains(string(src), c.want) {
			t.Errorf("%s: %v\n%s\nwant %s", c.name, err, src, c.want)
		}
	}
}
