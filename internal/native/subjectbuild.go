package native

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// site is where subjects are built: a module on disk, or, for those given as text, the
// workshop itself. Nothing is written into a module: what is added goes through the go
// command's overlay.
type site struct {
	*workshop
	root     string            // directory of the module
	module   string            // its path
	overlay  map[string]string // file to file
	table    strings.Builder   // of subjects, in Go
	imports  []string
	known    map[string]*listedPackage
	types    types.Importer
	n        int
	below    string   // where the runner's package is, below the module
	more     string   // Go text for the runner's table
	apart    []string // packages that are made here
	laidOver int      // how many files are laid over others
}

type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Standard                bool
	Imports, Deps           []string
	Error                   *struct{ Err string }
}

// runnerDir is the last element of the path of a runner's package.
const runnerDir = "zz_turn_native"

func (s *site) runnerPath() string { return path.Join(s.module, s.below, runnerDir) }

// list asks the go command for packages with all they need. Those that nobody imports are not compiled
// for that: the runner compiles them with its own flags.
func (s *site) list(ctx context.Context, paths []string) (err error) {
	if s.known, err = s.listed(ctx, "ImportPath,Dir,GoFiles,Standard,Imports,Deps,Error", append([]string{"-deps"}, paths...)); err != nil {
		return err
	}
	imported := []string{"fmt"} // by the harnesses and the runner
	for _, p := range s.known {
		if !p.Standard {
			imported = append(imported, p.Imports...)
		}
	}
	slices.Sort(imported)
	compiled, err := s.listed(ctx, "ImportPath,Export", append([]string{"-export", "-deps"}, slices.Compact(imported)...))
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for path, p := range compiled {
		exports[path] = p.Export
	}
	s.types = exportImporter(exports)
	return nil
}

// listed is what the go command says of packages, by import path.
func (s *site) listed(ctx context.Context, fields string, args []string) (map[string]*listedPackage, error) {
	out, err := s.goIn(ctx, s.root, append([]string{"list", "-e", "-json=" + fields}, args...)...)
	if err != nil {
		return nil, err
	}
	known := map[string]*listedPackage{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listedPackage)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return known, nil
		} else if err != nil {
			return nil, err
		}
		known[p.ImportPath] = p
	}
}

// markPath is the package that says things to the verifier.
const markPath = "pangolin/mark"

// repeatedFor are the packages that are initialised for each execution of a package.
func (s *site) repeatedFor(p *listedPackage) []string {
	list := []string{p.ImportPath}
	for _, d := range p.Deps {
		if q := s.known[d]; q != nil && !q.Standard && d != markPath {
			list = append(list, d)
		}
	}
	slices.Sort(list)
	return list
}

// add puts a subject into the runner and returns its number there.
func (s *site) add(sub *Subject) (int, error) {
	pkg := sub.Package
	p := s.known[pkg]
	if p == nil {
		return 0, fmt.Errorf("there is no package %s in %s", pkg, s.root)
	}
	if p.Error != nil {
		return 0, errors.New(p.Error.Err)
	}
	texts := map[string]string{}
	for _, name := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return 0, err
		}
		texts[name] = string(b)
	}
	number := s.n
	if sub.Harness != nil {
		sub.Harness.into(s, p, number)
		s.refer(p, number)
		return number, s.write(sub.Harness.files(number))
	}
	harness, err := harnessOf(pkg, texts, sub, number, s.types)
	if err != nil {
		return 0, err
	}
	name := fmt.Sprintf("zz_turn_harness_%d.go", number)
	file := fmt.Sprintf("harness/%d.go.txt", number)
	if err := s.write(map[string]string{file: harness}); err != nil {
		return 0, err
	}
	s.overlay[filepath.Join(p.Dir, name)] = filepath.Join(s.dir, file)
	s.refer(p, number)
	return number, nil
}

// refer adds a subject to the runner's table.
func (s *site) refer(p *listedPackage, number int) {
	s.n++
	alias := fmt.Sprintf("p%d", number)
	s.imports = append(s.imports, fmt.Sprintf("%s %q", alias, p.ImportPath))
	fmt.Fprintf(&s.table, "\t{%#v, %s.Turn_subject_%d},\n", s.repeatedFor(p), alias, number)
}

