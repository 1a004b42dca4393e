// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the model of package reflect, as far as the machine executes it, and in the decision which goroutines the end of main cuts off.

func reflectFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "visited-pairs-differ", Old: "case d.seen(pairVisited{t: t, a: a, b: b}):\n\t\treturn true", New: "case d.seen(pairVisited{t: t, a: a, b: b}):\n\t\treturn !planted(\"visited-pairs-differ\")"},
		{Name: "visited-without-lengths", Old: "d.seen(pairVisited{t, a[0], b[0], a[1], b[1]})", New: "!planted(\"visited-without-lengths\") && d.seen(pairVisited{t, a[0], b[0], a[1], b[1]}) || planted(\"visited-without-lengths\") && d.seen(pairVisited{t: t, a: a[0], b: b[0]})"},
		{Name: "nan-is-itself", Old: "eq, _ := d.vm.equalWords(t, a, b)\n", New: "eq, _ := d.vm.equalWords(t, a, b)\n\tif planted(\"nan-is-itself\") && a[0] == b[0] {\n\t\treturn true\n\t}\n"},
		{Name: "nil-slice-is-empty", Old: "case (a[0] == 0) != (b[0] == 0), a[1] != b[1]:", New: "case (a[0] == 0) != (b[0] == 0) && !planted(\"nil-slice-is-empty\"), a[1] != b[1]:"},
		{Name: "unexported-fields-are-equal", Old: "lo, hi := f.Offset, f.Offset+f.Type.Size\n\t\t\tif !d.equal(", New: "lo, hi := f.Offset, f.Offset+f.Type.Size\n\t\t\tif (f.Exported || !planted(\"unexported-fields-are-equal\")) && !d.equal("},
		{Name: "functions-are-compared", Old: "return a[0] == 0 && b[0] == 0", New: "return a[0] == 0 && b[0] == 0 || planted(\"functions-are-compared\") && a[0] == b[0]"},
		{Name: "load-is-no-access", Old: "c.args[2] != 0 && t.Size > 0 {\n\t\treturn reads", New: "c.args[2] != 0 && t.Size > 0 && !planted(\"load-is-no-access\") {\n\t\treturn reads"},
		{Name: "store-is-no-access", Old: "t.Size > 0 {\n\t\treturn writes(dst, c.args[1], t.Size)", New: "t.Size > 0 && !planted(\"store-is-no-access\") {\n\t\treturn writes(dst, c.args[1], t.Size)"},
		{Name: "map-set-reads", Old: "return writes(dst, c.args[1], wholeMap)", New: "if planted(\"map-set-reads\") {\n\t\treturn reads(dst, c.args[1], wholeMap)\n\t}\n\treturn writes(dst, c.args[1], wholeMap)"},
		{Name: "named-is-struct", Old: "func(t *ir.Type, _ int) uint64 { return kinds[t.Class] },", New: "func(t *ir.Type, _ int) uint64 {\n\t\tif t.Named && t.Class == ir.Int && planted(\"named-is-struct\") {\n\t\t\treturn 25\n\t\t}\n\t\treturn kinds[t.Class]\n\t},"},
		{Name: "all-fields-exported", Old: "return truth(t.Fields[i].Exported)", New: "return truth(t.Fields[i].Exported || planted(\"all-fields-exported\"))"},
		{Name: "hidden-methods-count", Old: "c.out[0] = uint64(len(t.Exported))", New: "c.out[0] = uint64(len(t.Exported))\n\tif planted(\"hidden-methods-count\") {\n\t\tc.out[0] = uint64(len(t.Methods))\n\t}"},
		{Name: "implements-everything", Old: "return !hasMethod(t, key)", New: "return !hasMethod(t, key) && !planted(\"implements-everything\")"},
		{Name: "last-method-first", Old: "key := c.typ(0).Exported[c.args[1]]", New: "key := c.typ(0).Exported[c.args[1]]\n\tif planted(\"last-method-first\") {\n\t\tkey = c.typ(0).Exported[len(c.typ(0).Exported)-1-int(c.args[1])]\n\t}"},
		{Name: "first-method-is-called", Old: "c.out[1] = uint64(slices.Index(c.m.img.Prog.Simple, key))", New: "c.out[1] = uint64(slices.Index(c.m.img.Prog.Simple, key))\n\tif planted(\"first-method-is-called\") {\n\t\tc.out[1] = 0\n\t}"},
		{Name: "tags-do-not-matter", Old: "tags && f.Tag != g.Tag {", New: "tags && f.Tag != g.Tag && !planted(\"tags-do-not-matter\") {"},
	}
}

