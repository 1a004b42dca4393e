// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"pangolin/internal/test/corpus"
)

// contrast is a difference between the outcomes of a program, with what it takes to see
// whether its cause is known.
type contrast struct {
	machine, native           []string // outcomes as text
	onlyMachine, onlyNatively []string
	onlyFree                  []string // those only natively that an execution without a race shows
	races                     [][2]int // lines of both sides of the machine's races
	lines                     map[construct]map[int]bool
}

// construct is what a line of a program contains.
type construct int

const (
	clearsSlice    construct = iota
	callsLibrary             // a function that moves elements: copy, append, of package sort, slices, maps
	asksChannel              // len or cap of a channel
	namesWide                // a variable of more than one word
	overwrites               // an assignment to a variable of a type of package sync
	storesEntry              // an assignment to an entry of a map, of a value that has to be found out
	triesRW                  // TryLock of an RWMutex
	readsRW                  // RLock, TryRLock, RLocker
	writesRW                 // Lock, TryLock of an RWMutex: what keeps other writers out
	begins                   // a goroutine, be it by a timer
	assignsSeveral           // an assignment of several values to as many places
)

// known are the causes of differences between the machine and what gc compiles with
// instrumentation that have been looked into. Texts with such a difference are counted.
// doc/disagreements.md says more about each.
var known = []struct {
	reason string
	covers func(c *contrast) bool
}{
	{"clear of a slice is not instrumented", func(c *contrast) bool {
		return c.onlyTheMachineRaces() && c.someRaceIsAt(clearsSlice) // natively, it goes with what comes before
	}},
	{"the machine takes a library function's move of an element for one step", func(c *contrast) bool {
		return c.behindRaces() && len(c.onlyMachine) == 0 && c.someRaceIsAt(callsLibrary)
	}},
	{"what has several words is written in a race", func(c *contrast) bool {
		return c.behindRaces() && c.someRaceIsAt(namesWide)
	}},
	{"what synchronises is overwritten in a race", func(c *contrast) bool {
		return c.behindRaces() && len(c.onlyMachine) == 0 && c.someRaceIsAt(overwrites)
	}},
	{"the length of a channel is a call if it is instrumented", func(c *contrast) bool {
		return c.behindRaces() && c.someRaceIsAt(asksChannel)
	}},
	{"the compiler reads the variable of a map behind the value that is stored in it", func(c *contrast) bool {
		return c.behindRaces() && len(c.onlyMachine) == 0 && c.someRaceIsAt(storesEntry)
	}},
	{"the compiler reads the first value of a parallel assignment behind the others", func(c *contrast) bool {
		return c.behindRaces() && c.someRaceIsAt(assignsSeveral)
	}},
	{"a reader that leaves without having come is taken for one that waits", func(c *contrast) bool {
		fatal := func(outcome string) bool { return strings.Contains(outcome, "sync: RUnlock of unlocked RWMutex") }
		return len(c.onlyMachine) == 0 && slices.ContainsFunc(c.machine, fatal) && slices.ContainsFunc(c.native, fatal)
	}},
	{"others go on between the misuse of a lock and the fatal error", func(c *contrast) bool {
		other := func(only, all []string) bool {
			return slices.ContainsFunc(only, func(o string) bool { return !misusesLock(o) && !endsBeforeMisuse(o, all) })
		}
		return slices.ContainsFunc(c.machine, misusesLock) && slices.ContainsFunc(c.native, misusesLock) &&
			!other(c.onlyMachine, c.machine) && !other(c.onlyNatively, c.native)
	}},
}

// endsBeforeMisuse says that a program has ended where it could as well have ended with the misuse of a lock: main was faster
// than the fatal error.
func endsBeforeMisuse(outcome string, all []string) bool {
	return slices.ContainsFunc(all, func(o string) bool { return misusesLock(o) && strings.HasPrefix(o, outcome+" ") })
}

// tears says that something of several words is written in a race. Natively its words may be of two values then, as the array of
// one slice with the length of another, and whoever writes to that one overwrites what lies behind it.
func tears(source string, races [][2]int) bool {
	c := &contrast{races: races, lines: constructs(source)}
	return c.someRaceIsAt(namesWide)
}

const torn = "known: what has several words is written in a race, and executions are not repeatable"

// misusesLock says that an outcome or a history ends with unlocking what is not locked.
func misusesLock(text string) bool {
	return strings.Contains(text, "sync: ") && strings.Contains(text, "nlock of unlocked")
}

// knownReason is why a difference about a text need not be one; "" if nothing is known.
func knownReason(source string, machine *said, other *second) string {
	c := &contrast{machine: keys(machine.outcomes), native: keys(other.outcomes), races: machine.races, lines: constructs(source)}
	for _, k := range c.native {
		if !slices.Contains(c.machine, k) {
			c.onlyNatively = append(c.onlyNatively, k)
			if slices.Contains(keys(other.free), k) {
				c.onlyFree = append(c.onlyFree, k)
			}
		}
	}
	for _, k := range c.machine {
		if other.complete && !slices.Contains(c.native, k) {
			c.onlyMachine = append(c.onlyMachine, k)
		}
	}
	for i := range known {
		if known[i].covers(c) {
			return known[i].reason
		}
	}
	return ""
}

// second is what native executions of a program have shown.
type second struct {
	outcomes []corpus.Outcome
	free     []corpus.Outcome // those of executions without a race
	complete bool             // there are no others
}

// behindRaces says that both sides have races, and that nothing is only natively but what comes
// behind one.
func (c *contrast) behindRaces() bool {
	return slices.Contains(c.machine, race) && slices.Contains(c.native, race) && len(c.onlyFree) == 0
}

func (c *contrast) onlyTheMachineRaces() bool {
	return len(c.onlyNatively) == 0 && slices.Contains(c.onlyMachine, race) // and what follows from it
}

