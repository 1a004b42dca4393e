// construct: runtime.Goexit in main, deadlock
// outcomes: exact
// outcome: "worker\n" deadlock
// why: main ends without ending the program; when the worker has printed nobody is left.

package main

import (
	"fmt"
	"runtime"
)

func main() {
	go fmt.Println("worker")
	runtime.Goexit()
}
