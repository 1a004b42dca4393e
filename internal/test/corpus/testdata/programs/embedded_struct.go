// construct: embedded structs, promoted methods, embedded pointer and lock
// outcomes: exact
// outcome: "2 2\n"
// why: both additions go through the promoted lock of the same shared inner struct.

package main

import (
	"fmt"
	"sync"
)

type inner struct {
	sync.Mutex
	n int
}

func (i *inner) add() {
	i.Lock()
	defer i.Unlock()
	i.n++
}

type outer struct {
	*inner
	name string
}

func main() {
	shared := &inner{}
	a, b := outer{shared, "a"}, outer{shared, "b"}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a.add(); wg.Done() }()
	go func() { b.add(); wg.Done() }()
	wg.Wait()
	fmt.Println(a.n, b.n)
}
