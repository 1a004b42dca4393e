// construct: runtime.Goexit, deferred functions
// outcomes: exact
// outcome: "deferred <nil>\n"
// why: Goexit runs the deferred functions, in which there is no panic to recover, and nothing after.

package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan any)
	go func() {
		defer func() { c <- recover() }()
		func() { runtime.Goexit() }()
		c <- "not reached"
	}()
	fmt.Println("deferred", <-c)
}
