// construct: atomic.Pointer[T], struct
// outcomes: exact
// outcome: "nothing\n"
// outcome: "{1 2}\n"
// why: the pointer is stored after both fields are set, so a reader sees nil or a complete struct.

package main

import (
	"fmt"
	"sync/atomic"
)

type pair struct{ a, b int }

func main() {
	var p atomic.Pointer[pair]
	done := make(chan struct{})
	go func() {
		q := new(pair)
		q.a = 1
		q.b = 2
		p.Store(q)
		close(done)
	}()
	q := p.Load()
	<-done
	if q == nil {
		fmt.Println("nothing")
	} else {
		fmt.Println(*q)
	}
}
