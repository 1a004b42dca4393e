//go:build prelude

//pangolin:for pangolin

package prelude

import (
	"os"
	"pangolin"
	"strconv"
	"testing"
	"unsafe"
)

// A test that asks for its own verification is executed like any other, from its beginning. Of
// what it asks for, only functions are executed, which are part of it: all of them, or the one that
// is looked for.

// checks counts the calls of CheckFunc by the names of tests.
var checks = map[string]int{}

// nextCheck says which call of CheckFunc in a test this one is.
func nextCheck(name string) int {
	atomicBegin(unsafe.Pointer(&checks), true)
	defer atomicEnd()
	checks[name]++
	return checks[name]
}

// over ends the program with status 0.
func over()

//pangolin:model pangolin.CheckFunc
func checkFunc(t testing.TB, f func(), options ...string) {
	wanted := argument(callArgument)
	if wanted == "" {
		f()
		return
	}
	if t.Name()+"#"+strconv.Itoa(nextCheck(t.Name())) != wanted {
		return
	}
	s := testOf(t.(*testing.T))
	returned := false
	defer func() {
		if !returned && !s.hasStopped() {
			return // a panic goes on
		}
		s.report()
		for s.parent != nil {
			s = s.parent
			s.report()
		}
		if testFailed(&s.test) {
			os.Exit(1)
		}
		over()
	}()
	f()
	returned = true
}

//pangolin:model pangolin.Check
func check(t testing.TB, r pangolin.Request) []*int { return nil }

type checksOf[T any] struct{}

//pangolin:model pangolin.CheckNew
func (checksOf[T]) checkNew(t testing.TB, newCollection func() T) []*int { return nil }

// SPDX-License-Identifier: BSD-3-Clause
