// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/test/level"
)

// Constructs of the language are compiled, and what the program keeps of them.

func TestLoad_CompilesEveryConstruct(t *testing.T) {
	files, err := filepath.Glob("testdata/constructs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			if level.Out(i, 3) {
				t.Skip("some files will do; -level more compiles all")
			}
			p := loadMain(t, "", file)
			if file == "testdata/constructs/library.go" {
				return // shows unsupported constructs, too
			}
			for _, f := range p.Funcs {
				for pc := range f.Code {
					if f.Code[pc].Op == ir.OpUnsupported && strings.Contains(f.Name, "main.") {
						t.Errorf("%s: %s", f.Name, p.Instr(f, pc))
					}
				}
			}
		})
	}
}

func TestLoad_LeavesOutInitialisersOfUnusedVariables(t *testing.T) {
	p := loadMain(t, "", "testdata/constructs/init.go")
	names := map[string]*ir.Global{}
	for _, g := range p.Globals {
		names[g.Name] = g
	}
	if names["main.unused"] != nil {
		t.Error("main.unused is compiled though nothing refers to it")
	}
	for _, name := range []string{"main.a", "main.lookups", "main.config"} {
		if g := names[name]; g == nil || !g.ReadOnly {
			t.Errorf("%s should be there and read-only", name)
		}
	}
	if !called(p, "main.expensive") {
		t.Error("a call with a possible effect was dropped from a user's package")
	}
}

func called(p *ir.Program, name string) bool {
	for _, c := range p.Calls {
		if c.Func != nil && c.Func.Name == name {
			return true
		}
	}
	return false
}

func TestLoad_MarksVariablesThatAreWrittenAsNotReadOnly(t *testing.T) {
	p := loadMain(t, writeFile(t, "main.go", `package main

type point struct{ x, y int }

var written, read, taken, element, nested int
var origin, moved point
var list [2]int
var p *int = &taken

func init() { read = 1 }

func main() {
	written = read + origin.x + list[written]
	moved.x = *p
	element = nested
	q := &moved.y
	*q = 1
}
`), "main.go")
	want := map[string]bool{"main.written": false, "main.read": true, "main.taken": false, "main.element": false,
		"main.nested": true, "main.origin": true, "main.moved": false, "main.list": true, "main.p": true}
	for _, g := range p.Globals {
		if w, ok := want[g.Name]; ok && w != g.ReadOnly {
			t.Errorf("%s: read-only %v, want %v", g.Name, g.ReadOnly, w)
		}
		delete(want, g.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing variables: %v", want)
	}
}

func TestLoad_FillsMethodTables(t *testing.T) {
	p := loadMain(t, "", "testdata/constructs/methods.go")
	for _, typ := range p.Types[1:] {
		if typ.Name == "main.dog" {
			if typ.Methods["main.sound() string"] == nil {
				t.Errorf("dog's sound is called through an interface but has no function: %v", typ.Methods)
			}
			if _, ok := typ.Methods["main.rename(string)"]; !ok {
				t.Errorf("dog's method set lacks rename: %v", typ.Methods)
			}
			return
		}
	}
	t.Error("no type main.dog")
}

func TestLoad_KeepsPositionsAndFileNames(t *testing.T) {
	p := loadMain(t, "testdata/constructs", "containers.go")
	for _, file := range p.Files {
		if strings.HasPrefix(file, "/") || strings.Contains(file, "..") {
			t.Errorf("file name %q depends on the machine", file)
		}
	}
	for _, f := range p.Funcs {
		for pc := range f.Code {
			if f.Pos[pc].Line == 0 && !strings.HasSuffix(f.Name, "init") && !f.Wrapper {
				t.Errorf("%s: instruction %d (%s) has no position", f.Name, pc, p.Instr(f, pc))
				break
			}
		}
	}
}
