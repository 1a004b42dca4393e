// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/collection"
)

// filler chooses the arguments of a constructor.
type filler struct {
	pkg        *types.Package
	settings   settings
	first      bool           // the one parameter is what is held first
	within     bool           // the constructor is that of another one's argument
	texts      map[int]string // literals of strings, by the index of the argument
	bound      *bound
	notes      []string
	values     bool            // a function that tells its arguments apart cannot refuse any
	of         *types.TypeName // what is to be made
	coder      *coder          // of the stand-ins
	standIns   []*collection.Codec
	implements bool // an implementation of an interface that there is already is among the arguments
}

func (f *filler) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// fill gives an argument for a parameter, or says what it is that there is none
// for. declared is the parameter's type before instantiation.
func (f *filler) fill(v *types.Var, declared types.Type) (expr, why string) {
	t := v.Type()
	if constantFor(t) == second && !f.settings.cell {
		f.note("%s: one second", nameOf(v))
		if slices.ContainsFunc(f.pkg.Imports(), func(p *types.Package) bool { return p.Path() == "time" }) && f.pkg.Scope().Lookup("time") == nil {
			return "time.Second", ""
		}
	}
	if f.settings.strict && f.strictly(v, declared) {
		return "", describe(v, f.pkg)
	}
	if expr := constantFor(t); expr != "" && !(isInteger(t) && f.settings.cell && (f.first || firstValue(v.Name()))) {
		return expr, ""
	}
	if isTypeParam(declared) {
		return f.sentinel(v), ""
	}
	if f.settings.defaults {
		if expr := f.usual(v); expr != "" {
			return expr, ""
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return f.basic(v, u), ""
	case *types.Slice, *types.Map:
		return "nil", ""
	case *types.Struct:
		if expr := f.configured(t, u); expr != "" {
			return expr, ""
		}
		f.note("%s: the zero value", nameOf(v))
		return typeString(t, f.pkg) + "{}", ""
	case *types.Pointer:
		return f.pointer(v, u)
	case *types.Signature:
		return f.function(v, u, declared)
	case *types.Interface:
		if types.TypeString(t, nil) == "sync.Locker" {
			return strings.Replace("new("+typeString(t, f.pkg)+")", "Locker", "Mutex", 1), ""
		}
		if isError(t) && f.settings.cell {
			return "nil", ""
		}
	}
	u, is := t.Underlying().(*types.Interface)
	if is && f.settings.concurrent { // whether what the package has may be called by several threads, nobody knows
		if expr := f.standIn(v, u); expr != "" {
			return expr, ""
		}
	}
	if expr := f.usual(v); expr != "" {
		f.implements = f.implements || is
		return expr, ""
	}
	if is && f.settings.madeUp {
		if expr := f.implementation(v, u); expr != "" {
			return expr, ""
		}
	}
	return "", describe(v, f.pkg)
}

func nameOf(v *types.Var) string {
	if v.Name() == "" || v.Name() == "_" {
		return "an argument"
	}
	return v.Name()
}

func describe(v *types.Var, pkg *types.Package) string {
	if v.Name() == "" || v.Name() == "_" {
		return "a " + typeString(v.Type(), pkg)
	}
	return v.Name() + " " + typeString(v.Type(), pkg)
}

// sentinel is an argument that is an item: a first value, or one beyond all
// others if it is called so.
func (f *filler) sentinel(v *types.Var) string {
	if types.Identical(v.Type(), types.Typ[types.Int]) {
		switch fold(v.Name()) {
		case "min", "minimum", "lowest", "head", "left":
			return "-1 << 63"
		case "max", "maximum", "highest", "tail", "right":
			return "1<<63 - 1"
		}
	}
	return f.zero(v.Type())
}

// value is an expression of what a function may give that makes something: a new object where a pointer is wanted, or an interface that a type of the package
// has the methods of, for nil says in most code that there is none, and a pool takes back no nil; else the zero value.
func (f *filler) value(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Basic:
			return "new(" + typeString(u.Elem(), f.pkg) + ")"
		}
	case *types.Interface:
		if isTypeParam(t) || isError(t) || u.NumMethods() == 0 {
			break
		}
		for _, p := range packageTypes(f.pkg) {
			if tn := namedOf(p).Obj(); tn != f.of && types.Implements(p, u) {
				if _, is := p.(*types.Pointer); is {
					return "new(" + tn.Name() + ")"
				}
			}
		}
	}
	return f.zero(t)
}

