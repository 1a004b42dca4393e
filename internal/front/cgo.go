// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/ast"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"pangolin/internal/ir"
)

// The go command is asked with CGO_ENABLED=0: to list a package for its verification would else run
// cgo and a C compiler, with the flags that the package itself chooses. A package with files for
// cgo is compiled as on a machine without a C compiler: from its other files, which a verdict about
// it says. A package that cannot be compiled without them is refused.

// addCFiles adds the cgo files to each package that has no others. Without them such a package
// would be passed over as empty; with them it is reported as one that cannot be compiled.
func addCFiles(roots []*packages.Package) {
	packages.Visit(roots, nil, func(p *packages.Package) {
		if len(p.GoFiles) > 0 || len(p.IgnoredFiles) == 0 {
			return
		}
		if c := cFiles(p); len(c) > 0 {
			p.GoFiles, p.Errors = c, nil
		}
	})
}

// cFiles are the Go files of a package that only a build with cgo has, as absolute paths. The
// standard library has none here: what it does without cgo is what it does on other systems.
func cFiles(p *packages.Package) (list []string) {
	if p.Module == nil && p.PkgPath != "command-line-arguments" {
		return nil
	}
	with := build.Default
	with.CgoEnabled, with.BuildTags = true, tagsOf(os.Getenv("GOFLAGS"))
	for _, file := range p.IgnoredFiles {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		if built, err := with.MatchFile(filepath.Dir(file), filepath.Base(file)); err == nil && built {
			list = append(list, file)
		}
	}
	return list
}

// tagsOf are the build tags among the flags of the go command, for example a and b in "-mod=mod
// -tags=a,b".
func tagsOf(flags string) []string {
	for _, flag := range strings.Fields(flags) {
		if tags, ok := strings.CutPrefix(strings.TrimPrefix(flag, "-"), "-tags="); ok {
			return strings.Split(tags, ",")
		}
		if tags, ok := strings.CutPrefix(flag, "-tags="); ok {
			return strings.Split(tags, ",")
		}
	}
	return nil
}

// usesC is the error about the first of some files that imports C, or nil if none does.
func (l *loader) usesC(files []string) error {
	for _, file := range files {
		if !filepath.IsAbs(file) {
			file = filepath.Join(l.dir, file)
		}
		f, err := l.parse(file, nil)
		if err != nil {
			continue // the parse error is reported when the file is compiled
		}
		if err := l.importsC(f); err != nil {
			return err
		}
	}
	return nil
}

// importsC is the error about files of a package that import C, or nil.
func (l *loader) importsC(files ...*ast.File) error {
	for _, f := range files {
		for _, imp := range f.Imports {
			if imp.Path.Value == `"C"` {
				return problem("%s: package %s uses cgo, which is not supported", l.position(imp.Pos()), f.Name.Name)
			}
		}
	}
	return nil
}

// noteC notes the files for cgo that the packages of a program are compiled without.
func (l *loader) noteC(notes *ir.Notes) {
	for _, p := range l.order {
		if !l.fromSource(p) {
			continue
		}
		var names []string
		for _, file := range cFiles(p) {
			names = append(names, filepath.Base(file))
		}
		if len(names) > 0 {
			notes.Add("package " + p.Name + " is compiled without cgo: " + strings.Join(names, ", ") + " left out")
		}
	}
}

// onlyC lists the packages that a pattern with "..." matches only where there is cgo: the go
// command passes over packages in whose directories no file is built. To list names alone (-find)
// executes nothing of theirs.
func (l *loader) onlyC(ctx context.Context, q question, found []*packages.Package) ([]*packages.Package, error) {
	var wide []string
	for _, pattern := range q.patterns {
		if strings.Contains(pattern, "...") {
			wide = append(wide, pattern)
		}
	}
	if len(wide) == 0 {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-find", "-f", "{{if .CgoFiles}}{{.ImportPath}}{{end}}", "--"}, wide...)...)
	cmd.Dir, cmd.Env = l.dir, append(Environment(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		return nil, ctx.Err() // whatever is wrong is reported for the packages that were found
	}
	var names []string
	for _, name := range strings.Fields(string(out)) {
		if !slices.ContainsFunc(found, func(p *packages.Package) bool { return p.PkgPath == name }) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return packages.Load(l.config(ctx), names...)
}
