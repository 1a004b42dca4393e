// construct: iter.Pull, runtime.Goexit
// outcomes: exact
// outcome: "1 true\ncleaned\n<nil>\n0 false\n*runtime.PanicNilError\n"
// why: the iterator ends its goroutine, which is that of its consumer: next does not return, deferred calls see no panic.

package main

import (
	"fmt"
	"iter"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		next, stop := iter.Pull(func(yield func(int) bool) {
			defer fmt.Println("cleaned")
			yield(1)
			runtime.Goexit()
		})
		defer func() {
			fmt.Println(recover())
			fmt.Println(next())
			stop()
		}()
		fmt.Println(next())
		fmt.Println(next())
		fmt.Println("never")
	}()
	wg.Wait()
	next, stop := iter.Pull(func(yield func(int) bool) {
		yield(1)
		panic(nil)
	})
	next()
	func() {
		defer func() { fmt.Printf("%T\n", recover()) }()
		next()
	}()
	stop()
}
