// SPDX-License-Identifier: BSD-3-Clause

// Package level says how much a run of tests tries, by one flag of go test:
//
//	-level short   the first case of each table: a second or two for each package
//	-level usual   a sample of each table, which finds most faults: four minutes of CPU for all packages
//	-level more    every case that takes seconds: more than 90 minutes, by .ci/more
//	-level all     what takes many minutes or hours as well: large scopes, all mutants, other judges; by .ci/long
//
// usual is the default, and go test's own -short is -level short. Each level tries what the one before it tries, and
// a case that one level leaves out is tried by a longer one.
//
// It is for tests alone, and knows nothing of what they try. Which cases are tried is said by package flags.
package level

import (
	"flag"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Tests compile programs and drop them, again and again: with Go's usual share a quarter of their time
// goes to collecting garbage.
func init() { debug.SetGCPercent(400) }

// The levels, from the one that tries least.
const (
	short = iota
	usual
	more
	all
)

var names = []string{"short", "usual", "more", "all"}

// asked is the level that the flag names.
var asked = usual

func init() {
	flag.Func("level", "how much is tried: `"+strings.Join(names, "|")+"` (default usual; -short is -level short)", func(name string) error {
		if asked = slices.Index(names, name); asked < 0 {
			return fmt.Errorf("want one of %s", strings.Join(names, ", "))
		}
		return nil
	})
}

// now is the level of this run.
func now() int {
	if testing.Short() {
		return short
	}
	return asked
}

// Short says that the run tries the least: -level short, or -short.
func Short() bool { return now() == short }

// More says that the run tries every case that takes seconds: -level more, or all.
func More() bool { return now() >= more }

// All says that the run tries what takes many minutes as well: -level all.
func All() bool { return now() == all }

// SkipShort skips a test, or a case of it, with -level short.
func SkipShort(t testing.TB, why string) {
	t.Helper()
	if Short() {
		t.Skip(why)
	}
}

// Out says that case i of a table is left out of this run. Usually one case of so many is tried: Out(i, 5) leaves out
// all but the cases 0, 5, 10, and so on. In short it is the first alone, with -level more none is left out.
func Out(i, every int) bool {
	switch {
	case More():
		return false
	case Short():
		return i > 0
	}
	return i%every != 0
}

// OutOf is Out for tables of which short tries more than the first case: one of so many cases in short, and one of so
// many usually.
func OutOf(i, inShort, usually int) bool {
	if Short() {
		return i%inShort != 0
	}
	return Out(i, usually)
}
