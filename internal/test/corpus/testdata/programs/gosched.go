// construct: runtime.Gosched
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// why: yielding orders nothing.

package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

func main() {
	var x atomic.Int32
	go func() { x.Store(1) }()
	runtime.Gosched()
	fmt.Println(x.Load())
}
