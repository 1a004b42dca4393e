// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Check and CheckFunc need a few facts of the test that calls them besides testing.TB: flags, the stack, files to read for the test cache. A
// test that imports module pangolin/check is in another process than these functions; its T implements Elsewhere.

// Elsewhere is a testing.TB that stands for a test in another process.
type Elsewhere interface {
	// Short reports whether that test was run with -short, Artifacts whether with -artifacts.
	Short() bool
	Artifacts() bool
	// Read lists directories and reads the Go files in them, for the test cache to know that the result depends on them.
	Read(dirs []string) error
	// Stack is the names of the functions that call CheckFunc, the innermost one first, as package runtime spells them.
	Stack() []string
	// Call is the number of this call of CheckFunc in its test, counted from 1.
	Call() int
}

// isShort reports whether a test was run with -short.
func isShort(t testing.TB) bool {
	if e, is := t.(Elsewhere); is {
		return e.Short()
	}
	return testing.Short()
}

// keepsArtifacts reports whether the test was run with -artifacts.
func keepsArtifacts(t testing.TB) bool {
	if e, is := t.(Elsewhere); is {
		return e.Artifacts()
	}
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

// readFiles reads the Go files in directories, for the test cache to know that the result depends on them.
func readFiles(t testing.TB, dirs []string) error {
	if e, is := t.(Elsewhere); is {
		return e.Read(dirs)
	}
	seen := map[string]bool{}
	for _, dir := range dirs {
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".go") {
				if _, err := os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stack is the names of the functions that call CheckFunc, the innermost one first.
func stack(t testing.TB) (names []string) {
	if e, is := t.(Elsewhere); is {
		return e.Stack()
	}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)]) // without Callers, stack and CheckFunc
	for {
		frame, more := frames.Next()
		names = append(names, frame.Function)
		if !more {
			return names
		}
	}
}

// calls counts the calls of CheckFunc by each test.
var calls sync.Map // of *int by testing.TB

// nextCall is the number of this call of CheckFunc in its test, counted from 1.
func nextCall(t testing.TB) int {
	if e, is := t.(Elsewhere); is {
		return e.Call()
	}
	n, known := calls.LoadOrStore(t, new(int))
	if !known {
		t.Cleanup(func() { calls.Delete(t) })
	}
	*n.(*int)++ // a test calls it from one goroutine at a time
	return *n.(*int)
}
