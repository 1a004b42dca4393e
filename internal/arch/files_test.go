// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// rootFiles are the files of the root package from the top down.
func rootFiles() []string {
	return []string{"tests.go", "checkfunc.go", "checknew.go", "stillshown.go", "check.go", "elsewhere.go", "maker.go", "maker_locals.go", "run.go", "mutate.go", "clients.go", "points.go", "prepared.go", "verify.go", "believed.go", "replay.go", "compiledtests.go", "part.go", "kept.go", "witness.go", "several.go", "target.go", "missed.go", "settle.go", "swarm.go",
		"directive.go", "field.go", "bytesize.go", "request.go", "typed.go"}
}

// What a file of the root package uses of the package stands in a file below it.
func TestRoot_FilesOnlyUseThoseBelow(t *testing.T) {
	list, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile}, ".")
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatalf("%v %v", err, list)
	}
	p, seen := list[0], map[[2]string]bool{}
	for id, used := range p.TypesInfo.Uses {
		from, to := filepath.Base(p.Fset.Position(id.Pos()).Filename), filepath.Base(p.Fset.Position(used.Pos()).Filename)
		if used.Pkg() != p.Types || from == to || seen[[2]string{from, to}] {
			continue
		}
		seen[[2]string{from, to}] = true
		a, b := slices.Index(rootFiles(), from), slices.Index(rootFiles(), to)
		switch {
		case a < 0 || b < 0:
			t.Errorf("%s uses %s: one of them has no place in the list", from, to)
		case a > b:
			t.Errorf("%s uses %s of %s, which is above it", from, id.Name, to)
		}
	}
}

// The root is a facade: it leaves the work to few packages.
func TestRoot_UsesFewPackages(t *testing.T) {
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		if from != "." {
			continue
		}
		var inside []string
		for _, imp := range p.Imports {
			if to, ok := local(imp); ok {
				inside = append(inside, to)
			}
		}
		if len(inside) > 9 {
			t.Errorf("the root imports %d packages of the module: %v", len(inside), inside)
		}
	}
}
