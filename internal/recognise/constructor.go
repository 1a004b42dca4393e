// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/collection"
)

// maker is how a collection is made.
type maker struct {
	expr       string     // Go expression of the package
	typ        types.Type // what it gives
	besides    besides    // what it gives as well
	assert     bool       // it gives an interface that holds the subject
	bound      *bound     // set if an argument sounds like a capacity
	notes      []string   // what was assumed for the arguments
	shown      string     // where it was read how it is made; "": nowhere
	guess      string     // why it may not be what users get; "" if names tell
	others     []collection.Way
	variants   []collection.Variant
	beyond     []string            // constructors, and options of this one, that users may take as well, and for whose arguments there is nothing: New(WithLogger)
	unset      []string            // exported fields of the type that users may set, and that neither this nor a variant sets
	values     bool                // one of these cannot refuse any
	standIns   []*collection.Codec // types of the harness that are among the arguments
	implements bool                // one is an implementation of an interface that the package, or the interface's own, has
	opaque     bool                // the user's expression is no call of the package's functions
}

// bound is an argument that sounds like a capacity.
type bound struct {
	param string
	n     int
	log   bool // the capacity's logarithm is what is given
}

// exact tells the names that mean a number of items and not, say, a length of
// something or a logarithm.
func (b *bound) exact() bool {
	return strings.Contains(fold(b.param), "cap") && !b.log
}

// settings are what constructors are to be given.
type settings struct {
	capacity   int    // for arguments that sound like it
	cell       bool   // a counter or register: numbers are first values
	threads    int    // for arguments that sound like a number of threads
	strict     bool   // what may be an item is not made up
	defaults   bool   // what the package has for an argument goes before a zero value
	filled     bool   // of a configuration, sizes and functions are set
	telling    bool   // functions tell their arguments apart and refuse some
	changes    bool   // functions without arguments give another value at each call
	options    string // expressions for a last parameter that stands for several arguments
	flags      bool   // what is on or off is on, of a configuration with filled
	madeUp     bool   // there are implementations for interfaces (argument.go)
	refusing   bool   // those of the harness fail, and give the other bool
	concurrent bool   // those of the harness may be called by several threads at once
}

// constructors lists the functions that return the type, the likeliest first.
func constructors(pkg *types.Package, tn *types.TypeName) []*types.Func {
	var out []*types.Func
	rank := map[*types.Func]int{}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !isMaker(name) {
			continue
		}
		t, _ := madeBy(fn.Signature().Results())
		if t == nil || !makes(fn, t, tn) {
			continue
		}
		rank[fn] = rankOf(fn, tn)
		out = append(out, fn)
	}
	slices.SortStableFunc(out, func(a, b *types.Func) int {
		return cmp.Or(rank[a]-rank[b], len(a.Name())-len(b.Name()), strings.Compare(a.Name(), b.Name()))
	})
	return out
}

func isMaker(name string) bool {
	w := words(name)
	return len(w) > 0 && slices.Contains([]string{"new", "make", "create"}, strings.TrimRight(w[0], "0123456789"))
}

// firstResult is the result of a function that returns one, perhaps with an error.
func firstResult(sig *types.Signature) types.Type {
	n := sig.Results().Len()
	if n == 1 || n == 2 && isError(sig.Results().At(1).Type()) {
		return sig.Results().At(0).Type()
	}
	return nil
}

// besides is what a constructor gives besides the collection: NewWatcher() (*Watcher, func(), error).
type besides struct {
	functions int // which stop it or release what it holds; nobody calls them
	fallible  bool
}

// nothing says that the call of the constructor is an expression of one value.
func (b besides) nothing() bool { return b == besides{} }

// madeBy is the first result of a constructor, nil if it gives others than those of besides.
func madeBy(results *types.Tuple) (t types.Type, also besides) {
	n := results.Len()
	if also.fallible = n > 1 && isError(results.At(n-1).Type()); also.fallible {
		n--
	}
	if n == 0 {
		return nil, besides{}
	}
	for also.functions = 0; also.functions < n-1; also.functions++ {
		if !releases(results.At(1 + also.functions).Type()) {
			return nil, besides{}
		}
	}
	return results.At(0).Type(), also
}

// releases says that a value may be called to stop something, or to release what it holds: func() or func() error.
func releases(t types.Type) bool {
	f, ok := t.Underlying().(*types.Signature)
	return ok && f.Params().Len() == 0 && (f.Results().Len() == 0 || f.Results().Len() == 1 && isError(f.Results().At(0).Type()))
}

// makes reports whether a function returning t may be a constructor of tn: t is
// the type or a pointer to it, or an interface that it implements, the
// function's name telling which type is meant.
func makes(fn *types.Func, t types.Type, tn *types.TypeName) bool {
	if named := namedOf(t); named != nil && named.Origin().Obj() == tn {
		return true
	}
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || isTypeParam(t) || isError(t) || iface.NumMethods() == 0 {
		return false
	}
	made := fold(fn.Name())[len(words(fn.Name())[0]):]
	if made != fold(tn.Name()) && !(named(t, made) && onlyOne(tn, iface)) {
		return false
	}
	generic := tn.Type().(*types.Named).TypeParams().Len() > 0
	return generic || types.Implements(types.NewPointer(tn.Type()), iface)
}