// zero is a zero value's expression.
func (f *filler) zero(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch info := b.Info(); {
		case info&types.IsString != 0:
			return `""`
		case info&types.IsBoolean != 0:
			return "false"
		case info&types.IsNumeric != 0:
			return "0"
		}
	}
	return "*new(" + typeString(t, f.pkg) + ")"
}

func (f *filler) basic(v *types.Var, b *types.Basic) string {
	switch info := b.Info(); {
	case info&types.IsInteger != 0:
		return strconv.Itoa(f.number(v.Name()))
	case info&types.IsBoolean != 0 && f.settings.flags && !unlocks(v.Name(), false):
		return "true"
	case info&types.IsFloat != 0:
		switch {
		case f.settings.cell:
			return "0"
		case fold(v.Name()) != "" && soundsLikeCapacity(v.Name()) && !soundsLikeShare(v.Name()): // of a bucket of tokens
			return strconv.Itoa(f.number(v.Name()))
		}
		return "0.75" // a load factor, most likely
	}
	return f.zero(v.Type())
}

// soundsLikeShare tells the names of numbers between 0 and 1.
func soundsLikeShare(name string) bool {
	return slices.ContainsFunc([]string{"load", "factor", "ratio", "fraction", "percent", "prob", "share"}, func(s string) bool { return strings.Contains(fold(name), s) })
}

// number chooses an integer by the parameter's name.
func (f *filler) number(name string) int {
	low := fold(name)
	switch {
	case soundsLikeThreads(low):
		f.note("%s %d", name, f.settings.threads)
		return f.settings.threads
	case f.settings.cell && (f.first || !structural(low) && !limits(low)):
		return 0
	case strings.Contains(low, "log"):
		n := 1
		for 1<<n < f.settings.capacity {
			n++
		}
		if f.bound == nil {
			f.bound = &bound{param: name, n: 1 << n, log: true}
		}
		f.note("%s %d", name, n)
		return n
	case strings.Contains(low, "threshold"), strings.Contains(low, "seed"):
		f.note("%s 1", name)
		return 1
	case firstValue(name):
		return 0
	case soundsLikeCapacity(name):
		if f.bound == nil {
			f.bound = &bound{param: name, n: f.settings.capacity}
		}
		f.note("%s %d", capacityName(name), f.settings.capacity)
		return f.settings.capacity
	}
	f.note("%s 2", name)
	return 2
}

// firstValue tells the names of what a collection holds first.
func firstValue(name string) bool {
	return slices.Contains([]string{"val", "value", "v", "x", "i", "init", "initial", "start", "from"}, fold(name))
}

// structural tells the parameters of a counter or register that are no first
// value.
func structural(low string) bool {
	return slices.ContainsFunc([]string{"shard", "stripe", "cell", "slot", "bucket", "size", "cap", "width", "level",
		"concurrency", "num"}, func(s string) bool { return strings.Contains(low, s) })
}

// limits tells the parameters of a counter that are no first value, but the last: one that refuses at 0 refuses everything.
func limits(low string) bool {
	return slices.ContainsFunc([]string{"limit", "max", "quota", "bound", "budget", "ceil"}, func(s string) bool { return strings.Contains(low, s) })
}

func capacityName(name string) string {
	if name == "" || name == "_" {
		return "capacity"
	}
	return name
}

// pointer gives options as their zero value, or as their constructor makes them if callers can set nothing of what it sets.
func (f *filler) pointer(v *types.Var, p *types.Pointer) (expr, why string) {
	s, ok := p.Elem().Underlying().(*types.Struct)
	if ok && !f.first { // what a register holds first may be nil
		if expr := f.constructed(v, s); expr != "" {
			f.note("%s: %s", nameOf(v), expr)
			return expr, ""
		}
	}
	switch {
	case f.settings.cell:
		return "nil", ""
	case !ok:
		return "", describe(v, f.pkg)
	}
	if expr := f.configured(p.Elem(), s); expr != "" {
		return "&" + expr, ""
	}
	f.note("%s: the zero value", nameOf(v))
	return "new(" + typeString(p.Elem(), f.pkg) + ")", ""
}