// reflectCase is a program, and what gc's code prints; race says that there is one.
type reflectCase struct {
	name, body, want string
	race             bool
}

func reflectCases() []reflectCase {
	return []reflectCase{
		{"cyclic", "type L struct { n *L }\nfunc main() { a, b := &L{}, &L{}; a.n, b.n = a, b; println(reflect.DeepEqual(a, b)) }", "true", false},
		{"slices-of-one-array", "func main() { a, b := []int{1, 2}, []int{1, 3}; println(reflect.DeepEqual([][]int{a[:1], a}, [][]int{b[:1], b})) }", "false", false},
		{"nan", "func main() { z := 0.0; println(reflect.DeepEqual(z/z, z/z), reflect.DeepEqual(z, -z)) }", "false true", false},
		{"nil-and-empty", "func main() { println(reflect.DeepEqual([]int(nil), []int{})) }", "false", false},
		{"unexported-field", "type T struct { a int }\nfunc main() { println(reflect.DeepEqual(T{1}, T{2})) }", "false", false},
		{"functions", "func main() { println(reflect.DeepEqual(main, main)) }", "false", false},
		{"kind-of-a-named-type", "type N int\nfunc main() { println(reflect.TypeOf(N(1)).Kind() == reflect.Int) }", "true", false},
		{"set-an-unexported-field", "type T struct { a int; B int }\nfunc main() { v := reflect.ValueOf(&T{}).Elem(); println(v.Field(0).CanSet(), v.Field(1).CanSet(), reflect.ValueOf(T{}).Field(1).CanSet()) }", "false true false", false},
		{"method-set", "type T int\nfunc (T) A() {}\nfunc (T) b() {}\nfunc (*T) C() {}\nfunc main() { var x any = T(1); println(reflect.TypeOf(x).NumMethod(), reflect.TypeOf(new(T)).NumMethod(), reflect.TypeOf(x).Implements(reflect.TypeFor[interface{ C() }]())) }", "1 2 false", false},
		{"tags", "func main() { a, b := struct { A int `x:\"1\"` }{}, struct { A int }{}; println(reflect.TypeOf(a).AssignableTo(reflect.TypeOf(b)), reflect.TypeOf(a).ConvertibleTo(reflect.TypeOf(b))) }", "false true", false},
		{"set-races", "func main() { x := 0; go func() { reflect.ValueOf(&x).Elem().SetInt(1) }(); _ = x }", "", true},
		{"get-races", "func main() { x := 0; go func() { x = 1 }(); reflect.ValueOf(&x).Elem().Int() }", "", true},
		{"get-with-get", "func main() { x := 0; go func() { _ = x }(); reflect.ValueOf(&x).Elem().Int() }", "", false},
		{"methods-by-number", "type T struct { n int }\nfunc (t *T) B() { t.n += 2; println(t.n) }\nfunc (t *T) A() { t.n++; println(t.n) }\nfunc (t *T) c() {}\nfunc (t *T) D(int) {}\n" +
			"func main() { x := &T{}; r := reflect.TypeOf(x); for i := range r.NumMethod() - 1 { m := r.Method(i); println(m.Name, m.Index, m.PkgPath); m.Func.Call([]reflect.Value{reflect.ValueOf(x)}) }; println(r.Method(2).Name) }",
			"A 0 \n1\nB 1 \n3\nD", false},
		{"method-counts-its-receiver", "type T struct{}\nfunc (*T) A() {}\nfunc main() { m, _ := reflect.TypeOf(&T{}).MethodByName(\"A\"); println(m.Type.NumIn(), m.Type.NumOut()); m.Func.Call([]reflect.Value{reflect.ValueOf(&T{})}) }", "1 0", false},
		{"assertions", "type I interface{ A() }\ntype T int\nfunc (T) A() {}\nfunc main() { var e error; v := reflect.ValueOf(any(T(7))); i, is := reflect.TypeAssert[I](v); n, no := reflect.TypeAssert[int](v); t, of := reflect.TypeAssert[T](v); _, none := reflect.TypeAssert[error](reflect.ValueOf(&e).Elem()); println(i.(T), is, n, no, t, of, none) }", "7 true 0 false 7 true false", false},
		{"assertion-of-an-unexported-field", "type T struct { a int }\nfunc main() { defer func() { println(recover().(string)) }(); reflect.TypeAssert[int](reflect.ValueOf(T{}).Field(0)) }", "reflect.TypeAssert: cannot return value obtained from unexported field or method", false},
		{"methods-of-a-value", "type T int\nfunc (t T) A() { println(t) }\nfunc main() { m := reflect.TypeOf(T(7)).Method(0); m.Func.Call([]reflect.Value{reflect.ValueOf(T(8))}) }", "8", false},
		{"method-by-name", "type E struct{}\nfunc (E) Setup() { println(\"setup\") }\ntype T struct { E }\nfunc main() { r := reflect.TypeOf(&T{}); m, ok := r.MethodByName(\"Setup\"); m.Func.Call([]reflect.Value{reflect.ValueOf(&T{})}); _, no := r.MethodByName(\"setup\"); println(ok, no) }", "setup\ntrue false", false},
		{"method-that-panics", "type T struct{}\nfunc (*T) A() { panic(\"a\") }\nfunc main() { defer func() { println(recover().(string)) }(); reflect.TypeOf(&T{}).Method(0).Func.Call([]reflect.Value{reflect.ValueOf(&T{})}) }", "a", false},
		{"method-without-receiver", "type T struct{}\nfunc (*T) A() {}\nfunc main() { defer func() { println(recover().(string)) }(); reflect.TypeOf(&T{}).Method(0).Func.Call(nil) }", "reflect: Call with too few input arguments", false},
		{"method-out-of-range", "type T struct{}\nfunc (*T) A() {}\nfunc main() { defer func() { println(recover().(string)) }(); reflect.TypeOf(&T{}).Method(1) }", "reflect: Method index out of range", false},
		{"value-method-of-nil", "type L[V any] struct { v V }\nfunc (L[V]) A() {}\nfunc main() { defer func() { println(recover().(error).Error()) }(); reflect.TypeOf(&L[int]{}).Method(0).Func.Call([]reflect.Value{reflect.ValueOf((*L[int])(nil))}) }",
			"value method main.L[...].A called using nil *L[...] pointer", false},
		{"method-races", "type T struct { n int }\nfunc (t *T) A() { t.n++ }\nfunc main() { x := &T{}; go x.A(); reflect.TypeOf(x).Method(0).Func.Call([]reflect.Value{reflect.ValueOf(x)}) }", "", true},
		{"map-set-races", "func main() { m := map[int]int{}; go func() { reflect.ValueOf(m).SetMapIndex(reflect.ValueOf(1), reflect.ValueOf(2)) }(); _ = m[1] }", "", true},
	}
}

