// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/types"
	"slices"
	"testing"

	"pangolin/internal/ir"
)

func TestLinknames_ReadsDirectivesWithTwoNames(t *testing.T) {
	got := linknames([]byte("package p\n\n//go:linkname here there/pkg.name\nfunc here()\n\n//go:linkname pushed\n// //go:linkname a b\n"))
	if want := [][2]string{{"here", "there/pkg.name"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// hasFunc says whether a program has a function of this name that is, or is not,
// compiled.
func hasFunc(p *ir.Program, name string, external bool) bool {
	return slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return f.Name == name && f.External == external })
}

func TestLoad_GivenFunctionsOfTheTargetAreNotCompiled(t *testing.T) {
	harness := func(*types.Package) (string, []byte, error) {
		return "harness.go", []byte("package sync\nfunc op(o *Once) { o.Do(func() {}) }\n"), nil
	}
	for _, given := range []bool{false, true} {
		p, err := Load(context.Background(), Request{Patterns: []string{"sync"}, Harness: harness, Roots: []string{"op"},
			Given: func(name string) bool { return given && name == "(*sync.Mutex).Lock" }})
		if err != nil {
			t.Fatal(err)
		}
		if !hasFunc(p, "(*sync.Once).doSlow", false) || !hasFunc(p, "(*sync.Mutex).Lock", given) ||
			hasFunc(p, "internal/sync.runtime_SemacquireMutex", true) == given {
			t.Errorf("given %v: not the functions that were expected", given)
		}
	}
}
