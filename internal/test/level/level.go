// Package level says which part of a test is for which run: go test is for every change, and of long tables
// it tries a sample.
//
// There are three: with -short, a second or two for each package; without, what finds most faults in four minutes
// of CPU in all; and with a package's flag -more, everything, which .ci/run asks for. A
// case that a run leaves out is tried by the next longer one: nothing is left out of all.
//
// It is for tests alone, and knows nothing of what they try.
package level

import (
	"runtime/debug"
	"testing"
)

// Tests compile programs and drop them, again and again: with Go's usual share a quarter of their time
// goes to collecting garbage.
func init() { debug.SetGCPercent(400) }

// InShort skips a test, or a case of it, with -short.
func InShort(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip(why)
	}
}

// Out says that case i of a table is left out of this run: without -more (all is false) one of so many is tried,
// with -short the first alone.
func Out(i, every int, all bool) bool {
	switch {
	case all:
		return false
	case testing.Short():
		return i > 0
	}
	return i%every != 0
}
