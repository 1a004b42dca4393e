// construct: pointer to a variable of no size as an owner's token
// outcomes: exact
// open: pointers to variables of no size
// outcome: race
// outcome: "1\n"
// outcome: "2\n"
// why: whoever finds its own token in owner takes itself for the owner. If all tokens have one address,
//	each goroutine does so while the other is inside, and both write n. If not, the lock excludes, and n becomes 2.

package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

type token struct{}

var (
	owner atomic.Pointer[token]
	n     int
)

func add(done chan bool) {
	me := new(token)
	for !owner.CompareAndSwap(nil, me) && owner.Load() != me {
		runtime.Gosched()
	}
	n++
	owner.Store(nil)
	done <- true
}

func main() {
	done := make(chan bool)
	go add(done)
	go add(done)
	<-done
	<-done
	fmt.Println(n)
}
