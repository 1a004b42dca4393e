// construct: atomic.Value Swap and CompareAndSwap, panic
// outcomes: exact
// outcome: "<nil> false true\nsync/atomic: store of inconsistently typed value into Value\n"
// why: one goroutine only; storing another type panics and is recovered.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var v atomic.Value
	old := v.Swap("a")
	no := v.CompareAndSwap("b", "c")
	yes := v.CompareAndSwap("a", "d")
	fmt.Println(old, no, yes)
	defer func() { fmt.Println(recover()) }()
	v.Store(3)
}
