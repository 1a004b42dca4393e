//go:build prelude

package prelude

import "unsafe"

// runtimeError is what the machine panics with: its value is the message
// without its prefix.
type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }
func (e runtimeError) RuntimeError() {}

// assertionError is what a failed type assertion panics with.
type assertionError string

func (e assertionError) Error() string { return string(e) }
func (e assertionError) RuntimeError() {}

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
func atomicBegin(p unsafe.Pointer, write bool)
func atomicEnd()

// await returns when *flag is not zero.
func await(flag *int)

// output writes to standard output (1) or standard error (2).
func output(fd int, s string)

// unsupported ends the execution with a message, which is a constant.
func unsupported(what string)