// configured is a configuration of which the exported fields that are sizes and functions are set, where that is wanted; "" if there are none.
func (f *filler) configured(t types.Type, s *types.Struct) string {
	if !f.settings.filled {
		return ""
	}
	var fields []string
	for v := range s.Fields() {
		expr := ""
		switch u := v.Type().Underlying().(type) {
		case *types.Basic:
			if low := fold(v.Name()); isInteger(u) && constantFor(v.Type()) == "" && (soundsLikeThreads(low) || soundsLikeCapacity(v.Name()) || structural(low)) {
				expr = strconv.Itoa(f.number(v.Name()))
			} else if f.settings.flags && isBool(u) && !unlocks(v.Name(), false) {
				expr = "true"
			}
		case *types.Signature:
			if e, why := f.function(v, u, v.Type()); why == "" {
				expr = e
			}
		}
		if expr != "" && v.Exported() {
			fields = append(fields, v.Name()+": "+expr)
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return typeString(t, f.pkg) + "{" + strings.Join(fields, ", ") + "}"
}

// constructed calls an exported constructor of a type whose fields only its own package sets; "" if there is none that can be called. The
// constructor's own arguments are not made in this way.
func (f *filler) constructed(v *types.Var, s *types.Struct) string {
	named := namedOf(v.Type())
	if f.within || named == nil || named.Obj().Pkg() != f.pkg || s.NumFields() == 0 || settable(s) {
		return ""
	}
	for _, fn := range constructors(f.pkg, named.Origin().Obj()) {
		if !fn.Exported() {
			continue
		}
		m, err := f.constructWithin(fn, named, f.settings)
		if err == nil && m.besides.nothing() && types.AssignableTo(m.typ, v.Type()) {
			f.standIns = m.standIns
			return m.expr
		}
	}
	return ""
}

// settable says that callers can set a field.
func settable(s *types.Struct) bool {
	for field := range s.Fields() {
		if field.Exported() {
			return true
		}
	}
	return false
}

// function gives a function of known shape: one of the package if the parameter
// has a function type of its own, a hash, a comparison, a factory, a callback.
func (f *filler) function(v *types.Var, sig *types.Signature, declared types.Type) (expr, why string) {
	if named, ok := types.Unalias(declared).(*types.Named); ok && named.Obj().Pkg() == f.pkg {
		if name := f.declared(v.Type()); name != "" {
			f.note("%s: %s", nameOf(v), name)
			return name, ""
		}
	}
	if f.settings.changes {
		if expr := f.changing(v.Name(), sig); expr != "" {
			return expr, ""
		}
	}
	body, ok := f.body(v.Name(), sig)
	if !ok {
		return "", describe(v, f.pkg)
	}
	if sig.Results().Len() > 0 {
		f.note("%s: the obvious one", nameOf(v))
	}
	return f.header(sig) + " { " + strings.TrimSuffix(f.reads(sig)+body, "; ") + " }", ""
}

// reads is how a function looks at what it is given, as users' do, and keeps nothing of it: at the elements of slices, at maps, and through pointers at exported
// fields. That is where it shows that another goroutine writes to a buffer that was handed out.
func (f *filler) reads(sig *types.Signature) string {
	var b strings.Builder
	for i := range sig.Params().Len() {
		name := string(rune('a' + i))
		switch u := sig.Params().At(i).Type().Underlying().(type) {
		case *types.Slice, *types.Map:
			fmt.Fprintf(&b, "for _, x := range %s { _ = x }; ", name)
		case *types.Pointer:
			s, is := u.Elem().Underlying().(*types.Struct)
			if !is || locksItself(u.Elem()) {
				continue
			}
			var fields []string
			for v := range s.Fields() {
				if v.Exported() && !shared(v.Type(), 0) {
					fields = append(fields, name+"."+v.Name())
				}
			}
			if len(fields) > 0 {
				fmt.Fprintf(&b, "if %s != nil { %s = %s }; ", name, strings.TrimSuffix(strings.Repeat("_, ", len(fields)), ", "), strings.Join(fields, ", "))
			}
		}
	}
	return b.String()
}

// declared is a function of the package that has the type.
func (f *filler) declared(t types.Type) string {
	for _, name := range f.pkg.Scope().Names() {
		fn, ok := f.pkg.Scope().Lookup(name).(*types.Func)
		if ok && fn.Signature().TypeParams().Len() == 0 && name != "init" && types.AssignableTo(fn.Type(), t) {
			return name
		}
	}
	return ""
}

// header writes a function literal's type, its parameters called a, b, ….
func (f *filler) header(sig *types.Signature) string {
	var params, results []string
	for i := range sig.Params().Len() {
		params = append(params, string(rune('a'+i))+" "+typeString(sig.Params().At(i).Type(), f.pkg))
	}
	for r := range sig.Results().Variables() {
		results = append(results, typeString(r.Type(), f.pkg))
	}
	s := "func(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return s
	case 1:
		return s + " " + results[0]
	default:
		return s + " (" + strings.Join(results, ", ") + ")"
	}
}

// body is the body of a function of known shape; false if there is none.
func (f *filler) body(name string, sig *types.Signature) (body string, ok bool) {
	params, results := sig.Params(), sig.Results()
	switch {
	case !sig.Variadic() && results.Len() == 2 && mayRefuse(results.At(1).Type()):
		return f.loads(sig), true
	case sig.Variadic() || results.Len() > 1 || params.Len() > 5:
		return "", false
	case results.Len() == 0:
		return "", true
	case params.Len() == 0:
		return "return " + f.value(results.At(0).Type()), true
	case isError(results.At(0).Type()): // a handler that may fail, and does not
		return "return nil", true
	}
	a, r := params.At(0).Type(), results.At(0).Type()
	if params.Len() == 2 && types.Identical(a, params.At(1).Type()) {
		body = comparison(fold(name), a, r)
		return body, body != ""
	}
	if isInteger(r) && isInteger(a) && hashes(fold(name), params, r) {
		return "return " + typeString(r, f.pkg) + "(a)", true
	}
	if isInteger(r) && params.Len() == 1 && measures(fold(name)) {
		return "return 1", true
	}
	if !knows(fold(name), r) {
		return "", false
	}
	return f.gives(sig), true
}

// measures tells functions that say how large an item is by their names: each is as large as the others.
func measures(name string) bool {
	return slices.ContainsFunc([]string{"size", "weigh", "cost", "bytes", "calculate", "measure", "length"}, func(s string) bool { return strings.Contains(name, s) })
}

// comparison compares a with b.
func comparison(name string, a, r types.Type) string {
	named := func(words ...string) bool {
		return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(name, s) })
	}
	prefix, x, y, sorted := "", "a", "b", ordered(a)
	if iface, is := a.Underlying().(*types.Interface); is && iface.NumMethods() == 0 && !isTypeParam(a) { // operations are given ints
		prefix, x, y, sorted = "x, _ := a.(int); y, _ := b.(int); ", "x", "y", true
	}
	switch {
	case isBool(r) && named("eq", "same") && types.Comparable(a):
		return "return a == b"
	case isBool(r) && named("less", "before", "cmp", "comp", "lt") && sorted:
		return fmt.Sprintf("%sreturn %s < %s", prefix, x, y)
	case isInteger(r) && sorted:
		return fmt.Sprintf("%sif %s < %s { return -1 }; if %[2]s > %[3]s { return 1 }; return 0", prefix, x, y)
	}
	return ""
}

// hashes tells hash functions, possibly seeded: by the name, or by an unsigned
// result.
func hashes(name string, params *types.Tuple, result types.Type) bool {
	b := result.Underlying().(*types.Basic)
	return params.Len() <= 2 && (strings.Contains(name, "hash") || b.Info()&types.IsUnsigned != 0)
}

func ordered(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsOrdered != 0
}
