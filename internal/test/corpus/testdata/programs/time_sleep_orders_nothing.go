// construct: time.Sleep
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// why: sleeping is no synchronization: the goroutine may be slow. (Natively the sleeper nearly
//	always loses; the span is short so that it can win.)

package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

func main() {
	var x atomic.Int32
	go x.Store(1)
	time.Sleep(time.Microsecond)
	fmt.Println(x.Load())
}
