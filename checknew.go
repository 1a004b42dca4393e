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
		t.Fatalf("pangolin: %v", err)
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
	pkg := named.PkgPath()
	if pkg == "" {
		return Request{}, fmt.Errorf("a %s has no package of its own: Request.New names a constructor", made)
	}
	pc := reflect.ValueOf(f).Pointer()
	fn := runtime.FuncForPC(pc)
	file, _ := fn.FileLine(pc)
	path, name := splitFunction(fn.Name())
	bare, generic := strings.CutSuffix(name, "[...]")
	if path != pkg || strings.Contains(bare, ".") || strings.HasSuffix(bare, "-fm") {
		return Request{}, fmt.Errorf("CheckNew is given %s, which package %s cannot call by a name: "+
			"declare func newForTest() %s in a _test.go file of that package and give that, or write pangolin.Check(t, pangolin.Request{Packages: []string{%q}, New: \"...\"})",
			describeFunction(name), pkg, made, pkg)
	}
	_, arguments, _ := strings.Cut(named.Name(), "[")
	if generic {
		bare += "[" + strings.ReplaceAll(arguments, pkg+".", "")
	}
	// Type arguments of the collection's own package may be declared in its test files.
	return Request{Packages: []string{pkg}, New: bare + "()", Tests: strings.HasSuffix(file, "_test.go") || strings.Contains(arguments, pkg+".")}, nil
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
