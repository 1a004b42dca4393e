// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/front"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// What package fmt prints of reflect's own values: each value with each verb is as the compiled program has it, or refused.

// printedValues are expressions.
var printedValues = []string{
	"reflect.ValueOf(7)", "reflect.ValueOf(\"s\")", "reflect.ValueOf(N(3))", "reflect.ValueOf(S{1, 2, nil, 3, \"x\"})", "reflect.ValueOf(&S{A: 1, E: 2})",
	"reflect.ValueOf(S{}).Field(0)", "reflect.ValueOf(S{1, 2, nil, 3, \"x\"}).Field(1)", "reflect.ValueOf(S{1, 2, 5, 3, \"x\"}).Field(2)", "reflect.ValueOf(&ptr).Elem().Elem()",
	"reflect.ValueOf(emb{}).Field(0)", "reflect.ValueOf(emb{&t{A: 2}}).Field(0)", "reflect.ValueOf(&any1).Elem()", "reflect.ValueOf(&any2).Elem()", "reflect.ValueOf(&any3).Elem()",
	"reflect.ValueOf([]byte(\"ab\"))", "reflect.ValueOf([]byte(nil))", "reflect.ValueOf([2]byte{1, 2})", "reflect.ValueOf([]N{1, 2})", "reflect.ValueOf(&[]N{1, 2})",
	"reflect.ValueOf(map[N]P{1: 2})", "reflect.ValueOf(errors.New(\"bad\"))", "reflect.ValueOf(nil)", "reflect.Value{}", "reflect.ValueOf((*int)(nil))", "reflect.ValueOf(p1)", "reflect.ValueOf(&p1).Elem()",
	"reflect.ValueOf(G{1})", "reflect.ValueOf(2.5)", "reflect.ValueOf(true)", "reflect.ValueOf(1+2i)", "reflect.ValueOf(struct{}{})", "reflect.ValueOf((chan int)(nil))", "reflect.ValueOf((func())(nil))",
	"reflect.ValueOf(reflect.ValueOf(7))", "reflect.ValueOf(reflect.TypeOf(7))", "reflect.ValueOf(reflect.Int)", "reflect.ValueOf(reflect.TypeOf(S{}).Field(0))",
	"func() *reflect.Value { v := reflect.ValueOf(7); return &v }()", "&reflect.Value{}", "[]reflect.Value{reflect.ValueOf(7), {}, reflect.ValueOf(\"s\"), reflect.ValueOf(&S{})}",
	"holder{V: reflect.ValueOf(N(7)), T: reflect.TypeOf(N(7)), K: reflect.Map}", "&holder{}", "hidden{v: reflect.ValueOf(7)}", "hidden{t: reflect.TypeOf(7)}", "hidden{k: reflect.Int}", "hidden{f: reflect.TypeOf(S{}).Field(1)}",
	"map[string]reflect.Value{\"a\": reflect.ValueOf(7)}", "map[reflect.Kind]reflect.Type{reflect.Int: reflect.TypeOf(7)}", "map[reflect.Type]int{reflect.TypeOf(7): 1}",
	"map[reflect.Type]int{reflect.TypeOf(7): 1, reflect.TypeOf(\"\"): 2}", "[]any{reflect.ValueOf(N(7)), reflect.TypeOf(N(7)), reflect.Uint}", "[1]any{reflect.ValueOf([]N{1})}",
	"reflect.TypeOf(7)", "reflect.TypeOf(S{})", "reflect.TypeOf(&S{})", "reflect.TypeOf(nil)", "reflect.TypeFor[error]()", "reflect.TypeFor[map[string][]*S]()",
	"[]reflect.Type{reflect.TypeOf(7), nil}", "func() *reflect.Type { t := reflect.TypeOf(7); return &t }()",
	"reflect.Int", "reflect.Kind(99)", "func() *reflect.Kind { k := reflect.Slice; return &k }()", "reflect.BothDir", "reflect.StructTag(`a:\"b\"`)",
	"reflect.TypeOf(S{}).Field(0)", "reflect.TypeOf(S{}).Field(1)", "func() *reflect.StructField { f := reflect.TypeOf(S{}).Field(2); return &f }()", "[]reflect.StructField{reflect.TypeOf(S{}).Field(4)}", "reflect.StructField{}", "reflect.Method{}",
	"&reflect.ValueError{Method: \"m\", Kind: reflect.Int}", "reflect.ValueError{Method: \"m\", Kind: reflect.Int}", "reflect.ValueOf(map[int]int{1: 2}).MapRange()", "*reflect.ValueOf(map[int]int{1: 2}).MapRange()", "reflect.MapIter{}",
	"reflect.ValueOf(map[string]N{\"a\": 1}).MapKeys()", "reflect.ValueOf(S{1, 2, nil, 3, \"x\"}).Interface()", "reflect.ValueOf(&lone{5}).Elem()", "reflect.ValueOf(&outer{}).Elem().Field(0)", "reflect.ValueOf(&outer{G: []lone{{1}}}).Elem().Field(1).Index(0)",
	"reflect.New(reflect.TypeFor[lone]()).Elem()", "reflect.Zero(reflect.TypeFor[[]N]())", "zero(1)", "reflect.ValueOf(zero(1))", "&[]N{1, 2}", "&map[N]N{1: 2}", "reflect.ValueOf(panics(1))", "reflect.ValueOf((*panicking)(nil))",
}

