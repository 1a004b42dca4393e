// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"strings"
	"testing"
)

// How much one has to know of other packages to read one, and of a struct to use it. The goals are those of the
// models: 2.5 imports per package, none over 9, no struct over 20 fields. What is beyond them today may not grow.

const (
	// mostOnAverage is how many packages of the product one of them imports on average: 3.65 when it was measured
	// (303 imports of 83 packages).
	mostOnAverage = 3.75
	mostImports   = 9  // of one package, unless it is in manyImports
	maxFields     = 20 // of a struct, unless it is in manyFields
)

// manyImports are the packages that import more, and how many.
var manyImports = map[string]int{
	"internal/engine/cmp":     16,
	"internal/engine/bounded": 15, // two of them to write a search down
	"internal/subject":        14,
	"internal/engine/refine":  13,
}

// manyFields are the structs that have more, by directory and name, and how many.
var manyFields = map[string]int{
	"internal/vm/state encoder": 29,
	"internal/vm Machine":       26,
	"internal/vm Options":       22,
	"internal/ir Func":          21,
}

// product says that a package belongs to the product: not to the command line, the case studies or what is for tests alone.
func product(path string) bool {
	for _, other := range []string{"cmd/", "collections", "internal/test/", "internal/arch"} {
		if strings.HasPrefix(path, other) {
			return false
		}
	}
	return true
}

// Counted are the imports of packages of this module by packages of the product; those of tests and of other modules are not.
func TestImports_AreFew(t *testing.T) {
	packages, imports := 0, 0
	for _, p := range list(t) {
		from, _ := local(p.ImportPath)
		if !product(from) {
			continue
		}
		n := 0
		for _, path := range p.Imports {
			if _, inside := local(path); inside {
				n++
			}
		}
		packages, imports = packages+1, imports+n
		if n > max(mostImports, manyImports[from]) {
			t.Errorf("%s imports %d packages of this module; at most %d", from, n, max(mostImports, manyImports[from]))
		}
	}
	average := float64(imports) / float64(packages)
	t.Logf("%d imports of %d packages: %.2f on average", imports, packages, average)
	if average > mostOnAverage {
		t.Errorf("a package imports %.2f others on average; at most %.2f", average, mostOnAverage)
	}
}

func TestStructs_HaveAtMost20Fields(t *testing.T) {
	for _, s := range sources(t) {
		if !library(s.path) {
			continue
		}
		dir := "."
		if i := strings.LastIndex(s.path, "/"); i >= 0 {
			dir = s.path[:i]
		}
		names := map[*ast.StructType]string{}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if x, ok := n.Type.(*ast.StructType); ok {
					names[x] = n.Name.Name
				}
			case *ast.StructType:
				name := dir + " " + names[n]
				if most := max(maxFields, manyFields[name]); n.Fields.NumFields() > most {
					t.Errorf("%s: %s has %d fields; at most %d", s.fset.Position(n.Pos()), name, n.Fields.NumFields(), most)
				}
			}
			return true
		})
	}
}
