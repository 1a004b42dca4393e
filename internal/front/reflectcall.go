// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"pangolin/internal/ir"
)

// Methods that are called by reflection, as testify's suites are: reflect.Type.Method(i).Func.Call. Which ones only the execution
// knows. So a program that asks for methods in this way has all methods compiled that reflection can call here: those that are exported and have
// neither parameters nor results, of types outside of the standard library that are put into interfaces.

// callsSimple is the name of the prelude's function that calls one of them. Its code is a call of each through an interface, so that whoever
// follows calls (Effects, the order of accesses) sees them.
const callsSimple = "reflectCallSimple"

// callsMethods notes that reflection calls methods.
func (r *reacher) callsMethods() {
	d := r.dynamic
	d.simple = map[string]bool{}
	for i := 0; i < len(d.list); i++ { // it grows
		r.simpleMethods(d.list[i])
	}
}

// simpleMethods notes the methods of a type that reflection may call.
func (r *reacher) simpleMethods(t types.Type) {
	set := r.b.prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		if sig := m.Signature(); !m.Exported() || sig.Params().Len() > 0 || sig.Results().Len() > 0 || r.l.fromStandard(m.Pkg()) {
			continue
		}
		key := r.types.methodKey(m)
		r.dynamic.simple[key] = true
		r.calledMethod(key)
	}
}

// fromStandard says whether a package is one of the standard library's.
func (l *loader) fromStandard(pkg *types.Package) bool {
	if pkg == nil {
		return true
	}
	p := l.listed[pkg.Path()]
	return pkg.Path() == preludePath || p != nil && l.isStandard(p)
}

// simpleCalls lists those methods by name, and writes the function that calls the one with a number: func(v any, n int).
func (c *compiler) simpleCalls(fn *ssa.Function) *ir.Func {
	c.out.Simple = slices.Sorted(maps.Keys(c.dynamic.simple))
	full, short := funcNames(fn)
	f := &ir.Func{Short: short, Params: c.params(fn), DeferReg: ir.NoReg, Recover: -1, Declared: c.pos.of(fn.Pos()), Model: true}
	a := newAssembler(c, f)
	v, n := a.value(f.Params[0]), a.value(f.Params[1])
	for i, key := range c.out.Simple {
		cond, yes, no := a.scalar(), a.newLabel(), a.newLabel()
		a.emit(ir.Instr{Op: ir.OpEq, Dst: cond, A: n, B: c.consts.word(uint64(i), ir.Scalar), Num: ir.I64})
		a.branch(cond, yes, no)
		a.place(yes, "call")
		a.call(&ir.Call{Kind: ir.CallMethod, Fn: v, Method: key}, ir.NoReg, ir.OpCall)
		a.emit(ir.Instr{Op: ir.OpReturn, X: a.list(nil)})
		a.place(no, "next")
	}
	a.unsupported("reflection calls a method that has parameters or results, or belongs to the standard library")
	a.finish()
	c.addFunc(f, full)
	return f
}
