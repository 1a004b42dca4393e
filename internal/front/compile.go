// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"pangolin/internal/ir"
)

// compiler turns what the reacher found into an ir.Program.
type compiler struct {
	*reacher
	out    *ir.Program
	consts *constPool
	pos    *positions
	ir     map[*ssa.Function]*ir.Func
	names  map[string]int // how often a function name was used
	extern map[string]*ir.Func
	// byValue are the variables that closures capture by value.
	byValue captures
	roots   []*ssa.Function
	// kept are the types of elements whose slices' capacity matters, see keptSlices.
	kept *typeutil.Map
}

func newCompiler(l *loader, b *built, as *pretence) *compiler {
	out := &ir.Program{Notes: new(ir.Notes)}
	return &compiler{
		reacher: newReacher(l, b, newTypeTable(out), as),
		out:     out,
		consts:  newConstPool(out),
		pos:     newPositions(l, out),
		ir:      map[*ssa.Function]*ir.Func{},
		names:   map[string]int{},
		extern:  map[string]*ir.Func{},
		byValue: captures{},
	}
}

// reachRoots finds the roots and everything that is reachable from them and from the package
// initialisers.
func (c *compiler) reachRoots(names []string) error {
	for _, name := range names {
		fn, err := c.root(name)
		if err != nil {
			return err
		}
		c.roots = append(c.roots, fn)
		c.function(fn)
	}
	for _, e := range c.errorTypes() {
		if named, ok := e.of.(*types.Named); ok {
			c.as.stands(c.l, named.Obj().Pos())
		}
		c.dynamicType(e.of)
	}
	for _, init := range c.inits {
		init.begin(c.isUsers(init.fn.Pkg.Pkg.Path()))
	}
	c.drain()
	return nil
}

// isUsers reports whether a package belongs to the user: calls in its variable initialisers are
// compiled even if their results are not used.
func (c *compiler) isUsers(path string) bool {
	p := c.l.listed[path]
	return path != preludePath && (p == nil || !c.l.isStandard(p))
}

func (c *compiler) root(name string) (*ssa.Function, error) {
	pkg := c.b.target
	if name == "main" && pkg.Pkg.Name() != "main" {
		return nil, problem("package %s is not a main package", pkg.Pkg.Path())
	}
	fn := pkg.Func(name)
	if fn == nil {
		return nil, problem("package %s has no function %s", pkg.Pkg.Path(), name)
	}
	if fn.Signature.TypeParams().Len() > 0 {
		return nil, problem("%s: function %s is generic; a root cannot be", c.l.position(fn.Pos()), name)
	}
	return fn, nil
}

// compile makes the program. Everything must have been reached before.
func (c *compiler) compile() (*ir.Program, error) {
	for _, fn := range c.order {
		c.captured(fn)
	}
	for _, init := range c.inits {
		c.captured(init.fn)
	}
	for _, fn := range c.order {
		c.declare(fn)
	}
	if err := c.globalVars(); err != nil {
		return nil, err
	}
	c.kept = c.keptSlices()
	for _, fn := range c.order {
		if f := c.ir[fn]; !f.External && f.Code == nil {
			c.lower(fn, f, nil)
		}
	}
	for _, fn := range c.roots {
		c.out.Roots = append(c.out.Roots, c.ir[c.resolve(fn)])
	}
	c.out.Init = c.initFunc()
	c.methodTables()
	for _, e := range c.errorTypes() {
		t := c.types.of(e.of)
		t.Name, *e.to = e.name, t
	}
	for _, t := range c.out.Types[1:] {
		if _, n := t.Flatten(); n <= ir.MaxLayout {
			t.Layout() // computed now, so that programs are read-only afterwards
		}
	}
	return c.out, nil
}

// errorType is the type of a value that the machine panics with.
type errorType struct {
	to   **ir.Type
	of   types.Type
	name string
}

// errorTypes lists the types of the prelude with which the machine panics. The two that package
// runtime exports are missing if the program does not import it.
func (c *compiler) errorTypes() []errorType {
	m, e := c.b.models, &c.out.Errors
	return []errorType{
		{&e.Runtime, m.typeNamed("runtimeError"), "runtime.errorString"},
		{&e.Bounds, m.typeNamed("boundsError"), "runtime.boundsError"},
		{&e.Plain, m.typeNamed("plainError"), "runtime.plainError"},
		{&e.Assertion, m.typeNamed("exportedAssertionError", "assertionError"), "*runtime.TypeAssertionError"},
		{&e.Nil, m.typeNamed("exportedNilError", "nilError"), "*runtime.PanicNilError"},
	}
}

