// construct: range over a function, runtime.Goexit
// outcomes: exact
// outcome: "kept after goexit in body recovered <nil>\ncall recovered runtime error: range function continued iteration after loop body panic\nkept after goexit in iterator recovered <nil>\ncall returned\ncall recovered <nil>\nkept after goexit in iterator's defer recovered <nil>\ncall recovered runtime error: range function continued iteration after function for loop body returned false\nnested recovered <nil>\ncall recovered runtime error: range function continued iteration after loop body panic\ndeferred\nswallow recovered <nil>\niterator goexits after panic in body recovered <nil>\ncall recovered runtime error: range function continued iteration after loop body panic\ngoexit while unwinding loop recovered runtime error: range function continued iteration after loop body panic\n"
// why: one goroutine at a time; to gc a loop whose body was left by Goexit is one whose body has panicked, and one whose function was left by Goexit goes on.

package main

import (
	"fmt"
	"runtime"
)

func run(name string, f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { fmt.Println(name, "recovered", recover()) }()
		f()
		fmt.Println(name, "returned")
	}()
	<-done
}

func main() {
	var kept func(int) bool
	run("kept after goexit in body", func() {
		for range func(yield func(int) bool) { kept = yield; yield(0) } {
			runtime.Goexit()
		}
	})
	run("call", func() { kept(1) })
	run("kept after goexit in iterator", func() {
		for range func(yield func(int) bool) { kept = yield; yield(0); runtime.Goexit() } {
		}
	})
	run("call", func() { kept(1) })
	run("kept after goexit in iterator's defer", func() {
		for range func(yield func(int) bool) { kept = yield; defer runtime.Goexit(); yield(0) } {
			break
		}
	})
	run("call", func() { kept(1) })
	run("nested", func() {
		for range func(yield func(int) bool) { yield(0) } {
			for range func(yield func(int) bool) { kept = yield; yield(0) } {
				runtime.Goexit()
			}
		}
	})
	run("call", func() { kept(1) })
	run("swallow", func() {
		for range func(yield func(int) bool) {
			func() {
				defer func() { recover() }()
				yield(1)
			}()
			fmt.Println("not here")
		} {
			defer func() { fmt.Println("deferred") }()
			runtime.Goexit()
		}
	})
	run("iterator goexits after panic in body", func() {
		for range func(yield func(int) bool) {
			defer runtime.Goexit()
			kept = yield
			yield(1)
		} {
			panic("body")
		}
	})
	run("call", func() { kept(1) })
	run("goexit while unwinding loop", func() {
		for range func(yield func(int) bool) {
			defer func() { fmt.Println("again", yield(2)) }()
			yield(1)
		} {
			runtime.Goexit()
		}
	})
}