// everyRaceIsAt says that one side of each race is on a line with such a construct.
func (c *contrast) everyRaceIsAt(k construct) bool {
	return !slices.ContainsFunc(c.races, func(r [2]int) bool { return !c.lines[k][r[0]] && !c.lines[k][r[1]] })
}

func (c *contrast) someRaceIsAt(k construct) bool {
	return slices.ContainsFunc(c.races, func(r [2]int) bool { return c.lines[k][r[0]] || c.lines[k][r[1]] })
}

// knowLibrary tells the importer where the library is; a test that is built with -trimpath does not know.
var knowLibrary = sync.OnceFunc(func() {
	if root, err := exec.Command("go", "env", "GOROOT").Output(); err == nil && build.Default.GOROOT == "" {
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
})

// constructs finds the lines of a program with each construct.
func constructs(source string) map[construct]map[int]bool {
	f := &finder{fset: token.NewFileSet(), found: map[construct]map[int]bool{},
		info: &gotypes.Info{Types: map[ast.Expr]gotypes.TypeAndValue{}, Uses: map[*ast.Ident]gotypes.Object{}}}
	file, err := parser.ParseFile(f.fset, "p.go", source, 0)
	if err != nil {
		return nil
	}
	knowLibrary()
	conf := gotypes.Config{Importer: importer.Default(), Error: func(error) {}}
	if _, err := conf.Check("p", f.fset, []*ast.File{file}, f.info); err != nil {
		return nil
	}
	ast.Inspect(file, f.visit)
	return f.found
}

type finder struct {
	fset  *token.FileSet
	info  *gotypes.Info
	found map[construct]map[int]bool
}

// note marks all lines of a node.
func (f *finder) note(k construct, n ast.Node) {
	if f.found[k] == nil {
		f.found[k] = map[int]bool{}
	}
	for line := f.fset.Position(n.Pos()).Line; line <= f.fset.Position(n.End()).Line; line++ {
		f.found[k][line] = true
	}
}

func (f *finder) visit(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		f.call(call)
	}
	if a, ok := n.(*ast.AssignStmt); ok {
		if len(a.Rhs) > 1 {
			f.note(assignsSeveral, a)
		}
		for _, left := range a.Lhs {
			if t, ok := f.info.TypeOf(left).(*gotypes.Named); ok && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "sync" {
				f.note(overwrites, left)
			}
			if f.isEntry(left) && (a.Tok != token.ASSIGN || slices.ContainsFunc(a.Rhs, f.varies)) {
				f.note(storesEntry, a)
			}
		}
	}
	if s, ok := n.(*ast.IncDecStmt); ok && f.isEntry(s.X) {
		f.note(storesEntry, s)
	}
	if g, ok := n.(*ast.GoStmt); ok {
		f.note(begins, g)
	}
	if e, ok := n.(ast.Expr); ok {
		if tv := f.info.Types[e]; tv.Addressable() && (parametric(tv.Type) || gotypes.SizesFor("gc", "amd64").Sizeof(tv.Type) > 8) {
			f.note(namesWide, e)
		}
	}
	return true
}

// isEntry says that an expression is an entry of a map.
func (f *finder) isEntry(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	_, ok = f.info.TypeOf(x.X).Underlying().(*gotypes.Map)
	return ok
}

// varies says that an expression is no constant.
func (f *finder) varies(e ast.Expr) bool { return f.info.Types[e].Value == nil }

// parametric says that the size of a type depends on a type parameter.
func parametric(t gotypes.Type) bool {
	switch t := t.(type) {
	case *gotypes.TypeParam:
		return true
	case *gotypes.Named:
		return t.TypeArgs().Len() > 0 && parametric(t.Underlying())
	case *gotypes.Array:
		return parametric(t.Elem())
	case *gotypes.Struct:
		for v := range t.Fields() {
			if parametric(v.Type()) {
				return true
			}
		}
	}
	return false
}

// saidBy is what calls of functions of the library are.
var saidBy = map[string][]construct{
	"(*sync.RWMutex).TryLock":  {triesRW, writesRW},
	"(*sync.RWMutex).Lock":     {writesRW},
	"(*sync.RWMutex).RLock":    {readsRW},
	"(*sync.RWMutex).TryRLock": {readsRW},
	"(*sync.RWMutex).RLocker":  {readsRW},
	"(*sync.WaitGroup).Go":     {begins},
	"time.AfterFunc":           {begins},
	"context.AfterFunc":        {begins},
}

func (f *finder) call(n *ast.CallExpr) {
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		if _, ok := f.info.Uses[fun].(*gotypes.Builtin); !ok || len(n.Args) == 0 {
			return
		}
		arg := f.info.TypeOf(n.Args[0]).Underlying()
		_, isSlice := arg.(*gotypes.Slice)
		_, isChan := arg.(*gotypes.Chan)
		switch {
		case fun.Name == "clear" && isSlice:
			f.note(clearsSlice, n)
		case (fun.Name == "len" || fun.Name == "cap") && isChan:
			f.note(asksChannel, n)
		case fun.Name == "copy" || fun.Name == "append":
			f.note(callsLibrary, n)
		}
	case *ast.SelectorExpr:
		if m, ok := f.info.Uses[fun.Sel].(*gotypes.Func); ok {
			for _, k := range saidBy[m.FullName()] {
				f.note(k, n)
			}
		}
		id, ok := fun.X.(*ast.Ident)
		if !ok {
			return
		}
		if pkg, ok := f.info.Uses[id].(*gotypes.PkgName); ok && slices.Contains([]string{"sort", "slices", "maps"}, pkg.Imported().Path()) {
			f.note(callsLibrary, n)
		}
	}
}
