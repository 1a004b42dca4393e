// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// reacher finds what a program can execute, from its roots: functions that are
// called or used as values, methods of types that become interface values and
// whose name and signature is called through an interface, and those parts of
// the package initialisers that matter.
type reacher struct {
	b       *built
	l       *loader
	types   *typeTable
	work    []*ssa.Function
	funcs   map[*ssa.Function]bool
	order   []*ssa.Function // in the order they were reached
	globals map[*ssa.Global]*globalUse
	vars    []*ssa.Global
	dynamic *dynamic
	inits   []*initialiser
	missing map[string]bool // packages whose source is needed for the next attempt
	as      *pretence       // nil: none
}

// globalUse is what is known of a package variable that was reached.
type globalUse struct {
	index   int
	written bool // written outside of initialisers, or its address is taken
}

// dynamic is what decides which methods calls through interfaces may execute.
type dynamic struct {
	types   typeutil.Map // types whose values were put into interfaces
	list    []types.Type
	called  map[string]bool // keys of the methods that were called (methodKey)
	methods map[string][]*types.Selection
	// reflects says that reflection makes interface values of what is found inside of others.
	reflects bool
	// simple are the keys of the methods that reflection may call, see simpleMethods; nil: it calls none.
	simple map[string]bool
}

func newReacher(l *loader, b *built, table *typeTable, as *pretence) *reacher {
	r := &reacher{b: b, l: l, types: table, funcs: map[*ssa.Function]bool{},
		globals: map[*ssa.Global]*globalUse{}, missing: map[string]bool{}, as: as,
		dynamic: &dynamic{called: map[string]bool{}, methods: map[string][]*types.Selection{}}}
	r.dynamic.types.SetHasher(typeutil.MakeHasher())
	for _, pkg := range b.sources {
		if as.hides(l, pkg.Pkg) {
			continue
		}
		r.inits = append(r.inits, newInitialiser(r, pkg.Func("init")))
	}
	return r
}

// function reaches fn, or its model.
func (r *reacher) function(fn *ssa.Function) {
	fn = r.resolve(fn)
	if r.funcs[fn] {
		return
	}
	r.funcs[fn] = true
	if fn.Pkg != nil && fn.Pkg.Pkg == r.b.models.pkg {
		switch fn.Name() {
		case "reflectKnown":
			r.reflection()
		case callsSimple:
			r.callsMethods()
		}
	}
	r.order = append(r.order, fn)
	r.work = append(r.work, fn)
}

// resolve returns the function that is executed when fn is called.
func (r *reacher) resolve(fn *ssa.Function) *ssa.Function {
	m := r.b.model(fn)
	if r.as.lacksBody(r.l, fn) { // nor are its file's directives known
		m = r.b.models.function(fn, originName(fn))
	}
	if m != nil {
		r.as.stands(r.l, m.Pos())
		return m
	}
	return fn
}

// drain scans functions until nothing new is reached.
func (r *reacher) drain() {
	for len(r.work) > 0 {
		fn := r.work[0]
		r.work = r.work[1:]
		r.scan(fn)
	}
}

func (r *reacher) scan(fn *ssa.Function) {
	if !r.b.hasBody(fn) || r.as.lacksBody(r.l, fn) {
		r.withoutBody(fn)
		return
	}
	inInit := isInitFunc(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			r.instruction(instr, inInit)
		}
	}
}

// withoutBody asks for the source of a function's package if there may be any.
func (r *reacher) withoutBody(fn *ssa.Function) {
	if atomicOf(fn) != nil {
		return
	}
	r.needs(packageOf(fn))
}

// needs asks for the source of a package unless it is never compiled.
func (r *reacher) needs(pkg *types.Package) {
	if pkg != nil && !isBuiltin(pkg.Path()) {
		r.missing[pkg.Path()] = true
	}
}

// isInitFunc says whether fn is an init function that a programmer wrote: it
// runs before everything else but its package's variables' initialisers.
func isInitFunc(fn *ssa.Function) bool {
	obj := fn.Object()
	return obj != nil && obj.Name() == "init" && fn.Signature.Recv() == nil && fn.Parent() == nil
}

// instruction reaches what an executed instruction refers to.
func (r *reacher) instruction(instr ssa.Instruction, inInit bool) {
	if _, ok := instr.(*ssa.DebugRef); ok {
		return
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		switch v := (*op).(type) {
		case *ssa.Function:
			if !calledInline(instr, v) {
				r.function(v)
			}
		case *ssa.Global:
			r.global(v, instr, inInit)
		}
	}
	switch instr := instr.(type) {
	case *ssa.MakeInterface:
		r.dynamicType(instr.X.Type())
	case *ssa.Panic:
		r.panics()
		if name, _ := rangePanic(instr); name != "" {
			r.function(r.b.models.named(name))
		}
	case ssa.CallInstruction:
		r.call(instr.Common())
	}
}

func (r *reacher) call(c *ssa.CallCommon) {
	if c.IsInvoke() {
		r.calledMethod(r.types.methodKey(c.Method))
		return
	}
	b, ok := c.Value.(*ssa.Builtin)
	switch {
	case !ok:
	case b.Name() == "panic":
		r.panics()
	case isFloatMinMax(b, c):
		r.function(r.b.models.named(b.Name() + "Float"))
	}
}

