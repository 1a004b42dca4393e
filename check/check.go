// SPDX-License-Identifier: BSD-3-Clause

// Package check verifies the collections of a package in its tests, by the pangolin command:
//
//	func TestQueue(t *testing.T) { check.Verify(t, "-type=Queue") }
//
// A test that calls it fails with a printed witness if something is violated, and with the reason if a verdict is unknown. The package
// starts the command once for each test binary, passes it what is asked, and repeats in the test what it answers. It links
// nothing of the checker and needs nothing but the standard library, so that a module that requires it keeps its version of Go.
//
// The command is the one that the environment variable PANGOLIN names, otherwise "pangolin" in PATH, otherwise the one that is built from the
// checkout that this package belongs to. "go test" repeats a test when the verified code changes; after a new version of the command
// say "go test -count=1".
package check

import (
	"reflect"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// Verify is "pangolin verify" in a test, with its flags and package patterns; without patterns it is about the package under test:
//
//	check.Verify(t)                                    // every collection of the package
//	check.Verify(t, "-type=Queue", "-threads=2")       // one type
//	check.Verify(t, "-new=NewRing(2)", "-protocol=bounded(2)")
//
// The test fails if a collection is violated (unless -expect or a directive says so), if a verdict is unknown, and if something cannot be
// verified at all. Under -short it stays within configuration B unless a flag has bounds of its own. Some time before
// the test's deadline the search ends, with the verdict unknown.
//
// Witnesses are kept in testdata/pangolin, in a directory with the test's name, unless -out says otherwise. The next time they are executed
// first: what still goes wrong fails the test without a search, and what does not is removed. Run with
// -artifacts, the test keeps a page to step through each violation, and each verdict as JSON.
func Verify(t testing.TB, arguments ...string) {
	t.Helper()
	ask(t, question{Do: "verify", Arguments: arguments})
}

// New is Verify for the collection that a function makes. The function must have a name and no parameters, and be declared by the
// collection's package, possibly in a test file:
//
//	check.New(t, NewQueue)
//	check.New(t, NewQueueOf[string], "-threads=2")
func New[T any](t testing.TB, newCollection func() T, flags ...string) {
	t.Helper()
	made := reflect.TypeOf(newCollection).Out(0)
	named := made
	if made.Kind() == reflect.Pointer {
		named = made.Elem()
	}
	pc := reflect.ValueOf(newCollection).Pointer()
	fn := runtime.FuncForPC(pc)
	file, _ := fn.FileLine(pc)
	ask(t, question{Do: "new", Arguments: flags,
		Constructor: &constructor{Function: fn.Name(), File: file, Made: made.String(), Type: named.Name(), Package: named.PkgPath()}})
}

// Func executes a function of a test under every interleaving of the goroutines that it starts, with every decision that Go leaves open:
//
//	func TestTwoWriters(t *testing.T) {
//		check.Func(t, func() {
//			var wg sync.WaitGroup
//			q := NewQueue()
//			wg.Add(2)
//			go func() { defer wg.Done(); q.Put(1) }()
//			go func() { defer wg.Done(); q.Put(2) }()
//			wg.Wait()
//			if n := q.Len(); n != 2 {
//				t.Errorf("%d items", n)
//			}
//		})
//	}
//
// The test fails if some execution calls t.Error, t.Fatal or the like, panics, has a data race, deadlocks, never ends, or leaves a goroutine
// behind that waits for what nobody who may still move can reach. It fails as well if not everything could be explored, with the reason.
// Witnesses and artifacts are as with Verify.
//
// The function is never called natively: the command executes the source of the test from its beginning, without other calls of this package,
// up to and through this call. What comes before it must be something that the machine can execute, and must not depend on the disk, the
// environment or the time. The test has to be a test function of a package of its own. With Schedules it is called natively, in another process.
func Func(t testing.TB, f func(), options ...Option) {
	t.Helper()
	_ = f // its source is executed
	q := question{Do: "func", Call: nextCall(t), Stack: stack()}
	for _, o := range options {
		q.Arguments = append(q.Arguments, string(o))
	}
	ask(t, q)
}

// Option configures Func.
type Option string

// Options of Func. With VirtualTime the clock goes on to the next timer only when nobody can move, as in a bubble of package
// testing/synctest; with AnyTime, which is usual, timers fire at any moment.
const (
	VirtualTime Option = "virtual"
	AnyTime     Option = "any"
)

// Deadline asserts that the function returns so soon, in virtual time.
func Deadline(d time.Duration) Option { return Option("deadline=" + strconv.FormatInt(int64(d), 10)) }

// Schedules has the function executed n times as gc compiles it, natively, under schedules that are drawn at random: for what the machine does not
// execute (files, connections, assembly), or what is too large. That is testing, not proof: a test that passes has had no violation in so many
// schedules. A timer fires when nobody else can move. Goroutine leaks are not looked for.
func Schedules(n int) Option { return Option("schedules=" + strconv.Itoa(n)) }
