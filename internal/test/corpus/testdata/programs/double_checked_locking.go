// construct: double-checked locking with atomic.Pointer
// outcomes: exact
// outcome: "1 7 7\n"
// why: the second check under the lock lets only one goroutine create, and the pointer is stored
//	after the object is complete.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type object struct{ n int }

var (
	mu      sync.Mutex
	single  atomic.Pointer[object]
	created int
)

func get() *object {
	if o := single.Load(); o != nil {
		return o
	}
	mu.Lock()
	defer mu.Unlock()
	if o := single.Load(); o != nil {
		return o
	}
	o := &object{7}
	created++
	single.Store(o)
	return o
}

func main() {
	var a, b *object
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a = get(); wg.Done() }()
	go func() { b = get(); wg.Done() }()
	wg.Wait()
	fmt.Println(created, a.n, b.n)
}
