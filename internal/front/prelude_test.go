package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// declared collects the names under which a package's functions and variables
// can be modelled.
func declared(t *testing.T, path string) map[string]bool {
	names := map[string]bool{}
	dir := filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(path))
	pkgs, err := parser.ParseDir(token.NewFileSet(), dir, func(fi fs.FileInfo) bool {
		return !strings.HasSuffix(fi.Name(), "_test.go")
	}, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				declaredNames(path, decl, names)
			}
		}
	}
	return names
}

func declaredNames(path string, decl ast.Decl, names map[string]bool) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := path + "." + d.Name.Name
		if d.Recv != nil {
			recv, star := d.Recv.List[0].Type, ""
			if p, ok := recv.(*ast.StarExpr); ok {
				recv, star = p.X, "*"
			}
			id, ok := recv.(*ast.Ident)
			if !ok {
				return
			}
			name = "(" + star + path + "." + id.Name + ")." + d.Name.Name
		}
		names[name] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				for _, id := range v.Names {
					names[path+"."+id.Name] = true
				}
			}
		}
	}
}

func TestPrelude_ModelsOnlyWhatExists(t *testing.T) {
	if _, err := os.Stat(filepath.Join(runtime.GOROOT(), "src")); err != nil {
		t.Skip("no source of the standard library")
	}
	l := &loader{fset: token.NewFileSet()}
	files, err := l.preludeSources()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.for_ == "" {
			continue
		}
		names := declared(t, f.for_)
		for _, group := range f.file.Comments {
			for _, c := range group.List {
				if name, ok := strings.CutPrefix(c.Text, modelDirective); ok && !names[name] {
					t.Errorf("package %s has no %s", f.for_, name)
				}
			}
		}
	}
}

func TestPrelude_ReplacesFunctionsThroughTheirModels(t *testing.T) {
	p := loadMain(t, "", "testdata/constructs/syncs.go")
	for _, f := range p.Funcs {
		switch f.Name {
		case "(*sync.Once).Do", "(*sync.Map).Range", "sync.OnceValue", "(*sync.Pool).Get", "(*sync.Cond).Broadcast":
			t.Errorf("%s is not replaced by its model", f.Name)
		}
	}
}
