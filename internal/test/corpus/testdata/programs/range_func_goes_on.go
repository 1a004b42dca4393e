// construct: range over a function, panics
// outcomes: exact
// outcome: "runtime error: range function continued iteration after function for loop body returned false runtime.errorString\nruntime error: range function continued iteration after whole loop exit runtime.errorString\nruntime error: range function continued iteration after loop body panic runtime.errorString\nruntime error: range function recovered a loop body panic and did not resume panicking runtime.errorString\nruntime error: range function continued iteration after loop body panic runtime.errorString\n"
// why: one goroutine; gc tells apart a body that has returned false, one that has panicked, and a loop that is over.

package main

import "fmt"

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

func main() {
	var kept func(int) bool
	twice := func(yield func(int) bool) { kept = yield; yield(1); yield(2) }
	once := func(yield func(int) bool) { kept = yield; yield(1) }
	swallows := func(yield func(int) bool) {
		defer func() { recover() }()
		yield(1)
	}
	goesOn := func(yield func(int) bool) {
		swallows(yield)
		yield(2)
	}
	try(func() {
		for range twice {
			break
		}
	})
	try(func() {
		for range once {
		}
		kept(3)
	})
	try(func() {
		for range once {
			kept(3)
		}
	})
	try(func() {
		for x := range swallows {
			panic(x)
		}
	})
	try(func() {
		for x := range goesOn {
			panic(x)
		}
	})
}
