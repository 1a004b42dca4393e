// construct: sync.Pool
// outcomes: exact
// outcome: "new\n"
// outcome: "old\n"
// why: Get may return the item that was put or a new one, at the pool's choice.

package main

import (
	"fmt"
	"sync"
)

func main() {
	p := sync.Pool{New: func() any { return "new" }}
	p.Put("old")
	fmt.Println(p.Get())
}
