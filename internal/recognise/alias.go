// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// aliasesIn are the exported aliases of unexported types of a package, by type: type Stack[T any] = stack[T].
func aliasesIn(pkg *types.Package) map[*types.TypeName][]*types.TypeName {
	out := map[*types.TypeName][]*types.TypeName{}
	for _, name := range pkg.Scope().Names() {
		tn := typeNamed(pkg, name)
		if tn == nil || !tn.IsAlias() || !tn.Exported() {
			continue
		}
		if named, ok := types.Unalias(tn.Type()).(*types.Named); ok && named.Obj().Pkg() == pkg && !named.Obj().Exported() {
			of := named.Origin().Obj()
			out[of] = append(out[of], tn)
		}
	}
	return out
}

// otherInstances lists the aliases of a generic type that are instances of it, and not the one that was found.
func otherInstances(c *candidate, aliases []*types.TypeName) (list []collection.Rejected) {
	for _, tn := range aliases {
		named := types.Unalias(tn.Type()).(*types.Named)
		if parametersOf(tn).Len() == 0 && named.TypeArgs().Len() > 0 && !types.Identical(named, c.Subject.Type) {
			list = append(list, collection.Rejected{Type: tn.Name(), Why: fmt.Sprintf("it is another instance of %s than %s, which is: Request.Type names it", c.Type, c.Instance)})
		}
	}
	return list
}

// aliased is the type that an alias names, with the arguments that the user gives the alias: of Stack[string], stack[string]; of Stack, stack.
func aliased(pkg *types.Package, tn *types.TypeName, named *types.Named, asked string) (string, error) {
	params := parametersOf(tn)
	if params.Len() == 0 {
		return typeString(named, pkg), nil
	}
	same := func(t types.Type, p *types.TypeParam) bool { return types.Identical(t, p) }
	if !slices.EqualFunc(slices.Collect(named.TypeArgs().Types()), slices.Collect(params.TypeParams()), same) {
		return "", fmt.Errorf("%s is an alias of %s: give Request.Type that with its type arguments", tn.Name(), typeString(named, pkg))
	}
	_, arguments, found := strings.Cut(asked, "[")
	if !found {
		return named.Obj().Name(), nil
	}
	return named.Obj().Name() + "[" + arguments, nil
}

// parametersOf are an alias's own type parameters; nil, which is empty, if it has none.
func parametersOf(tn *types.TypeName) *types.TypeParamList {
	if alias, ok := tn.Type().(*types.Alias); ok {
		return alias.TypeParams()
	}
	return nil
}
