package pangolin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// maker finds the source of what makes collections of a package, as an expression in the words of
// that package. It looks at syntax only.
type maker struct {
	pkg         string // import path
	made, named reflect.Type
	expr        string // what was found
	tests       bool   // it needs the test files of the package

	fset *token.FileSet
	file *ast.File
	path string
}

// parse reads the file in which something stands. Paths that the go command has trimmed are those of
// the directory that the test runs in.
func (m *maker) parse(path string) (err error) {
	m.path, m.fset = path, token.NewFileSet()
	if !filepath.IsAbs(path) {
		m.path = filepath.Base(path)
	}
	m.file, err = parser.ParseFile(m.fset, m.path, nil, 0)
	return err
}

func (m *maker) line(n ast.Node) int { return m.fset.Position(n.Pos()).Line }

// at finds the function literal on a line of a file, or the generic function of the package that is
// there.
func (m *maker) at(path string, line int) error {
	if err := m.parse(path); err != nil {
		return err
	}
	var found []*ast.FuncLit
	generic := ""
	ast.Inspect(m.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if m.line(n) == line {
				found = append(found, n)
			}
		case *ast.FuncDecl:
			if n.Type.TypeParams != nil && m.line(n) <= line && line <= m.fset.Position(n.End()).Line {
				generic = n.Name.Name
			}
		}
		return true
	})
	switch {
	case len(found) == 0 && generic != "":
		m.expr, m.tests = instantiated(generic+"[...]", m.named)+"()", inTest(path) || ownArguments(m.named)
		return nil
	case len(found) != 1:
		return fmt.Errorf("%s:%d: there are %d function literals on this line, not one", path, line, len(found))
	}
	return m.take(found[0], called(found[0]))
}

// argument finds what a call of CheckNew is given: a method value.
func (m *maker) argument(path string, line int) error {
	if err := m.parse(path); err != nil {
		return err
	}
	var found []*ast.SelectorExpr
	ast.Inspect(m.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || m.line(call) > line || m.fset.Position(call.End()).Line < line {
			return true
		}
		if sel, ok := call.Args[1].(*ast.SelectorExpr); ok && isCallOf(call, "CheckNew") {
			found = append(found, sel)
		}
		return true
	})
	if len(found) != 1 {
		return fmt.Errorf("%s:%d: CheckNew is not given a method value here: give it a function literal that makes the receiver and calls the method", path, line)
	}
	return m.take(found[0], &ast.CallExpr{Fun: found[0]})
}

// isCallOf says that a call is one of a function with a name, of whatever package.
func isCallOf(call *ast.CallExpr, name string) bool {
	fun := call.Fun
	if inst, ok := fun.(*ast.IndexExpr); ok {
		fun = inst.X
	}
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		return fun.Sel.Name == name
	case *ast.Ident:
		return fun.Name == name
	}
	return false
}

// take makes an expression of what stands in the source, and of the variables of the function around
// it that it uses.
func (m *maker) take(source, value ast.Expr) error {
	l := &locals{fset: m.fset, file: m.file, path: m.path, expr: source}
	needed, err := l.declarations()
	if err != nil {
		return err
	}
	m.tests = m.usesTests(append(needed, &ast.ExprStmt{X: source}))
	if len(needed) > 0 {
		result := ast.NewIdent(m.typeName())
		body := append(slices.Clone(needed), &ast.ReturnStmt{Results: []ast.Expr{value}})
		value = called(&ast.FuncLit{Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: result}}}},
			Body: &ast.BlockStmt{List: body}})
	}
	var b strings.Builder
	err = format.Node(&b, m.fset, unqualified(value, m.importName()))
	m.expr = b.String()
	return err
}

// typeName is the type that is made, in the words of its package.
func (m *maker) typeName() string {
	name := strings.ReplaceAll(m.named.Name(), m.pkg+".", "")
	if m.made.Kind() == reflect.Pointer {
		return "*" + name
	}
	return name
}

// importName is the name under which the file knows the package; "" if it is the file's own.
func (m *maker) importName() string {
	for _, imp := range m.file.Imports {
		if strings.Trim(imp.Path.Value, "\"`") != m.pkg {
			continue
		}
		if imp.Name != nil {
			return imp.Name.Name
		}
		name, _, _ := strings.Cut(m.named.String(), ".")
		return name
	}
	return ""
}

// usesTests says that statements name what test files declare: their own package's, or the one that
// the file imports for its tests.
func (m *maker) usesTests(list []ast.Stmt) bool {
	declared := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(m.path), "*_test.go")) // the pattern is well formed
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // which the compiler will say
		}
		for _, d := range f.Decls {
			for _, name := range declaredNames(d) {
				declared[name] = true
			}
		}
	}
	base, _, _ := strings.Cut(m.named.Name(), "[")
	uses := declared[base]
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && declared[id.Name] {
				uses = true
			}
			return !uses
		})
	}
	return uses
}

// declaredNames are those of functions, types, variables and constants of a package.
func declaredNames(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// called is what a function literal returns, if that is all it does, or its call.
func called(l *ast.FuncLit) ast.Expr {
	if body := l.Body.List; len(body) == 1 {
		if ret, ok := body[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
			return ret.Results[0]
		}
	}
	return &ast.CallExpr{Fun: &ast.ParenExpr{X: l}}
}

// unqualified is a node in which what stands behind the name of a package stands alone.
func unqualified(n ast.Node, name string) ast.Node {
	if name == "" {
		return n
	}
	strip := func(e *ast.Expr) {
		if sel, ok := (*e).(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name {
				*e = sel.Sel
			}
		}
	}
	if e, ok := n.(ast.Expr); ok {
		strip(&e)
		n = e
	}
	ast.Inspect(n, func(n ast.Node) bool {
		v := reflect.ValueOf(n)
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return true
		}
		for i := range v.Elem().NumField() {
			switch field := v.Elem().Field(i).Addr().Interface().(type) {
			case *ast.Expr:
				strip(field)
			case *[]ast.Expr:
				for k := range *field {
					strip(&(*field)[k])
				}
			}
		}
		return true
	})
	return n
}

// ownArguments says that a type has type arguments of its own package, which may be declared in its
// test files.
func ownArguments(t reflect.Type) bool {
	_, args, _ := strings.Cut(t.Name(), "[")
	return strings.Contains(args, t.PkgPath()+".")
}

// inTest says that a file belongs to tests.
func inTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// splitFunction splits a function's name, as package runtime has it, into the path of its package
// and what is behind it.
func splitFunction(full string) (path, name string) {
	slash := strings.LastIndexByte(full, '/')
	dot := strings.IndexByte(full[slash+1:], '.')
	return full[:slash+1+dot], full[slash+dot+2:]
}

// instantiated is a generic function's name with the type arguments of what it makes.
func instantiated(name string, made reflect.Type) string {
	bare, generic := strings.CutSuffix(name, "[...]")
	if !generic {
		return name
	}
	_, args, _ := strings.Cut(made.Name(), "[")
	return bare + "[" + strings.ReplaceAll(args, made.PkgPath()+".", "")
}
