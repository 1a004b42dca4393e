// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The prelude is Go source that models functions and variables of standard
// packages. Three directives connect it with them:
//
//	//pangolin:for PKG ...  above the package clause: the file is used when
//	                        a source package imports one PKG (without it: always)
//	//pangolin:model NAME   above a function or variable: it stands for NAME, as
//	                        ssa.Function.String and ssa.Global.String print it
//
// A model of a generic function is a method of a generic struct type without
// fields, with the same type parameters. Functions without a body are External,
// "pangolin/prelude.name". A build constraint that never holds keeps the files
// from the go command, which could not compile them.
//
//go:embed prelude/*.go
var preludeFiles embed.FS

const (
	preludePath    = "pangolin/prelude"
	forDirective   = "//pangolin:for "
	modelDirective = "//pangolin:model "
)

// models maps the names of standard functions and variables to what stands for
// them.
type models struct {
	prog    *ssa.Program
	pkg     *types.Package
	objects map[string]types.Object
	methods map[*types.Func]bool    // models of generic functions
	stands  map[types.Object]string // the name that an object is a model of; one of them if there are several
	ctxt    *types.Context
}

// preludeFile is a parsed file of the prelude.
type preludeFile struct {
	file   *ast.File
	models []string // the packages that it models; none for all programs
}

// preludeSources parses all files of the prelude, once for all attempts.
func (l *loader) preludeSources() ([]preludeFile, error) {
	if l.prelude != nil {
		return l.prelude, nil
	}
	names, err := fs.Glob(preludeFiles, "prelude/*.go")
	if err != nil {
		return nil, err
	}
	var files []preludeFile
	for _, name := range names {
		src, err := preludeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(l.fset, "pangolin/"+name, src, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, preludeFile{file: f, models: strings.Fields(directive(f.Doc, f.Comments, forDirective))})
	}
	l.prelude = files
	return files, nil
}

// directive finds a directive with a prefix in a doc comment, or in any comment before the package
// clause, and returns what follows it.
func directive(doc *ast.CommentGroup, others []*ast.CommentGroup, prefix string) string {
	groups := others
	if doc != nil {
		groups = append([]*ast.CommentGroup{doc}, others...)
	}
	for _, g := range groups {
		for _, c := range g.List {
			if arg, ok := strings.CutPrefix(c.Text, prefix); ok {
				return strings.TrimSpace(arg)
			}
		}
	}
	return ""
}

// prelude type-checks files of the prelude.
func (c *checker) prelude(files []*ast.File) (*models, error) {
	res, err := c.check(preludePath, files, "", func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if p := c.l.listed[path]; p != nil {
			return c.load(p)
		}
		return nil, fmt.Errorf("the prelude imports %s, which the program does not depend on", path)
	})
	if err != nil {
		return nil, fmt.Errorf("prelude: %w", err)
	}
	c.sources = append(c.sources, res)
	m := &models{pkg: res.pkg, objects: map[string]types.Object{}, stands: map[types.Object]string{},
		methods: map[*types.Func]bool{}, ctxt: types.NewContext()}
	for _, f := range files {
		m.collect(f, res.info)
	}
	return m, nil
}

// neededPrelude selects files for what an attempt's source packages import.
func (c *checker) neededPrelude(all []preludeFile) []*ast.File {
	imported := map[string]bool{}
	for pkg := range c.seen {
		imported[pkg.Path()] = true
	}
	return preludeFor(all, imported)
}

// preludeFor selects files: those for packages that are imported, by source packages or by a selected file, which are added.
func preludeFor(all []preludeFile, imported map[string]bool) []*ast.File {
	taken := make([]bool, len(all))
	for changed := true; changed; {
		changed = false
		for i, f := range all {
			if taken[i] || len(f.models) > 0 && !slices.ContainsFunc(f.models, func(path string) bool { return imported[path] }) {
				continue
			}
			taken[i], changed = true, true
			for _, imp := range f.file.Imports {
				imported[strings.Trim(imp.Path.Value, `"`)] = true
			}
		}
	}
	var files []*ast.File
	for i, f := range all {
		if taken[i] {
			files = append(files, f.file)
		}
	}
	return files
}

// collect reads the model directives of a file.
func (m *models) collect(f *ast.File, info *types.Info) {
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			m.add(d.Doc, info.Defs[d.Name])
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				doc := v.Doc
				if doc == nil {
					doc = d.Doc
				}
				m.add(doc, info.Defs[v.Names[0]])
			}
		}
	}
}

// add records which names obj is a model of.
func (m *models) add(doc *ast.CommentGroup, obj types.Object) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		if name, ok := strings.CutPrefix(c.Text, modelDirective); ok {
			m.objects[strings.TrimSpace(name)] = obj
			if m.stands[obj] == "" {
				m.stands[obj] = strings.TrimSpace(name)
			}
			if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
				m.methods[f] = true
			}
		}
	}
}

// function returns the model of fn, whose name is looked up, or nil. A model that is a method of a
// generic type is instantiated as fn is; its receiver has no words.
func (m *models) function(fn *ssa.Function, name string) *ssa.Function {
	obj, _ := m.objects[name].(*types.Func)
	if obj == nil {
		return nil
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return m.prog.FuncValue(obj)
	}
	inst, err := types.Instantiate(m.ctxt, types.Unalias(recv.Type()).(*types.Named).Origin(), fn.TypeArgs(), false)
	if err != nil {
		return nil
	}
	return m.prog.LookupMethod(inst, m.pkg, obj.Name())
}

// dropsReceiver says whether fn is a model that is a method only to have type
// parameters: callers do not pass the receiver.
func (m *models) dropsReceiver(fn *ssa.Function) bool {
	obj, _ := fn.Object().(*types.Func)
	return obj != nil && m.methods[obj.Origin()]
}

// modelled returns the name that fn is a model of, or "".
func (m *models) modelled(fn *ssa.Function) string {
	if obj, ok := fn.Object().(*types.Func); ok {
		return m.stands[obj.Origin()]
	}
	return ""
}

// global returns the model of a variable, or the variable itself.
func (m *models) global(g *ssa.Global) *ssa.Global {
	if obj, ok := m.objects[g.String()].(*types.Var); ok {
		return m.prog.Package(m.pkg).Var(obj.Name())
	}
	if renamed[g.String()] {
		if fs := m.prog.ImportedPackage("io/fs"); fs != nil && fs.Var(g.Name()) != nil {
			return fs.Var(g.Name())
		}
	}
	return g
}

// renamed are the variables of package os that have the value of the variable of io/fs with the
// same name.
var renamed = map[string]bool{"os.ErrInvalid": true, "os.ErrPermission": true, "os.ErrExist": true, "os.ErrNotExist": true, "os.ErrClosed": true}

// named returns a function of the prelude.
func (m *models) named(name string) *ssa.Function { return m.prog.Package(m.pkg).Func(name) }

// typeNamed returns the type of the first object of the prelude among names that the program has.
func (m *models) typeNamed(names ...string) types.Type {
	for _, name := range names {
		if obj := m.pkg.Scope().Lookup(name); obj != nil {
			return obj.Type()
		}
	}
	return nil
}
