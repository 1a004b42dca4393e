// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// expression is a Go expression in the scope of a package.
type expression struct {
	src   string
	ast   ast.Expr
	value types.TypeAndValue
}

// evaluate type-checks an expression that may use everything the package
// declares, unexported names included, and the packages that it imports.
func evaluate(pkg *types.Package, src string) (*expression, error) {
	e, err := parser.ParseExpr(src)
	if err != nil {
		return nil, fmt.Errorf("%q is not a Go expression", src)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := checkIn(pkg, e, info); err != nil {
		var typeErr types.Error
		if errors.As(err, &typeErr) {
			err = errors.New(typeErr.Msg)
		}
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	return &expression{src: src, ast: e, value: info.Types[e]}, nil
}

// checkIn checks an expression as if it stood in one of the package's files; or in one that imports
// what all of them import, though then the package is another one, with fields of its own.
func checkIn(pkg *types.Package, e ast.Expr, info *types.Info) error {
	for file := range pkg.Scope().Children() {
		if types.CheckExpr(token.NewFileSet(), pkg, file.Pos(), e, info) == nil {
			return nil
		}
		clear(info.Types)
	}
	return types.CheckExpr(token.NewFileSet(), scopeOf(pkg), token.NoPos, e, info)
}

// scopeOf is a package of the same path and scope in which the imports are
// visible too: those belong to files, of which types.CheckExpr knows nothing
// here.
func scopeOf(pkg *types.Package) *types.Package {
	p := types.NewPackage(pkg.Path(), pkg.Name())
	for _, name := range pkg.Scope().Names() {
		p.Scope().Insert(pkg.Scope().Lookup(name))
	}
	for _, imp := range pkg.Imports() {
		p.Scope().Insert(types.NewPkgName(token.NoPos, p, imp.Name(), imp))
	}
	return p
}

// asValue is the type of a value expression, of which what a constructor may give besides is split
// off.
func (e *expression) asValue() (t types.Type, also besides, err error) {
	if e.value.IsType() || e.value.IsBuiltin() {
		return nil, also, fmt.Errorf("%s is no value", e.src)
	}
	if tuple, ok := e.value.Type.(*types.Tuple); ok {
		if t, also = madeBy(tuple); t == nil {
			return nil, also, fmt.Errorf("%s does not give one value", e.src)
		}
		return t, also, nil
	}
	return e.value.Type, also, nil
}
