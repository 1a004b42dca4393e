// SPDX-License-Identifier: BSD-3-Clause

package gosuite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// Reflection on values of types that are drawn: what the machine prints is what the compiled program prints. It shares nothing with the machine but
// the source text.

// drawing is one program that is being drawn.
type drawing struct {
	*rand.Rand
	decls strings.Builder
	types []string // the declared ones
}

var basics = []string{"bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "float32", "float64",
	"complex64", "complex128", "string"}

func (d *drawing) pick(list []string) string { return list[d.IntN(len(list))] }

// typ draws a type; key says that its values are keys of maps.
func (d *drawing) typ(depth int, key bool) string {
	if depth == 0 || d.IntN(4) == 0 {
		if len(d.types) > 0 && !key && d.IntN(2) == 0 {
			return d.pick(d.types)
		}
		return d.pick(basics)
	}
	switch d.IntN(9) {
	case 0, 1:
		return d.structure(depth, key)
	case 2:
		return fmt.Sprintf("[%d]%s", d.IntN(3), d.typ(depth-1, key))
	case 3:
		return "any"
	case 4:
		return "*" + d.typ(depth-1, false)
	}
	if key {
		return d.pick(basics)
	}
	switch d.IntN(5) {
	case 0:
		return fmt.Sprintf("map[%s]%s", d.typ(depth-1, true), d.typ(depth-1, false))
	case 1:
		return d.pick([]string{"chan ", "<-chan ", "chan<- "}) + d.pick(basics)
	case 2:
		return d.pick([]string{"func()", "error", "fmt.Stringer", "[]byte", "[]rune"})
	}
	return "[]" + d.typ(depth-1, false)
}