// declare makes the ir.Func of a function without its code.
func (c *compiler) declare(fn *ssa.Function) {
	if a := atomicOf(fn); a != nil && !c.b.hasBody(fn) {
		c.ir[fn] = c.atomicFunc(fn, a)
		return
	}
	if c.dynamic.simple != nil && fn.Name() == callsSimple && fn.Pkg != nil && fn.Pkg.Pkg == c.b.models.pkg {
		c.ir[fn] = c.simpleCalls(fn)
		return
	}
	full, short := funcNames(fn)
	f := &ir.Func{Short: short, Params: c.params(fn), Results: c.types.tuple(fn.Signature.Results()),
		DeferReg: ir.NoReg, Recover: -1, Declared: c.pos.of(fn.Pos())}
	if !c.b.hasBody(fn) {
		f.External, full = true, c.b.nameOf(fn)
	}
	for _, v := range fn.FreeVars {
		f.Free = append(f.Free, c.freeType(v))
	}
	f.Wrapper = isWrapper(fn)
	f.Model = strings.Contains(full, preludePath+".")
	f.Standard = c.isStandard(fn)
	f.Harness = c.isHarness(fn)
	f.NoRace = !f.Harness && c.isUnwatched(fn)
	if name := c.b.models.modelled(fn); name != "" {
		f.Short = name
	}
	c.addFunc(f, full)
	c.ir[fn] = f
}

// isStandard reports whether fn's source belongs to the standard library; of an instance and of a
// function literal, that of the function that it comes from.
func (c *compiler) isStandard(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg != nil && !c.isUsers(fn.Pkg.Pkg.Path())
}

func (c *compiler) isHarness(fn *ssa.Function) bool {
	return c.l.harness != "" && fn.Pos().IsValid() && c.l.fset.Position(fn.Pos()).Filename == c.l.harness
}

func isWrapper(fn *ssa.Function) bool {
	for _, prefix := range []string{"wrapper ", "thunk ", "bound ", "instantiation "} {
		if strings.HasPrefix(fn.Synthetic, prefix) {
			return true
		}
	}
	return false
}

// params are the parameters, the receiver first.
func (c *compiler) params(fn *ssa.Function) []*ir.Type {
	var params []*ir.Type
	if recv := fn.Signature.Recv(); recv != nil && !c.b.models.dropsReceiver(fn) {
		params = append(params, c.types.of(recv.Type()))
	}
	return append(params, c.types.tuple(fn.Signature.Params())...)
}

// addFunc gives a function its number and a unique name. External functions keep their names, which
// are their meaning.
func (c *compiler) addFunc(f *ir.Func, name string) {
	f.ID = len(c.out.Funcs)
	f.Name = name
	if !f.External {
		f.Name = numbered(name, c.names[name])
		c.names[name]++
	}
	c.out.Funcs = append(c.out.Funcs, f)
}

// external returns an External function for a name without source.
func (c *compiler) external(name string, params, results []*ir.Type) *ir.Func {
	key := name
	for _, t := range slices.Concat(params, results) {
		key += " " + t.Name
	}
	if f := c.extern[key]; f != nil {
		return f
	}
	f := &ir.Func{Short: name, Params: params, Results: results, DeferReg: ir.NoReg, Recover: -1, External: true}
	c.addFunc(f, name)
	c.extern[key] = f
	return f
}

func (c *compiler) globalVars() error {
	for _, g := range c.vars {
		if t := c.types.of(deref(g.Type())); t.Size > ir.MaxObject {
			return problem("%s: the variable %s is too large: %d words, of at most %d", c.l.position(g.Pos()), g.Name(), t.Size, ir.MaxObject)
		}
		c.out.Globals = append(c.out.Globals, &ir.Global{
			Name: g.String(), Type: c.types.of(deref(g.Type())), ReadOnly: !c.globals[g].written,
		})
	}
	return nil
}

// initFunc compiles the package initialisers, in order, and a function that
// calls them.
func (c *compiler) initFunc() *ir.Func {
	all := newAssembler(c, &ir.Func{Short: "init", DeferReg: ir.NoReg, Recover: -1})
	for _, init := range c.inits {
		if !init.needed() {
			continue
		}
		f := &ir.Func{Short: init.fn.Pkg.Pkg.Name() + ".init", DeferReg: ir.NoReg, Recover: -1}
		c.addFunc(f, init.fn.Pkg.Pkg.Path()+".init")
		c.lower(init.fn, f, init.live)
		all.call(&ir.Call{Kind: ir.CallStatic, Func: f, Fn: ir.NoReg}, ir.NoReg, ir.OpCall)
	}
	if len(all.f.Code) == 0 {
		return nil
	}
	all.emit(ir.Instr{Op: ir.OpReturn, X: all.list(nil)})
	all.finish()
	c.addFunc(all.f, "init")
	return all.f
}

// methodTables fills Type.Methods of the types that interface values hold.
func (c *compiler) methodTables() {
	for _, t := range c.dynamic.list {
		c.types.of(t).Dynamic = true
		set := c.b.prog.MethodSets.MethodSet(t)
		if set.Len() == 0 {
			continue
		}
		standard := true
		methods := make(map[string]*ir.Func, set.Len())
		var exported []string // by name, as method sets are sorted
		for i := range set.Len() {
			sel := set.At(i)
			key := c.types.methodKey(sel.Obj().(*types.Func))
			methods[key] = nil
			standard = standard && c.l.fromStandard(sel.Obj().Pkg())
			if sel.Obj().Exported() {
				exported = append(exported, key)
			}
			if !c.dynamic.called[key] {
				continue
			}
			if fn := c.b.prog.MethodValue(sel); fn != nil {
				methods[key] = c.ir[c.resolve(fn)]
			}
		}
		c.types.of(t).Methods, c.types.of(t).Exported, c.types.of(t).Standard = methods, exported, standard
	}
}
