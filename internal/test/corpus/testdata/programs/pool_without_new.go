// construct: sync.Pool without New
// outcomes: exact
// outcome: "<nil> <nil>\n"
// outcome: "<nil> 7\n"
// why: nothing was put before the first Get. The second may return the item or nil.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var p sync.Pool
	first := p.Get()
	p.Put(7)
	fmt.Println(first, p.Get())
}
