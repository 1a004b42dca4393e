package fidelity

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// checker type-checks many programs, loading each import once.
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

func TestGenerate_ProgramsCompile(t *testing.T) {
	c := newChecker()
	for seed := range uint64(300) {
		source := Generate(seed, Options{Races: seed%4 == 3})
		if err := c.check("generated", source); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, source)
		}
	}
}

func TestGenerate_IsDeterministic(t *testing.T) {
	for seed := range uint64(10) {
		if first, again := Generate(seed, Options{}), Generate(seed, Options{}); first != again {
			t.Errorf("seed %d gives two programs", seed)
		}
		if first, again := GenerateSequential(seed), GenerateSequential(seed); first != again {
			t.Errorf("seed %d gives two sequential programs", seed)
		}
	}
}

func TestGenerate_ProgramsEnd(t *testing.T) {
	runs, count := 4, 4
	if *nativeRuns > 0 {
		runs, count = *nativeRuns, 100
	}
	var programs []Program
	for seed := range count {
		programs = append(programs, GenerateProgram(uint64(seed), Options{}))
	}
	got, err := RunNative(programs, NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: runs, Timeout: 5e9})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		for _, o := range got[i] {
			if o.Endless {
				t.Errorf("%s does not end:\n%s", p.Name, p.Source)
			}
			if *nativeRuns > 0 {
				t.Log(p.Name, o)
			}
		}
	}
}

func TestPaths_IsTheMultinomialCoefficient(t *testing.T) {
	for _, c := range []struct {
		steps []int
		want  int
	}{{[]int{}, 1}, {[]int{3, 3}, 20}, {[]int{4, 4, 3}, 11550}, {[]int{0, 5, 0}, 1}, {[]int{90, 90}, 1 << 40}} {
		var threads []thread
		for _, n := range c.steps {
			threads = append(threads, thread{steps: n})
		}
		if got := paths(threads); got != c.want {
			t.Errorf("paths(%v) = %d, want %d", c.steps, got, c.want)
		}
	}
}

func TestGenerateSequential_ProgramsCompile(t *testing.T) {
	c := newChecker()
	count := uint64(60)
	if *nativeRuns > 0 {
		count = 3000
	}
	for seed := range count {
		source := GenerateSequential(seed)
		if err := c.check("generated", source); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestGenerateSequential_ProgramsEndWithOneOutcome(t *testing.T) {
	count := 3
	if *nativeRuns > 0 {
		count = 200
	}
	var programs []Program
	for seed := range count {
		programs = append(programs, GenerateSequentialProgram(uint64(seed)))
	}
	got, err := RunNative(programs, NativeOptions{Module: moduleRoot, Work: t.TempDir(), Runs: 4, NoPerturb: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		if len(got[i]) != 1 || got[i][0].Exit != 0 || got[i][0].Stderr != "" {
			t.Errorf("%s: %d outcomes, the first exits with %d: %s", p.Name, len(got[i]), got[i][0].Exit, got[i][0].Panic)
		}
		if *nativeRuns > 0 {
			t.Log(p.Name, len(p.Source), "bytes of source,", len(got[i][0].Stdout), "of output")
		}
	}
}
