package generator

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// checker type-checks many texts, loading each import once.
type checker struct {
	fset *token.FileSet
	imp  types.Importer
}

func newChecker() *checker {
	fset := token.NewFileSet()
	return &checker{fset, importer.ForCompiler(fset, "gc", nil)}
}

func (c *checker) check(name, source string) error {
	file, err := parser.ParseFile(c.fset, name, source, 0)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: c.imp, GoVersion: "go1.26"}
	_, err = conf.Check("main", c.fset, []*ast.File{file}, nil)
	return err
}

func TestProgram_Compiles(t *testing.T) {
	c := newChecker()
	failed := 0
	for seed := range uint64(5000) {
		source := Program(seed)
		if err := c.check("generated", source); err != nil {
			t.Errorf("program %d: %v\n%s", seed, err, source)
			if failed++; failed > 3 {
				t.FailNow()
			}
		}
	}
	_ = fmt.Sprint
}
