// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
)

// maxInstances bounds how many combinations of type arguments are tried.
const maxInstances = 5000

// instantiate finds type arguments for a generic type or signature: int wherever
// the constraints allow it, else other basic types, else types of the package.
func instantiate(pkg *types.Package, generic types.Type, params *types.TypeParamList) (types.Type, []types.Type, error) {
	if params.Len() == 0 {
		return generic, nil, nil
	}
	lists := make([][]types.Type, params.Len())
	for i := range lists {
		lists[i] = candidates(pkg, params.At(i))
	}
	args := make([]types.Type, params.Len())
	tried := 0
	var found types.Type
	var search func(i int) bool
	search = func(i int) bool {
		if i == len(args) {
			tried++
			t, err := types.Instantiate(nil, generic, args, true)
			if err != nil {
				return tried >= maxInstances
			}
			found = t
			return true
		}
		for _, t := range lists[i] {
			args[i] = t
			if search(i + 1) {
				return true
			}
		}
		return false
	}
	search(0)
	if found == nil {
		return nil, nil, fmt.Errorf("no type of the package and no basic type satisfies the constraints %s", constraints(pkg, params))
	}
	return found, args, nil
}

// candidates are the types that satisfy a constraint by itself; all types if the
// constraint depends on other type parameters.
func candidates(pkg *types.Package, p *types.TypeParam) []types.Type {
	var all, out []types.Type
	for _, kind := range []types.BasicKind{types.Int, types.String, types.Int64, types.Uint64, types.Int32, types.Uint32,
		types.Uint, types.Int16, types.Uint16, types.Int8, types.Uint8, types.Uintptr, types.Float64, types.Float32, types.Bool} {
		all = append(all, types.Typ[kind])
	}
	all = append(all, types.NewPointer(types.Typ[types.Int]))
	all = append(all, packageTypes(pkg)...)
	constraint := p.Constraint().Underlying().(*types.Interface)
	for _, t := range all {
		if types.Satisfies(t, constraint) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

func constraints(pkg *types.Package, params *types.TypeParamList) string {
	s := ""
	for i := range params.Len() {
		if i > 0 {
			s += ", "
		}
		p := params.At(i)
		s += p.Obj().Name() + " " + typeString(p.Constraint(), pkg)
	}
	return "[" + s + "]"
}

// typeArgs writes type arguments as Go does.
func typeArgs(pkg *types.Package, args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	s := "["
	for i, t := range args {
		if i > 0 {
			s += ", "
		}
		s += typeString(t, pkg)
	}
	return s + "]"
}

// oneInstance is the assumption that the type arguments are those of the instance, if the code tells types apart: it may do something else with others.
func (c *candidate) oneInstance() []string {
	named, ok := types.Unalias(c.Subject.Type).(*types.Named)
	if !ok || c.clues == nil || c.clues.Apart[c.Type] == "" || named.TypeArgs().Len() == 0 {
		return nil
	}
	var are []string
	for i, arg := range argumentsOf(named) {
		are = append(are, named.TypeParams().At(i).Obj().Name()+" is "+typeString(arg, c.Subject.Name.Pkg()))
	}
	return []string{fmt.Sprintf("of its type arguments %s, and nothing else: the code tells types apart (%s)", enumerate(are), c.clues.Apart[c.Type])}
}

func argumentsOf(named *types.Named) (list []types.Type) {
	for t := range named.TypeArgs().Types() {
		list = append(list, t)
	}
	return list
}
