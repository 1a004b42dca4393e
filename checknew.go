package pangolin

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pangolin/verdict"
)

// CheckNew is Check of the collection that a function makes: a constructor without parameters, or
// a function literal that returns one.
//
//	func TestQueue(t *testing.T) {
//		pangolin.CheckNew(t, NewQueue)
//		pangolin.CheckNew(t, func() *Queue { return NewQueueOf(2) })
//	}
//
// The source is found by itself. It may name what the collection's package declares and imports,
// but nothing that is declared in tests.
func CheckNew[T any](t testing.TB, newCollection func() T) []verdict.Verdict {
	t.Helper()
	r, err := requestOf(newCollection)
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return nil
	}
	return Check(t, r)
}

// requestOf is about what a function makes.
func requestOf(f any) (Request, error) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	made := reflect.TypeOf(f).Out(0)
	if made.Kind() == reflect.Pointer {
		made = made.Elem()
	}
	pkg := made.PkgPath()
	if pkg == "" {
		return Request{}, fmt.Errorf("a %s has no package of its own: Request.New names a constructor", made)
	}
	path, name := splitFunction(fn.Name())
	r := Request{Packages: []string{pkg}}
	switch {
	case strings.HasSuffix(name, "-fm"):
		return r, fmt.Errorf("%s is a method of a value, of which nothing is known: give a function literal that makes both", strings.TrimSuffix(name, "-fm"))
	case path == pkg && !strings.Contains(name, "."):
		r.New = instantiated(name, made) + "()"
		return r, nil
	}
	var err error
	r.New, err = (&maker{pkg: pkg, made: made}).at(fn.FileLine(reflect.ValueOf(f).Pointer()))
	return r, err
}

// maker is what makes collections of a package.
type maker struct {
	pkg  string
	made reflect.Type
}

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

// at is the function literal on a line of a file as a Go expression that calls it, in the words
// of the collection's package; or the call of the generic function of that package that is there.
func (m *maker) at(file string, line int) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	on := func(n ast.Node) bool { return fset.Position(n.Pos()).Line == line }
	var found []*ast.FuncLit
	generic := ""
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if on(n) {
				found = append(found, n)
			}
		case *ast.FuncDecl:
			if n.Type.TypeParams != nil && fset.Position(n.Pos()).Line <= line && line <= fset.Position(n.End()).Line {
				generic = n.Name.Name
			}
		}
		return true
	})
	switch {
	case len(found) == 0 && generic != "":
		return instantiated(generic+"[...]", m.made) + "()", nil
	case len(found) != 1:
		return "", fmt.Errorf("%s:%d: there are %d function literals on this line, not one", file, line, len(found))
	}
	var b strings.Builder
	err = format.Node(&b, fset, unqualified(called(found[0]), importName(f, m.pkg)))
	return b.String(), err
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

// importName is the name under which a file knows a package; "" if it is the file's own.
func importName(f *ast.File, pkg string) string {
	for _, imp := range f.Imports {
		if strings.Trim(imp.Path.Value, "\"`") != pkg {
			continue
		}
		if imp.Name != nil {
			return imp.Name.Name
		}
		return pkg[strings.LastIndexByte(pkg, '/')+1:]
	}
	return ""
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
