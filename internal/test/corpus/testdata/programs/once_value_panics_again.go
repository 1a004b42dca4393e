// construct: sync.OnceValue, repeated panic
// outcomes: exact
// outcome: "boom 1\nboom 1\n"
// why: one goroutine only; the function panics once, and its panic is raised again at each call.

package main

import (
	"fmt"
	"sync"
)

func main() {
	n := 0
	value := sync.OnceValue(func() int { n++; panic("boom") })
	for range 2 {
		func() {
			defer func() { fmt.Println(recover(), n) }()
			value()
		}()
	}
}
