// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A kernel of the distribution repeats itself up to ten thousand times and writes a profile. The program made from it does neither:
// code that prepares or writes the profile is replaced by blanks, so that line numbers stay, and the kernel runs once. A loop inside it
// with 50 rounds or more runs twice.

// kernel is a function of a file of the distribution.
type kernel struct {
	name  string           // of the function: "Cockroach584"
	file  string           // that declares it
	leaks []*regexp.Regexp // the leaks that the tests name, such as "f.func1() [chan send]"
}

// kernels lists the kernels that the tests of the goroutine leak profile name, in their order.
func kernels() (list []*kernel, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output() // a binary built with -trimpath does not know it
	if err != nil {
		return nil, fmt.Errorf("the kernels are part of Go's distribution, which the go command does not name: %w", err)
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src", "runtime")
	data := filepath.Join(src, "testdata", "testgoroutineleakprofile")
	files := map[string]string{} // by function
	for _, pattern := range []string{"*.go", "goker/*.go"} {
		names, err := filepath.Glob(filepath.Join(data, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			for _, m := range registers.FindAllSubmatch(text, -1) {
				files[string(m[1])] = name
			}
		}
	}
	tests := filepath.Join(src, "goroutineleakprofile_test.go")
	f, err := parser.ParseFile(token.NewFileSet(), tests, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("the kernels are part of Go's distribution, version 1.26 or later: %w", err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if k := kernelOf(n); k != nil && files[k.name] != "" {
			k.file = files[k.name]
			list = append(list, k)
		}
		return true
	})
	return list, nil
}

// registers matches the registration of a kernel.
var registers = regexp.MustCompile(`register\("(\w+)"`)

// kernelOf makes the kernel of a call of makeTest or makeFlakyTest, whose arguments are the name and the leaks; nil if n is another node.
func kernelOf(n ast.Node) *kernel {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if f, ok := call.Fun.(*ast.Ident); !ok || f.Name != "makeTest" && f.Name != "makeFlakyTest" {
		return nil
	}
	var texts []string
	for _, arg := range call.Args {
		if lit, ok := arg.(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				return nil
			}
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	k := &kernel{name: texts[0]}
	for _, text := range texts[1:] {
		k.leaks = append(k.leaks, regexp.MustCompile(text))
	}
	return k
}

// texts are the patterns of leaks.
func texts(list []*regexp.Regexp) (out []string) {
	for _, re := range list {
		out = append(out, re.String())
	}
	return out
}

// cuts lists repetitions that are not bounds of loops: by kernel, the text and its replacement.
var cuts = map[string][2]string{
	"SpawnGC":    {"spawnGCMaxDepth = 5", "spawnGCMaxDepth = 2"},
	"DaisyChain": {"chain(1000,", "chain(2,"},
	"Etcd7902":   {"(rcs, 100)", "(rcs, 2)"},
	"Istio18454": {"eventChCap_istio18454 = 1024", "eventChCap_istio18454 = 4"},
}

// program returns the kernel's file as a program with a main function; repaired, if fix is not nil.
func (k *kernel) program(fix *repair) ([]byte, error) {
	text, err := os.ReadFile(k.file)
	if err != nil {
		return nil, err
	}
	if fix != nil {
		if text, err = fix.apply(text); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(k.file), err)
		}
	}
	if c, ok := cuts[k.name]; ok {
		text = bytes.Replace(text, []byte(c[0]), []byte(c[1]), 1)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, k.file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	e := &edit{text: text, at: func(p token.Pos) int { return fset.Position(p).Offset }}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			e.function(fn, fn.Name.Name == k.name)
		}
	}
	e.imports(f)
	return append(e.text, "\nconst yieldCount = 1\n\nfunc main() { "+k.name+"() }\n"...), nil
}

// edit changes a file in place: removed text becomes blanks.
type edit struct {
	text []byte
	at   func(token.Pos) int
}

// blank removes a node.
func (e *edit) blank(n ast.Node) {
	for i := e.at(n.Pos()); i < e.at(n.End()); i++ {
		if e.text[i] != '\n' {
			e.text[i] = ' '
		}
	}
}

func (e *edit) source(n ast.Node) []byte { return e.text[e.at(n.Pos()):e.at(n.End())] }

// function removes from a function what concerns the profile, and reduces repetitions; top is the kernel itself.
func (e *edit) function(fn *ast.FuncDecl, top bool) {
	if fn.Name.Name == "init" && fn.Recv == nil {
		e.blank(fn)
		return
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			for _, s := range n.List {
				e.statement(s)
			}
		case *ast.ForStmt:
			e.repeat(n, top && slices.Contains(fn.Body.List, ast.Stmt(n)))
		}
		return true
	})
}

var (
	profiles = regexp.MustCompile(`^prof(\.WriteTo\(|iler? := | := pprof)`)
	yields   = regexp.MustCompile(`^for [^{]*\{\s*(//[^\n]*\s*)*runtime\.Gosched\(\)\s*\}$`)
)

// statement removes statements about the profile, waiting loops before it, and the body of the deferred function that writes it. The
// function literal itself stays, because later ones are named by their number.
func (e *edit) statement(s ast.Stmt) {
	d, deferred := s.(*ast.DeferStmt)
	switch {
	case deferred && bytes.Contains(e.source(s), []byte("prof.WriteTo")):
		if f, ok := d.Call.Fun.(*ast.FuncLit); ok {
			for _, s := range f.Body.List {
				e.blank(s)
			}
		}
	case profiles.Match(e.source(s)) || yields.Match(e.source(s)):
		e.blank(s)
	}
}

// repeat changes the bound of a loop, "i < 100": to 1 in the kernel's own loop, and to 2 in others with 50 rounds or more.
func (e *edit) repeat(n *ast.ForStmt, top bool) {
	cond, ok := n.Cond.(*ast.BinaryExpr)
	if !ok {
		return
	}
	lit, ok := cond.Y.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return
	}
	times, err := strconv.Atoi(string(e.source(lit)))
	if err != nil || times < 50 && !top {
		return
	}
	e.blank(lit)
	e.text[e.at(lit.Pos())] = '2'
	if top {
		e.text[e.at(lit.Pos())] = '1'
	}
}

// imports removes the imports that are no longer used.
func (e *edit) imports(f *ast.File) {
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && e.text[e.at(sel.Pos())] != ' ' {
			used[string(e.source(sel.X))] = true
		}
		return true
	})
	for _, spec := range f.Imports {
		if !used[path.Base(strings.Trim(spec.Path.Value, `"`))] {
			e.blank(spec)
		}
	}
}