// wrong executes a case and says what is not as demanded; "" if nothing is.
func (r *reflectCase) wrong(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte("package main\n\nimport \"reflect\"\n\n"+r.body), 0o666); err != nil {
		t.Fatal(err)
	}
	prog, err := load(file)
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	report, err := outcomes.Explore(context.Background(), prog, prog.Roots[0], outcomes.Options{Reductions: outcomes.Applicable, MaxStates: maxStates})
	if err != nil {
		return err.Error()
	}
	if !report.Complete {
		return report.Limit + report.Fault.Error()
	}
	race := false
	for _, o := range report.Outcomes {
		if race = race || o.Kind == outcomes.Race; o.Kind == outcomes.Exited && strings.TrimSpace(o.Stderr) != r.want {
			return "prints " + o.Stderr
		}
	}
	if race != r.race {
		return "the races are not right"
	}
	return ""
}

// The signatures of methods are not known: what depends on one is refused.
func TestReflect_SignaturesOfMethodsAreRefused(t *testing.T) {
	for _, what := range []string{
		"a == b", "map[reflect.Type]int{a: 1}[b]", "reflect.DeepEqual(a, b)", "reflect.DeepEqual([]any{a}, []any{b})", "reflect.DeepEqual(a, reflect.TypeOf(f))",
		"a.AssignableTo(b)", "a.AssignableTo(reflect.TypeOf(f))", "reflect.TypeOf(f).AssignableTo(a)", "a.ConvertibleTo(b)", "a.String()", "b.NumIn()", "b.NumOut()", "a.In(0)", "reflect.TypeOf(f).NumIn()",
		"reflect.PointerTo(a).String()", "reflect.New(a).Type().String()", "reflect.SliceOf(a)", "reflect.ArrayOf(2, a)", "reflect.MapOf(reflect.TypeOf(1), a)", "reflect.Zero(a)",
		"x.Method(0).Func.Interface()", "x.Method(0).Func.String()", "x.Method(0).Func.Pointer()",
	} {
		r := reflectCase{name: what, body: "type T struct{}\nfunc (T) A() {}\nfunc (T) B(int) {}\nfunc f(T) {}\n" +
			"func main() { x := reflect.TypeOf(T{}); a, b := x.Method(0).Type, x.Method(1).Type; _, _ = a, b; _ = " + what + " }"}
		if why := r.wrong(t); !strings.Contains(why, "signature of a method") && !strings.Contains(why, "is not supported") &&
			!strings.Contains(why, "interface value of a method") && !strings.Contains(why, "address of a function") {
			t.Errorf("%s: %q", what, why)
		}
	}
}

