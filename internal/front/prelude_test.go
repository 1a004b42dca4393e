// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// declared collects the names under which a package's functions and variables
// can be modelled.
func declared(t *testing.T, path string) map[string]bool {
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(goroot(t), "src", filepath.FromSlash(path), "*.go"))
	if err != nil || len(files) == 0 {
		t.Skipf("no source of package %s", path)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			declaredNames(path, decl, names)
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
	l := &loader{fset: token.NewFileSet()}
	files, err := l.preludeSources()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]map[string]bool{}
	for _, f := range files {
		for _, group := range f.file.Comments {
			for _, c := range group.List {
				name, ok := strings.CutPrefix(c.Text, modelDirective)
				if !ok {
					continue
				}
				path := packageOfName(name)
				if known[path] == nil {
					known[path] = declared(t, path)
				}
				if !known[path][name] {
					t.Errorf("package %s has no %s", path, name)
				}
			}
		}
	}
}

// packageOfName takes the package's path from "(*path.T).Method" or "path.f".
func packageOfName(name string) string {
	name = strings.TrimLeft(name, "(*")
	if end := strings.IndexByte(name, ')'); end >= 0 {
		name = name[:end]
	}
	return name[:strings.LastIndexByte(name, '.')]
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
