package pangolin

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pangolin/verdict"
)

// CheckNew is Check of the collection that a function makes: a constructor without parameters, a
// function literal that returns one, or a method value.
//
//	func TestQueue(t *testing.T) {
//		pangolin.CheckNew(t, NewQueue)
//		pangolin.CheckNew(t, func() *Queue { return NewQueueOf(2) })
//		pangolin.CheckNew(t, Options{Size: 2}.NewQueue)
//	}
//
// The source is found by itself. It may name what the collection's package declares and imports,
// what its test files declare, and variables of the test that are made once and not used before.
func CheckNew[T any](t testing.TB, newCollection func() T) []verdict.Verdict {
	t.Helper()
	r, err := requestOf(newCollection)
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return nil
	}
	return Check(t, r)
}

// requestOf is about what a function makes.
func requestOf(f any) (Request, error) {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	made := reflect.TypeOf(f).Out(0)
	named := made
	if made.Kind() == reflect.Pointer {
		named = made.Elem()
	}
	pkg := named.PkgPath()
	if pkg == "" {
		return Request{}, fmt.Errorf("a %s has no package of its own: Request.New names a constructor", made)
	}
	path, name := splitFunction(fn.Name())
	r := Request{Packages: []string{pkg}}
	file, line := fn.FileLine(reflect.ValueOf(f).Pointer())
	if path == pkg && !strings.Contains(name, ".") && !strings.HasSuffix(name, "-fm") {
		r.New = instantiated(name, named) + "()"
		r.Tests = inTest(file) || ownArguments(named)
		return r, nil
	}
	m := &maker{pkg: pkg, made: made, named: named}
	var err error
	if strings.HasSuffix(name, "-fm") {
		call := callOf("CheckNew")
		err = m.argument(call.File, call.Line)
	} else {
		err = m.at(file, line)
	}
	r.New, r.Tests = m.expr, m.tests
	return r, err
}

// callOf is the frame that calls a function of this package.
func callOf(function string) runtime.Frame {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	within := false
	for {
		frame, more := frames.Next()
		_, name := splitFunction(frame.Function)
		ours := name == function || strings.HasPrefix(name, function+"[")
		if within && !ours || !more {
			return frame
		}
		within = within || ours
	}
}