// named says that a constructor is called New, or after the interface that it gives.
func named(t types.Type, made string) bool {
	n := namedOf(t)
	return n != nil && (made == "" || made == fold(n.Obj().Name()))
}

// onlyOne says that tn is the only type of its package that an interface can hold.
func onlyOne(tn *types.TypeName, iface *types.Interface) bool {
	scope := tn.Pkg().Scope()
	for _, name := range scope.Names() {
		other, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || other.IsAlias() || types.IsInterface(other.Type()) {
			continue
		}
		if types.Implements(types.NewPointer(other.Type()), iface) != (other == tn) {
			return false
		}
	}
	return true
}

func isTypeParam(t types.Type) bool {
	_, ok := t.(*types.TypeParam)
	return ok
}

// namedOf is the named type that t is or points to.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

func rankOf(fn *types.Func, tn *types.TypeName) int {
	made := fold(fn.Name())[len(words(fn.Name())[0]):]
	rank := 0
	switch {
	case made == fold(tn.Name()):
	case made == "":
		rank = 1
	case strings.HasPrefix(made, fold(tn.Name())):
		rank = 2
	default:
		rank = 3
	}
	if !fn.Exported() {
		rank += 10
	}
	return rank
}

// signature instantiates a constructor; want is the type that it should make, or
// nil if any instance will do.
func signature(pkg *types.Package, fn *types.Func, want *types.Named) (*types.Signature, []types.Type, error) {
	sig := fn.Signature()
	if want == nil {
		inst, args, err := instantiate(pkg, sig, sig.TypeParams())
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", fn.Name(), err)
		}
		return inst.(*types.Signature), args, nil
	}
	args := make([]types.Type, sig.TypeParams().Len())
	t, _ := madeBy(sig.Results())
	made := namedOf(t)
	for i := range want.TypeArgs().Len() {
		if made == nil || i >= made.TypeArgs().Len() {
			break
		}
		if p, ok := made.TypeArgs().At(i).(*types.TypeParam); ok {
			args[p.Index()] = want.TypeArgs().At(i)
		}
	}
	inst := types.Type(sig)
	if len(args) > 0 && !slices.Contains(args, nil) {
		if t, err := types.Instantiate(nil, sig, args, true); err == nil {
			inst = t
		}
	}
	concrete := inst.(*types.Signature)
	t, _ = madeBy(concrete.Results())
	if got := namedOf(t); got == nil || !types.Identical(got, want) {
		return nil, nil, fmt.Errorf("%s makes no %s", fn.Name(), typeString(want, pkg))
	}
	return concrete, args, nil
}

// holds says that the one parameter of a constructor is what the type it makes holds first: Load
// gives such a thing. Of an int that may be chance.
func holds(sig *types.Signature) bool {
	t, _ := madeBy(sig.Results())
	made := namedOf(t)
	if made == nil || sig.Params().Len() != 1 || sig.Params().At(0).Type() == types.Typ[types.Int] {
		return false
	}
	for m := range made.Methods() {
		results := m.Signature().Results()
		if fold(m.Name()) == "load" && results.Len() == 1 && types.Identical(results.At(0).Type(), sig.Params().At(0).Type()) {
			return true
		}
	}
	return false
}

// construct makes the maker of a constructor.
func construct(pkg *types.Package, fn *types.Func, want *types.Named, s settings) (maker, error) {
	return (&filler{pkg: pkg, settings: s, of: madeOf(fn)}).construct(fn, want)
}

// madeOf is the named type that a function returns first; nil if there is none.
func madeOf(fn *types.Func) *types.TypeName {
	if t, _ := madeBy(fn.Signature().Results()); t != nil {
		if named := namedOf(t); named != nil {
			return named.Origin().Obj()
		}
	}
	return nil
}

// constructWithin makes the maker of a constructor of another constructor's argument. Its stand-ins are those of f, and its own.
func (f *filler) constructWithin(fn *types.Func, want *types.Named, s settings) (maker, error) {
	within := &filler{pkg: f.pkg, settings: s, within: true, of: madeOf(fn), coder: f.coder, standIns: slices.Clone(f.standIns)}
	m, err := within.construct(fn, want)
	f.coder = within.coder // none of two of its stand-ins have the same name
	return m, err
}

func (f *filler) construct(fn *types.Func, want *types.Named) (maker, error) {
	pkg, sig := f.pkg, fn.Signature()
	concrete, args, err := signature(pkg, fn, want)
	if err != nil {
		return maker{}, err
	}
	f.first = holds(concrete)
	var exprs []string
	for i := range concrete.Params().Len() {
		if concrete.Variadic() && i == concrete.Params().Len()-1 {
			if f.settings.options != "" {
				exprs = append(exprs, f.settings.options)
			}
			break
		}
		if text, t := f.texts[i], concrete.Params().At(i).Type(); text != "" && isString(t) {
			exprs = append(exprs, text)
			continue
		}
		e, why := f.fill(concrete.Params().At(i), sig.Params().At(i).Type())
		if why != "" {
			return maker{}, fmt.Errorf("%s takes %s, for which there is no obvious argument", fn.Name(), why)
		}
		exprs = append(exprs, e)
	}
	t, also := madeBy(concrete.Results())
	return maker{
		expr:       fn.Name() + typeArgs(pkg, args) + "(" + strings.Join(exprs, ", ") + ")",
		typ:        t,
		besides:    also,
		bound:      f.bound,
		notes:      f.notes,
		values:     f.values,
		standIns:   f.standIns,
		implements: f.implements,
	}, nil
}

