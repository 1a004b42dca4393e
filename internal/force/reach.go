// SPDX-License-Identifier: BSD-3-Clause

package force

import (
	"go/ast"
	"go/parser"
	"go/types"
)

// Accesses that are not in the schedule wait as well: a thread whose turn is over must not go
// on to what the schedule has for it later, or does not have at all. So a copy asks before every
// access of all code of the module that the operations can reach. What they can reach is found
// by names: a function that mentions another one reaches it, and a call through an interface
// reaches every method of that name.

// reach is a set of functions by their full names, and of methods by their names alone.
type reach struct {
	functions map[string]bool
	methods   map[string]bool
	bodies    []body
}

// body is a function with what it mentions.
type body struct {
	full, method string // method is "" if it is none
	mentions     []*types.Func
}

// add notes the functions of a checked file.
func (r *reach) add(f *ast.File, info *types.Info) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		obj, ok := info.Defs[fn.Name].(*types.Func)
		if !ok {
			continue
		}
		b := body{full: obj.FullName(), mentions: mentioned(fn.Body, info)}
		if fn.Recv != nil {
			b.method = fn.Name.Name
		}
		r.bodies = append(r.bodies, b)
	}
}

// mentioned are the functions that a piece of code names.
func mentioned(n ast.Node, info *types.Info) []*types.Func {
	var list []*types.Func
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := info.Uses[id].(*types.Func); ok {
				list = append(list, f.Origin())
			}
		}
		return true
	})
	return list
}

// mention adds a function. One that takes an interface may call its methods: those of sort.Sort
// and sync.NewCond are in the user's code, those of fmt.Sprint may be.
func (r *reach) mention(f *types.Func) {
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		r.methods[f.Name()] = true
		return
	}
	r.functions[f.FullName()] = true
	for p := range f.Signature().Params().Variables() {
		t := p.Type()
		if list, variadic := t.(*types.Slice); variadic {
			t = list.Elem()
		}
		taken, ok := t.Underlying().(*types.Interface)
		if _, isParameter := t.(*types.TypeParam); !ok || isParameter {
			continue
		}
		for m := range taken.Methods() {
			r.methods[m.Name()] = true
		}
		if taken.Empty() {
			r.methods["String"], r.methods["Error"] = true, true
		}
	}
}

func (r *reach) has(b *body) bool {
	return r.functions[b.full] || b.method != "" && r.methods[b.method]
}

// close adds what is reached from what is there.
func (r *reach) close() {
	done := map[string]bool{}
	for more := true; more; {
		more = false
		for i := range r.bodies {
			b := &r.bodies[i]
			if done[b.full] || !r.has(b) {
				continue
			}
			done[b.full], more = true, true
			r.functions[b.full] = true
			for _, f := range b.mentions {
				r.mention(f)
			}
		}
	}
}

// roots are the operations of a type, and what the constructor mentions: it may make functions
// that operations call.
func (r *reach) roots(made types.Type, operations []string, constructor string, pkg *types.Package) {
	for _, name := range operations {
		if m, _, _ := types.LookupFieldOrMethod(made, true, pkg, name); m != nil {
			if f, ok := m.(*types.Func); ok {
				r.mention(f.Origin())
			}
		}
	}
	x, err := parser.ParseExpr(constructor)
	if err != nil {
		return // whoever compiles it says so
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := pkg.Scope().Lookup(id.Name).(*types.Func); ok {
				r.mention(f)
			}
		}
		return true
	})
}
