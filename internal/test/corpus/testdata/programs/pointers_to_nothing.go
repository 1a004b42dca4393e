// construct: pointers to variables of no size, map of pointers, interfaces that hold pointers
// outcomes: exact
// open: pointers to variables of no size
// outcome: "false false false 2 true\n"
// outcome: "true true true 1 true\n"
// why: two variables of no size may or may not have one address, and whether they have is the same at each comparison:
//	directly, in interfaces, by CompareAndSwap, as keys. A pointer always equals itself.

package main

import (
	"fmt"
	"sync/atomic"
)

type nothing struct{ _ [0]int }

func main() {
	a, b := new(nothing), new(nothing)
	var x, y any = a, b
	var p atomic.Pointer[nothing]
	p.Store(a)
	keys := map[*nothing]bool{a: true, b: true}
	fmt.Println(a == b, x == y, p.CompareAndSwap(b, a), len(keys), keys[a] && a == a)
}
