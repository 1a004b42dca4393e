// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pangolin/verdict"
)

// CheckNew is Check for the collection that a function makes. The function must have a name and no parameters, and be declared by the
// collection's package, possibly in a test file:
//
//	func newSmallQueue() *Queue { return NewQueueOf(2) }
//
//	func TestQueue(t *testing.T) {
//		pangolin.CheckNew(t, NewQueue)
//		pangolin.CheckNew(t, newSmallQueue)
//		pangolin.CheckNew(t, NewQueueOf[string])
//	}
//
// A function literal or a method value has no name by which the collection's package could call it: it fails the test with a message that
// says what to write instead.
func CheckNew[T any](t testing.TB, newCollection func() T) []verdict.Verdict {
	t.Helper()
	r, err := requestOf(newCollection)
	if err != nil {
		t.Fatalf("pangolin: CheckNew is given %v", err)
		return nil
	}
	return Check(t, r)
}

// requestOf makes the request about the collection that a function makes.
func requestOf(f any) (Request, error) {
	made := reflect.TypeOf(f).Out(0)
	named := made
	if made.Kind() == reflect.Pointer {
		named = made.Elem()
	}
	pc := reflect.ValueOf(f).Pointer()
	fn := runtime.FuncForPC(pc)
	file, _ := fn.FileLine(pc)
	return Constructor{Function: fn.Name(), File: file, Made: made.String(), Type: named.Name(), Package: named.PkgPath()}.Request()
}

// Constructor describes a function that makes collections, as packages runtime and reflect spell it.
type Constructor struct {
	Function string // "example.com/queue.NewQueue"
	File     string // in which it is declared
	Made     string // "*queue.Queue"
	Type     string // "Queue"
	Package  string // of the type: "example.com/queue"
}

// Request is the request about the collection that the function makes. The error's text goes on behind "it is given".
func (c Constructor) Request() (Request, error) {
	if c.Package == "" {
		return Request{}, fmt.Errorf("a function that makes a %s, which has no package of its own: Request.New names a constructor", c.Made)
	}
	path, name := splitFunction(c.Function)
	bare, generic := strings.CutSuffix(name, "[...]")
	if path != c.Package || strings.Contains(bare, ".") || strings.HasSuffix(bare, "-fm") {
		return Request{}, fmt.Errorf("%s, which package %s cannot call by a name: "+
			"declare func newForTest() %s in a _test.go file of that package and give that, or name an expression of the package by Request.New",
			describeFunction(name), c.Package, c.Made)
	}
	_, arguments, _ := strings.Cut(c.Type, "[")
	if generic {
		bare += "[" + strings.ReplaceAll(arguments, c.Package+".", "")
	}
	// Type arguments of the collection's own package may be declared in its test files.
	return Request{Packages: []string{c.Package}, New: bare + "()", Tests: strings.HasSuffix(c.File, "_test.go") || strings.Contains(arguments, c.Package+".")}, nil
}

// describeFunction says what sort of function has a name, as package runtime spells it: "TestQueue.func1" is a literal.
func describeFunction(name string) string {
	if method, ok := strings.CutSuffix(name, "-fm"); ok {
		return "the method value " + method
	}
	if strings.Contains(strings.TrimSuffix(name, "[...]"), ".") {
		return "a function literal or a method"
	}
	return "the function " + name + " of another package"
}

// splitFunction splits a function's name, as package runtime spells it, into the path of its package and the rest: "a/b.f.func1" into "a/b"
// and "f.func1".
func splitFunction(full string) (path, name string) {
	slash := strings.LastIndexByte(full, '/')
	dot := strings.IndexByte(full[slash+1:], '.')
	return full[:slash+1+dot], full[slash+dot+2:]
}