func (d *drawing) structure(depth int, key bool) string {
	var fields []string
	for i := range d.IntN(4) {
		name := string(rune('A' + i))
		if d.IntN(3) == 0 {
			name = strings.ToLower(name)
		}
		f := name + " " + d.typ(depth-1, key)
		if d.IntN(4) == 0 {
			f += fmt.Sprintf(" `json:\"f%d,omitempty\" x:\"\\\"q\\\"\"`", i)
		}
		fields = append(fields, f)
	}
	if len(d.types) > 0 && !key && d.IntN(3) == 0 {
		fields = append(fields, d.pick([]string{"", "*"})+d.pick(d.types))
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}

// declare declares a type with methods or without.
func (d *drawing) declare() {
	name := fmt.Sprintf("T%d", len(d.types))
	if d.IntN(3) == 0 {
		name = fmt.Sprintf("t%d", len(d.types))
	}
	under := d.typ(2, false)
	for strings.HasPrefix(under, "*") || under == "any" || under == "error" || under == "fmt.Stringer" || strings.HasPrefix(under, "T") || strings.HasPrefix(under, "t") {
		under = d.typ(2, false)
	}
	fmt.Fprintf(&d.decls, "type %s %s\n", name, under)
	if d.IntN(2) == 0 && !strings.HasPrefix(under, "struct") { // a struct may embed one that has the method
		fmt.Fprintf(&d.decls, "func (%s%s) String() string { return %q }\n", d.pick([]string{"", "*"}), name, name)
	}
	d.types = append(d.types, name)
}

// program draws types and values, and prints all that reflection says of them.
func (d *drawing) program() string {
	for range 4 + d.IntN(3) {
		d.declare()
	}
	var types []string
	for range 5 {
		types = append(types, d.typ(3, false))
	}
	types = append(types, d.types...)
	var values, pointers strings.Builder
	for _, t := range types {
		fmt.Fprintf(&values, "\t\tvariable[%s],\n", t)
		fmt.Fprintf(&pointers, "\t_ any = (*%s)(nil)\n", t)
	}
	return fmt.Sprintf(reflectionProgram, d.Uint64()>>1, values.String(), pointers.String(), d.decls.String())
}

const reflectionProgram = `package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
)

// rnd draws the values: the same ones in every execution.
var rnd uint64 = %d

func draw(n int) int {
	rnd = rnd*6364136223846793005 + 1442695040888963407
	return int(rnd>>33) %% n
}

func variable[T any]() (reflect.Value, reflect.Value) {
	p, q := new(T), new(T)
	before := rnd
	fill(reflect.ValueOf(p).Elem(), 4)
	if draw(2) == 0 {
		rnd = before
	}
	fill(reflect.ValueOf(q).Elem(), 4)
	return reflect.ValueOf(p).Elem(), reflect.ValueOf(q).Elem()
}

func all() []func() (reflect.Value, reflect.Value) {
	return []func() (reflect.Value, reflect.Value){
%s	}
}

// Pointers to these types are mentioned, so that reflection may make some.
var (
%s)

%s
// fill sets what can be set.
func fill(v reflect.Value, depth int) {
	if !v.CanSet() || depth == 0 || draw(6) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(draw(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(draw(400) - 200))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(draw(400)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1.5, -2.25, 1e30, 0.1}[draw(5)])
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(draw(3)), 0.1))
	case reflect.String:
		v.SetString([]string{"", "a", "b\xff", "日"}[draw(4)])
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), draw(3), 3))
		for i := range v.Len() {
			fill(v.Index(i), depth-1)
		}
		if draw(3) == 0 {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		keys, elems := sliceOf[v.Type().Key()], sliceOf[v.Type().Elem()]
		if keys == nil || elems == nil {
			return
		}
		for range draw(3) {
			k, e := reflect.MakeSlice(keys, 1, 1), reflect.MakeSlice(elems, 1, 1)
			fill(k.Index(0), 2)
			fill(e.Index(0), depth-1)
			try("set", func() { v.SetMapIndex(k.Index(0), e.Index(0)) })
		}
	case reflect.Interface:
		x := []any{nil, 1, "s", []int{1}, &one, 2.5, struct{ X int }{3}, [2]string{"a"}, fmt.Errorf("e")}[draw(9)]
		if x != nil && reflect.TypeOf(x).AssignableTo(v.Type()) {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Pointer:
		if s, ok := sliceOf[v.Type().Elem()]; ok {
			e := reflect.MakeSlice(s, 1, 1).Index(0)
			fill(e, depth-1)
			v.Set(e.Addr())
		}
	}
}

var one = 1

// sliceOf has slices of the types that occur: none is made that is not in the text.
var sliceOf = map[reflect.Type]reflect.Type{}

func note[T any]() { sliceOf[reflect.TypeFor[T]()] = reflect.TypeFor[[]T]() }

func try(what string, f func()) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Printf("%%s panics: %%v\n", what, x)
		}
	}()
	f()
}

func walk(v reflect.Value, depth int) {
	if !v.IsValid() {
		fmt.Println(depth, "invalid", v.Kind())
		return
	}
	t := v.Type()
	fmt.Println(depth, v.Kind(), t, t.Name(), t.PkgPath(), t.Size(), t.Comparable(), v.CanSet(), v.CanAddr(), v.CanInterface(), v.IsZero(), v.Comparable())
	if depth == 0 {
		return
	}
	try("print", func() {
		fmt.Println(plain(fmt.Sprint(v)), plain(fmt.Sprintf("%%+v, %%#v, %%d, %%q, %%T", v, v, v, v, v)))
		fmt.Println(plain(fmt.Sprintf("%%v %%v %%x %%#v", &v, []any{v, t, v.Kind()}, t, v.Kind())))
	})
	if v.CanInterface() && v.Kind() != reflect.Pointer {
		try("methods", func() { fmt.Println(t.NumMethod(), v.Type().Implements(reflect.TypeFor[fmt.Stringer]())) })
		if s, ok := v.Interface().(fmt.Stringer); ok && (v.Kind() != reflect.Interface) {
			try("String", func() { fmt.Println(s.String()) })
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		fmt.Println(v.Bool())
	case reflect.String:
		fmt.Println(v.String(), v.Len())
	case reflect.Float32, reflect.Float64:
		fmt.Println(v.Float(), t.Bits(), v.OverflowFloat(1e300))
	case reflect.Complex64, reflect.Complex128:
		fmt.Println(v.Complex())
	case reflect.Array, reflect.Slice:
		fmt.Println(v.Len(), v.Cap(), t.Elem())
		for i := range v.Len() {
			walk(v.Index(i), depth-1)
		}
		if v.Kind() == reflect.Array {
			return
		}
		try("slice", func() { fmt.Println(v.Slice(1, 2).Len()) })
	case reflect.Struct:
		fmt.Println(v.NumField())
		for i := range v.NumField() {
			f := t.Field(i)
			fmt.Println(f.Name, f.PkgPath, f.Type, f.Tag, f.Offset, f.Index, f.Anonymous, f.Tag.Get("json"), f.Tag.Get("x"), f.IsExported())
			walk(v.Field(i), depth-1)
		}
		f, ok := t.FieldByName("A")
		fmt.Println(ok, f.Index, f.Type)
		try("field", func() { walk(v.FieldByName("B"), 0) })
	case reflect.Map:
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(describe(keys[i])) < fmt.Sprint(describe(keys[j])) })
		fmt.Println(v.Len(), t.Key(), t.Elem())
		for _, k := range keys {
			fmt.Println(describe(k))
			walk(v.MapIndex(k), depth-1)
		}
		n := 0
		for i := v.MapRange(); i.Next(); {
			n++
			fmt.Println(i.Value().IsValid() && v.MapIndex(i.Key()).IsValid())
		}
		fmt.Println(n)
	case reflect.Pointer, reflect.Interface:
		fmt.Println(v.IsNil())
		walk(v.Elem(), depth-1)
	case reflect.Chan:
		fmt.Println(v.IsNil(), t.ChanDir(), v.Len(), v.Cap())
	case reflect.Func:
		fmt.Println(v.IsNil())
	default:
		if v.CanInt() {
			fmt.Println(v.Int(), v.OverflowInt(200))
		} else if v.CanUint() {
			fmt.Println(v.Uint(), v.OverflowUint(70000))
		}
	}
}

// plain is a text without addresses. Where a map may be in it, whose keys have the order of addresses, its words are sorted.
func plain(s string) string {
	if strings.Contains(s, "map") {
		list := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,:[]{}()", r) })
		for i, x := range list {
			list[i] = short(x)
		}
		sort.Strings(list)
		return strings.Join(list, " ")
	}
	return short(s)
}

// short has @ in place of each long row of digits.
func short(s string) string {
	out, row := "", ""
	for i := 0; i <= len(s); i++ {
		if i < len(s) && strings.IndexByte("0123456789abcdefx", s[i]) >= 0 {
			row += s[i : i+1]
			continue
		}
		if len(row) > 6 {
			row = "@"
		}
		out += row
		row = ""
		if i < len(s) {
			out += s[i : i+1]
		}
	}
	return out
}

// describe is a value without addresses.
func describe(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return "&" + describe(v.Elem())
	case reflect.Interface:
		return describe(v.Elem())
	case reflect.Struct, reflect.Array:
		s := v.Kind().String()
		n := 0
		if v.Kind() == reflect.Array {
			n = v.Len()
		}
		for i := range n {
			s += describe(v.Index(i)) + ","
		}
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				s += describe(v.Field(i)) + ","
			}
		}
		return s
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.String:
		return v.String()
	case reflect.Float32, reflect.Float64:
		return fmt.Sprint(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return fmt.Sprint(v.Complex())
	}
	if v.CanInt() {
		return fmt.Sprint(v.Int())
	}
	if v.CanUint() {
		return fmt.Sprint(v.Uint())
	}
	return v.Kind().String()
}

func pair(v, w reflect.Value) {
	t, u := v.Type(), w.Type()
	fmt.Println(t == u, reflect.DeepEqual(v.Interface(), w.Interface()), reflect.DeepEqual(v.Addr().Interface(), w.Addr().Interface()))
	if t.Kind() == reflect.Func || u.Kind() == reflect.Func || t.Kind() == reflect.Interface || u.Kind() == reflect.Interface {
		return
	}
	try("equal", func() { fmt.Println(v.Equal(w)) })
	fmt.Println(t.AssignableTo(u), t.ConvertibleTo(u), v.CanConvert(u))
	try("convert", func() { walk(v.Convert(u), 2) })
	try("set", func() {
		c := reflect.New(u).Elem()
		c.Set(v)
		walk(c, 2)
	})
}

func main() {
	note[int]()
	note[string]()
	note[bool]()
	note[float64]()
	note[any]()
	note[int8]()
	note[uint16]()
	note[complex64]()
	note[[2]int]()
	note[struct{ A int }]()
	note[*int]()
	note[[]int]()
	var list []reflect.Value
	for _, make := range all() {
		v, w := make()
		list = append(list, v)
		walk(v, 4)
		walk(reflect.ValueOf(v.Interface()), 2)
		pair(v, w)
	}
	for _, v := range list {
		for _, w := range list {
			pair(v, w)
		}
	}
}
`

// TestReflection_IsThatOfGo draws programs.
func TestReflection_IsThatOfGo(t *testing.T) {
	level.SkipShort(t, "compiles several programs")
	runs := 3
	if level.More() {
		runs = 60
	}
	runs = flags.Programs(runs)
	seed := flags.Seed()
	skipped := 0
	for i := range runs {
		d := &drawing{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		dir := t.TempDir()
		file, text := filepath.Join(dir, "main.go"), d.program()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "run", file)
		cmd.Dir = dir
		want, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("seed %d, program %d: %v\n%s", seed, i, err, want)
		}
		res := Run(Program{Name: fmt.Sprintf("drawn%d", i), File: file, Want: string(want)}, limits)
		switch res.Outcome {
		case Failed:
			t.Errorf("seed %d, program %d: %s\n%s", seed, i, res.Reason, res.Detail)
		case Skipped:
			skipped++
			t.Logf("program %d: %s", i, res.Reason)
		}
	}
	t.Logf("%d programs, %d of them refused", runs, skipped)
	if skipped*2 > runs {
		t.Errorf("%d of %d programs are refused", skipped, runs)
	}
}

// TestReflection_HasEveryMethodOfAType: a method of reflect.Type that the prelude's type does not declare would be called on a nil interface.
func TestReflection_HasEveryMethodOfAType(t *testing.T) {
	var text string
	for _, file := range []string{"reflect_type.go", "reflect_call.go"} {
		part, err := os.ReadFile(filepath.Join("../../front/prelude", file))
		if err != nil {
			t.Fatal(err)
		}
		text += string(part)
	}
	for m := range reflect.TypeFor[reflect.Type]().Methods() {
		if m.PkgPath == "" && !strings.Contains(text, "func (t *reflect_rtype) "+m.Name+"(") {
			t.Errorf("reflect.Type has a method %s, which the prelude does not declare", m.Name)
		}
	}
}