// panics records that the program may panic with a value of its own, whose text is asked for when
// it ends.
func (r *reacher) panics() {
	r.calledMethod("Error() string")
	r.calledMethod("String() string")
}

func isFloatMinMax(b *ssa.Builtin, c *ssa.CallCommon) bool {
	if b.Name() != "min" && b.Name() != "max" {
		return false
	}
	basic, ok := c.Args[0].Type().Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsFloat != 0
}

// calledInline says whether instr is a call of a function that becomes an
// instruction.
func calledInline(instr ssa.Instruction, fn *ssa.Function) bool {
	call, ok := instr.(*ssa.Call)
	return ok && call.Call.Value == ssa.Value(fn) && atomicOf(fn) != nil
}

// global reaches a package variable that instr refers to.
func (r *reacher) global(g *ssa.Global, instr ssa.Instruction, inInit bool) {
	if m := r.b.models.global(g); m != g {
		r.as.stands(r.l, m.Pos())
		g = m
	}
	use := r.globals[g]
	if use == nil {
		use = &globalUse{index: len(r.vars)}
		r.globals[g] = use
		r.vars = append(r.vars, g)
		r.needs(g.Pkg.Pkg)
		for _, init := range r.inits {
			init.reached(g)
		}
	}
	if !use.written && !harmless(instr, g, inInit) {
		use.written = true
	}
}

// harmless says whether instr, which has the address addr among its operands,
// only reads through it, or also writes through it if that is allowed.
func harmless(instr ssa.Instruction, addr ssa.Value, mayWrite bool) bool {
	var derived ssa.Value
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.MUL
	case *ssa.Store:
		return mayWrite && instr.Val != addr
	case *ssa.FieldAddr:
		derived = instr
	case *ssa.IndexAddr:
		derived = instr
	case *ssa.DebugRef:
		return true
	default:
		return false
	}
	for _, ref := range *derived.Referrers() {
		if !harmless(ref, derived, mayWrite) {
			return false
		}
	}
	return true
}

// dynamicType records that values of type t are put into interfaces.
func (r *reacher) dynamicType(t types.Type) {
	d := r.dynamic
	if types.IsInterface(t) || d.types.At(t) != nil {
		return
	}
	d.types.Set(t, true)
	d.list = append(d.list, t)
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "Value" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "reflect" {
		r.reflection() // package fmt prints what it is of, with its methods
	}
	set := r.b.prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		sel := set.At(i)
		key := r.types.methodKey(sel.Obj().(*types.Func))
		d.methods[key] = append(d.methods[key], sel)
		if d.called[key] {
			r.method(sel)
		}
	}
	r.components(t)
	if d.reflects {
		r.reflected(t)
	}
	if d.simple != nil {
		r.simpleMethods(t)
	}
}

// reflection notes that reflection makes interface values of what is found inside of others.
func (r *reacher) reflection() {
	d := r.dynamic
	d.reflects = true
	for i := 0; i < len(d.list); i++ { // it grows
		r.reflected(d.list[i])
	}
}

// reflected notes the types of interface values that reflection makes from one of type t, beside its components: what a pointer points to, the
// address of a variable, what a channel gives.
func (r *reacher) reflected(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		r.dynamicType(u.Elem())
	case *types.Chan:
		r.dynamicType(u.Elem())
	}
	if _, ok := types.Unalias(t).(*types.Pointer); !ok {
		r.dynamicType(types.NewPointer(t))
	}
}

// components records the types of all parts of t: formatting a value calls the methods of its parts
// too. What a pointer points to has no methods that the pointer lacks, unless the pointer's type has a name: type P *T.
func (r *reacher) components(t types.Type) {
	_, named := types.Unalias(t).(*types.Named)
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		switch _, ok := t.Elem().Underlying().(*types.Pointer); {
		case ok:
		case named:
			r.dynamicType(t.Elem())
		default:
			r.components(t.Elem())
		}
	case *types.Slice:
		r.dynamicType(t.Elem())
	case *types.Array:
		r.dynamicType(t.Elem())
	case *types.Map:
		r.dynamicType(t.Key())
		r.dynamicType(t.Elem())
	case *types.Struct:
		r.fields(t)
	}
}

// fields records the types of fields that formatting may call methods of: exported ones, and those of an embedded struct, though its own name may not be exported.
func (r *reacher) fields(s *types.Struct) {
	for f := range s.Fields() {
		inner, ok := f.Type().Underlying().(*types.Struct)
		switch {
		case f.Exported():
			r.dynamicType(f.Type())
		case f.Embedded() && ok:
			r.fields(inner)
		}
	}
}

// calledMethod records that a method is called through an interface.
func (r *reacher) calledMethod(key string) {
	d := r.dynamic
	if d.called[key] {
		return
	}
	d.called[key] = true
	for _, sel := range d.methods[key] {
		r.method(sel)
	}
}

func (r *reacher) method(sel *types.Selection) {
	if fn := r.b.prog.MethodValue(sel); fn != nil {
		r.function(fn)
	}
}
