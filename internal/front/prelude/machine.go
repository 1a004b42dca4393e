//go:build prelude

package prelude

import "unsafe"

// runtimeError is what the machine panics with: its value is the message
// without its prefix.
type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }
func (e runtimeError) RuntimeError() {}

// rangeContinued panics when a function that is ranged over calls the body of the loop and must not; jump is what package
// ssa notes of the loop.
func rangeContinued(jump int) {
	const busy, done = -1, -2
	switch jump {
	case busy: // the body is on its way, or has panicked
		panic(runtimeError("range function continued iteration after loop body panic"))
	case done:
		panic(runtimeError("range function continued iteration after whole loop exit"))
	}
	panic(runtimeError("range function continued iteration after function for loop body returned false"))
}

// rangeSwallowed panics when a function that is ranged over has recovered a panic of the body of the loop, and returned.
func rangeSwallowed() {
	panic(runtimeError("range function recovered a loop body panic and did not resume panicking"))
}

// boundsError is the same for an index that is out of range.
type boundsError string

func (e boundsError) Error() string { return "runtime error: " + string(e) }
func (e boundsError) RuntimeError() {}

// plainError is an error of the runtime whose message has no prefix.
type plainError string

func (e plainError) Error() string { return string(e) }
func (e plainError) RuntimeError() {}

// assertionError and nilError are what a failed type assertion and panic(nil) panic with, in programs that
// cannot name their types. In others they are those of package runtime (runtime.go).
type assertionError string

func (e assertionError) Error() string { return string(e) }
func (e assertionError) RuntimeError() {}

type nilError string

func (e nilError) Error() string { return string(e) }
func (e nilError) RuntimeError() {}

func minFloat(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return x + y
	case x == 0 && y == 0:
		if 1/x < 0 {
			return x
		}
		return y
	case x < y:
		return x
	}
	return y
}

func maxFloat(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return x + y
	case x == 0 && y == 0:
		if 1/x < 0 {
			return y
		}
		return x
	case x > y:
		return x
	}
	return y
}

// What the machine provides. Between atomicBegin and atomicEnd no other thread
// runs; the pairs do not nest. The accesses between them are one atomic access to the word
// at p, which stands for the object: a write, or a read.

// choose returns a number below n; every one is explored.
func choose(n int) int

// chooseNumber is a random number below n: choose, but not the same number again and again within a step.
func chooseNumber(n int) int

// chooseQuarter is a random number from 0 to 3, one of few that stand for many.
func chooseQuarter() int
func atomicBegin(p unsafe.Pointer, write bool)
func atomicEnd()

// await returns when *flag is not zero.
func await(flag *int)

// output writes to standard output (1) or standard error (2).
func output(fd int, s string)

// isComparable says whether == on the value in v does not panic.
func isComparable(v any) bool

// unsupported ends the execution with a message, which is a constant.
func unsupported(what string)

// SPDX-License-Identifier: BSD-3-Clause
