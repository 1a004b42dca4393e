// construct: double-checked locking with a plain pointer, data race
// outcomes: exact
// outcome: "7 7\n"
// outcome: race
// why: the first check reads the pointer without the lock. If one goroutine's first check comes while
//	the other is about to write: race. If both pass it before either writes (or one reads after
//	everything), the accesses never meet, and both get the object.

package main

import (
	"fmt"
	"sync"
)

type object struct{ n int }

var (
	mu     sync.Mutex
	single *object
)

func get() *object {
	if single != nil {
		return single
	}
	mu.Lock()
	defer mu.Unlock()
	if single == nil {
		single = &object{7}
	}
	return single
}

func main() {
	var a, b *object
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a = get(); wg.Done() }()
	go func() { b = get(); wg.Done() }()
	wg.Wait()
	fmt.Println(a.n, b.n)
}