var printedVerbs = []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q", "%T", "%t", "%p", "%w", "%8.3v|", "%-6d|", "%g", "%U"}

const printingProgram = `package main

import (
	"errors"
	"fmt"
	"reflect"
)

var _, _ = errors.New, reflect.TypeOf

type N int

func (n N) String() string { return fmt.Sprint("N#", int(n)) }

type P int

func (p *P) String() string { return "P" }

type G struct{ a int }

func (G) GoString() string { return "G!" }

type S struct {
	A int
	b N
	c any
	D P
	E any
}

type t struct {
	A N
	b N
}

type emb struct{ *t }

type lone struct{ n int }

func (lone) Error() string { return "lone" }

type outer struct {
	f [2]N
	G []lone
}

type holder struct {
	V reflect.Value
	T reflect.Type
	K reflect.Kind
}

type hidden struct {
	v reflect.Value
	t reflect.Type
	k reflect.Kind
	f reflect.StructField
}

type zero int

func (zero) String() string { return "\x00(PANIC=z" }

func (zero) GoString() string { return "\x00\x00g" }

type panics int

func (panics) String() string { panic("oh") }

type panicking struct{ x int }

func (p *panicking) String() string { return fmt.Sprint(p.x) }

var (
	one  = 1
	ptr  = &S{A: 4}
	p1   = P(1)
	any1 any = S{A: 9}
	any2 any
	any3 any = &[]N{3}
)

%s
func main() {
	for i, f := range []func(){
%s	} {
		fmt.Print("=== ", i, "\n")
		f()
	}
}
`

// printing is a function of that program.
const printing = `func %s() {
	x := %s
	fmt.Printf(%q, x)
	fmt.Println()
	fmt.Println(x, "a", x)
	fmt.Print(x, x, "\n")
	fmt.Println(fmt.Errorf(%q, x))
}

`

// anAddress finds what is another one in each process.
var anAddress = regexp.MustCompile("(?i)(0x)?[0-9a-f]{6,}")

func TestReflection_IsPrintedAsGoPrintsIt(t *testing.T) {
	level.SkipShort(t, "executes many programs")
	var funcs, list strings.Builder
	var roots, what []string
	for i, x := range printedValues {
		for j, verb := range printedVerbs {
			if !level.More() && (i+j)%5 != 0 { // other verbs with each value
				continue
			}
			name := fmt.Sprintf("p%d_%d", i, j)
			fmt.Fprintf(&funcs, printing, name, x, verb, verb)
			fmt.Fprintf(&list, "\t\t%s,\n", name)
			roots, what = append(roots, name), append(what, verb+" of "+x)
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, fmt.Appendf(nil, printingProgram, funcs.String(), list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	cmd.Dir = dir
	all, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	wants := strings.Split(string(all), "=== ")[1:]
	prog, err := front.Load(t.Context(), front.Request{Dir: dir, Patterns: []string{file}, Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range roots {
		one := *prog
		one.Roots = prog.Roots[i : i+1]
		img, err := vm.NewImage(&one)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		run := engine.Single{Stdout: &out, Stderr: &out, Instructions: limits.Instructions, HeapBytes: limits.HeapBytes}
		m, err := run.Run(t.Context(), img)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := strings.Cut(wants[i], "\n")
		got := anAddress.ReplaceAllString(out.String(), "ADDRESS")
		want = anAddress.ReplaceAllString(want, "ADDRESS")
		switch fault := m.Fault(); {
		case fault != nil && fault.Kind == vm.FaultUnsupported:
			refused++
			if !strings.HasPrefix(want, got) {
				t.Errorf("%s: prints\n%s\nbefore it is refused, not\n%s", what[i], got, want)
			}
			t.Logf("%s: %s", what[i], fault.Message)
		case fault != nil || m.Ended().Kind != vm.Exited:
			t.Errorf("%s: fails: %v", what[i], m.Ended())
		case got != want:
			t.Errorf("%s: prints\n%s\nnot\n%s", what[i], got, want)
		}
	}
	t.Logf("%d programs, %d of them refused", len(roots), refused)
	if refused*4 > len(roots) {
		t.Errorf("%d of %d programs are refused", refused, len(roots))
	}
}
