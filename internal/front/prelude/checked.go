//go:build prelude

//pangolin:for pangolin pangolin/check

package prelude

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
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
//pangolin:model pangolin/check.Func
func checkFunc(t testing.TB, f func(), options ...string) {
	wanted := argument(callArgument)
	if wanted == "" {
		inTime(t, f, options)
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
	inTime(t, f, options)
	returned = true
}

// deadlinePrefix stands in an option before a number of nanoseconds.
const deadlinePrefix = "deadline="

// watching calls a function when so many nanoseconds have passed, unless what it returns is called before. It is set if there are
// deadlines, so that the others need no timers.
var watching func(d int64, late func()) (done func())

//pangolin:model pangolin.Deadline
//pangolin:model pangolin/check.Deadline
func deadline(d time.Duration) string {
	atomicBegin(unsafe.Pointer(&watching), true)
	watching = watch
	atomicEnd()
	return deadlinePrefix + strconv.FormatInt(int64(d), 10)
}

// watch counts one nanosecond more: who returns at the deadline is not late, whoever comes first then. What is late and returns waits until
// that is noted.
func watch(d int64, late func()) (done func()) {
	noted := make(chan bool)
	timer := time.AfterFunc(time.Duration(d+1), func() {
		late()
		close(noted)
	})
	return func() {
		if !timer.Stop() {
			<-noted
		}
	}
}

// inTime calls a function, within the deadline among the options.
func inTime(t testing.TB, f func(), options []string) {
	for _, option := range options {
		text, ok := strings.CutPrefix(option, deadlinePrefix)
		d, err := strconv.ParseInt(text, 10, 64)
		if !ok || err != nil || !virtualTime() {
			continue
		}
		atomicBegin(unsafe.Pointer(&watching), false)
		begin := watching
		atomicEnd()
		s, place := testOf(t.(*testing.T)), callerPlace()
		defer begin(d, func() {
			s.add(place + ": the function has not returned after " + time.Duration(d).String() + ", its deadline\n")
			s.fail()
		})()
	}
	f()
}

// SPDX-License-Identifier: BSD-3-Clause