// zero makes a zero value.
func zero(pkg *types.Package, tn *types.TypeName) (maker, error) {
	if _, ok := tn.Type().Underlying().(*types.Chan); ok {
		return maker{}, notTaken{errors.New("a nil channel is of no use: give Request.New an expression")}
	}
	named := tn.Type().(*types.Named)
	t, args, err := instantiate(pkg, named, named.TypeParams())
	if err != nil {
		return maker{}, notTaken{err}
	}
	return maker{expr: zeroExpr(tn.Name()+typeArgs(pkg, args), t), typ: types.NewPointer(t)}, nil
}

// zeroExpr makes a zero value, or an empty map: nil ones cannot be written to.
func zeroExpr(name string, t types.Type) string {
	if _, ok := t.Underlying().(*types.Map); ok {
		return "&" + name + "{}"
	}
	return "new(" + name + ")"
}

// given makes the maker of the user's expression.
func given(pkg *types.Package, src string) (maker, error) {
	e, err := evaluate(pkg, src)
	if err != nil {
		return maker{}, fmt.Errorf("Request.New: %w", err)
	}
	t, also, err := e.asValue()
	if err != nil {
		return maker{}, fmt.Errorf("Request.New: %w", err)
	}
	fn, call := calledBy(pkg, e.ast)
	m := maker{expr: src, typ: t, besides: also, opaque: fn == nil}
	if fn != nil {
		m.bound = boundIn(fn, call)
	}
	return m, nil
}

// prefixed is the maker of what statements leave of what m makes, which they call it.
func (m maker) prefixed(pkg *types.Package, statements string) (maker, error) {
	begin := "it" + strings.Repeat(", _", m.besides.functions) + " := " + m.expr
	if m.besides.fallible {
		begin = "it" + strings.Repeat(", _", m.besides.functions) + ", err := " + m.expr + "; if err != nil { panic(err) }"
	}
	m.expr = "func() " + typeString(m.typ, pkg) + " { " + begin + "\n" + statements + "\nreturn it }()"
	if _, err := evaluate(pkg, m.expr); err != nil {
		what := strings.TrimPrefix(strings.ReplaceAll(err.Error(), m.expr, ""), ": ")
		if strings.HasSuffix(what, "is not a Go expression") {
			what = "these are not Go statements"
		}
		return maker{}, fmt.Errorf("Request.Prefix: %s: %s", statements, what)
	}
	m.besides, m.opaque = besides{}, true
	return m, nil
}

// calledBy is the function of the package that an expression calls, nil if it is
// no such call.
func calledBy(pkg *types.Package, e ast.Expr) (*types.Func, *ast.CallExpr) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	callee := call.Fun
	switch x := callee.(type) {
	case *ast.IndexExpr:
		callee = x.X
	case *ast.IndexListExpr:
		callee = x.X
	}
	id, ok := callee.(*ast.Ident)
	if !ok {
		return nil, nil
	}
	fn, _ := pkg.Scope().Lookup(id.Name).(*types.Func)
	return fn, call
}

// boundIn finds a literal capacity among the arguments of a call.
func boundIn(fn *types.Func, call *ast.CallExpr) *bound {
	for i, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT || i >= fn.Signature().Params().Len() {
			continue
		}
		p := fn.Signature().Params().At(i)
		if n, err := strconv.Atoi(lit.Value); err == nil && isInteger(p.Type()) && soundsLikeCapacity(p.Name()) {
			if strings.Contains(fold(p.Name()), "log") && n < 16 {
				return &bound{param: p.Name(), n: 1 << n, log: true}
			}
			return &bound{param: p.Name(), n: n}
		}
	}
	return nil
}

// usualCapacity is full behind two calls, and has two items that may change places.
const usualCapacity = 2

// newSettings is what to begin with.
func newSettings(o collection.Overrides) settings {
	s := settings{capacity: usualCapacity, threads: o.Threads, concurrent: o.ConcurrentArguments}
	if s.threads == 0 {
		s.threads = 4
	}
	return s
}

func soundsLikeThreads(low string) bool {
	return slices.ContainsFunc([]string{"thread", "proc", "goroutine", "worker"}, func(s string) bool { return strings.Contains(low, s) })
}

func soundsLikeCapacity(name string) bool {
	low := fold(name)
	if low == "n" || low == "" {
		return true
	}
	return slices.ContainsFunc([]string{"cap", "size", "bound", "limit", "max", "len", "range"}, func(s string) bool {
		return strings.Contains(low, s)
	})
}