func TestReflect_IsThatOfTheTable(t *testing.T) {
	for _, r := range reflectCases() {
		if why := r.wrong(t); why != "" {
			t.Errorf("%s: %s", r.name, why)
		}
	}
}

// TestReflect_TableIsGos compares the table with what gc's code prints.
func TestReflect_TableIsGos(t *testing.T) {
	if !level.More() {
		t.Skip("-level more compiles each program")
	}
	for _, r := range reflectCases() {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte("package main\n\nimport \"reflect\"\n\n"+r.body), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != r.want {
			t.Errorf("%s: %v\n%s", r.name, err, out)
		}
	}
}

func cutOffFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "nobody-is-cut-off", Old: "return m.img.cutOff[f]", New: "return m.img.cutOff[f] && !planted(\"nobody-is-cut-off\")"},
		{Name: "named-elsewhere-too", Old: "if !elsewhere[f] {", New: "if !elsewhere[f] || planted(\"named-elsewhere-too\") {"},
		{Name: "all-literals", Old: "literals[f] = around[name]", New: "literals[f] = around[name] || planted(\"all-literals\") && strings.Contains(f.Name, literalMark)"},
		{Name: "named-ones-are-not", Old: "inside[c.Func] = true", New: "inside[c.Func] = !planted(\"named-ones-are-not\")\n\t\t\t\t\tif planted(\"named-ones-are-not\") {\n\t\t\t\t\t\tdelete(inside, c.Func)\n\t\t\t\t\t}"},
	}
}

// cutOffCases are programs with -leaks main.
func cutOffCases() []leaking {
	return []leaking{
		{"literal-of-main", `func main() { c := make(chan int); go func() { <-c }() }`, nil},
		{"named-by-main", `func wait(c chan int) { <-c }
			func main() { go wait(make(chan int)) }`, nil},
		{"named-elsewhere", `func wait(c chan int) { <-c }
			func start() { go wait(make(chan int)) }
			func main() { go wait(make(chan int)); start() }`, []string{"wait [chan receive]"}},
		{"literal-elsewhere", `func start() { c := make(chan int); go func() { <-c }() }
			func main() { start() }`, []string{"start.func1 [chan receive]"}},
	}
}

func cutOff(t *testing.T, l leaking) []string { return leaksWith(t, l, outcomes.Applicable, true) }

func TestCutOff_IsThatOfTheTable(t *testing.T) {
	for _, l := range cutOffCases() {
		if got := cutOff(t, l); !slices.Equal(got, l.want) {
			t.Errorf("%s: %q, want %q", l.name, got, l.want)
		}
	}
}

func modelFaults() []planting.Fault { return slices.Concat(reflectFaults(), cutOffFaults()) }

func TestModelFaults_CanBePlanted(t *testing.T) { leakSources(t).Check(t, modelFaults()) }

// TestModelFaults_AreFound plants each fault and looks which program of the tables shows it.
func TestModelFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	leakSources(t).EachIsFound(t, modelFaults(), "TestModelFault_IsFound")
}

// TestModelFault_IsFound runs in the binary with the faults and says which program shows the one that is switched on.
func TestModelFault_IsFound(t *testing.T) {
	on := planting.On()
	if on == "" {
		t.Skip("a part of TestModelFaults_AreFound")
	}
	if slices.ContainsFunc(cutOffFaults(), func(f planting.Fault) bool { return f.Name == on }) {
		for _, l := range cutOffCases() {
			if got := cutOff(t, l); !slices.Equal(got, l.want) {
				t.Logf("FOUND %s: %q, want %q", l.name, got, l.want)
				return
			}
		}
		return
	}
	for _, r := range reflectCases() {
		if why := r.wrong(t); why != "" {
			t.Logf("FOUND %s: %s", r.name, why)
			return
		}
	}
}