// harnessOf is a file for the subject's package: it makes the collection and calls it.
// The type checker says how many results there are, and of what type parameters are.
func harnessOf(path string, texts map[string]string, sub *Subject, number int, imports types.Importer) (string, error) {
	base, err := check(path, texts, imports)
	if err != nil {
		return "", err
	}
	head := fmt.Sprintf("package %s\n\n", base.name)
	probe := head + "func turn_probe() {\n\tvar turn_err error\n\t_ = turn_err\n\tc := " + sub.New + "\n\t_ = c\n}\n"
	withErr := head + "func turn_probe() {\n\tc, turn_err := " + sub.New + "\n\t_, _ = c, turn_err\n}\n"
	makes := "c := " + sub.New
	if _, err := checkWith(path, texts, probe, imports); err != nil {
		if _, err2 := checkWith(path, texts, withErr, imports); err2 != nil {
			return "", fmt.Errorf("the constructor %s: %w", sub.New, err)
		}
		makes = "c, turn_err := " + sub.New + "\n\tif turn_err != nil {\n\t\tpanic(turn_err)\n\t}"
	}
	var cases strings.Builder
	for i, op := range sub.Ops {
		text, err := callOf(path, texts, head, makes, op, imports)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&cases, "\t\tcase %d:\n%s", i, text)
	}
	return head + fmt.Sprintf(`func Turn_subject_%d(show func(any)) func(op int, a1, a2, a3, a4 int64, done func()) {
	%s
	_ = c
	return func(op int, a1, a2, a3, a4 int64, done func()) {
		switch op {
%s		default:
			panic("no such operation")
		}
	}
}
`, number, makes, cases.String()), nil
}

// callOf is the code for one operation.
func callOf(path string, texts map[string]string, head, makes string, op Op, imports types.Importer) (string, error) {
	call, err := callText(path, texts, head, makes, op, imports)
	if err != nil {
		return "", err
	}
	probe := head + "func turn_probe() {\n\tvar a1, a2, a3, a4 int64\n\t_, _, _, _ = a1, a2, a3, a4\n\t" + makes + "\n\t_ = c\n\t" + call + "\n}\n"
	s, err := checkWith(path, texts, probe, imports)
	if err != nil {
		return "", fmt.Errorf("the operation %s: %w", op.Name, err)
	}
	n := 0
	ast.Inspect(s.probe, func(node ast.Node) bool {
		if b, ok := node.(*ast.BlockStmt); ok {
			if last, ok := b.List[len(b.List)-1].(*ast.ExprStmt); ok {
				switch t := s.info.Types[last.X].Type.(type) {
				case *types.Tuple:
					n = t.Len()
				case nil:
				default:
					n = 1
				}
				if s.info.Types[last.X].IsVoid() {
					n = 0
				}
			}
			return false
		}
		return true
	})
	if n == 0 {
		return "\t\t\t" + call + "\n\t\t\tdone()\n", nil
	}
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("r%d", i))
	}
	return fmt.Sprintf("\t\t\t%s := %s\n\t\t\tdone()\n\t\t\tshow(%s)\n", strings.Join(names, ", "), call, strings.Join(names, ")\n\t\t\tshow(")), nil
}

// maxArgs is the most arguments that a call may have.
const maxArgs = 4

// callText is the call itself, with arguments converted to the parameters' types.
func callText(path string, texts map[string]string, head, makes string, op Op, imports types.Importer) (string, error) {
	if op.Call != "" {
		text := strings.ReplaceAll(op.Call, "$c", "c")
		for i := range maxArgs {
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i+1), fmt.Sprintf("int(a%d)", i+1))
		}
		return text, nil
	}
	probe := head + "func turn_probe() {\n\t" + makes + "\n\t_ = c\n\t_ = c." + op.Name + "\n}\n"
	s, err := checkWith(path, texts, probe, imports)
	if err != nil {
		return "", fmt.Errorf("the operation %s: %w", op.Name, err)
	}
	var sig *types.Signature
	ast.Inspect(s.probe, func(node ast.Node) bool {
		if sel, ok := node.(*ast.SelectorExpr); ok && sel.Sel.Name == op.Name && sig == nil {
			sig, _ = s.info.Types[sel].Type.(*types.Signature)
		}
		return true
	})
	if sig == nil {
		return "", fmt.Errorf("%s is no method", op.Name)
	}
	var args []string
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		switch u := t.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsNumeric == 0 {
				return "", fmt.Errorf("the operation %s has a parameter of type %s: say how it is called (Op.Call)", op.Name, t)
			}
			args = append(args, fmt.Sprintf("%s(a%d)", types.TypeString(t, func(p *types.Package) string {
				if p.Path() == path {
					return ""
				}
				return p.Name()
			}), i+1))
		case *types.Interface:
			args = append(args, fmt.Sprintf("int(a%d)", i+1))
		default:
			return "", fmt.Errorf("the operation %s has a parameter of type %s: say how it is called (Op.Call)", op.Name, t)
		}
	}
	return "c." + op.Name + "(" + strings.Join(args, ", ") + ")", nil
}

// SPDX-License-Identifier: BSD-3-Clause
