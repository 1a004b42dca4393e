// construct: sync.OnceFunc, sync.OnceValue, sync.OnceValues
// outcomes: exact
// outcome: "1 10 10 2 <nil>\n"
// why: the counter is incremented once by each of three functions, and OnceValue's increment happens before its
//	value is returned; every caller gets the same value whoever is first.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var calls, others atomic.Int32
	value := sync.OnceValue(func() int { calls.Add(1); return 10 })
	hello := sync.OnceFunc(func() { others.Add(1) })
	both := sync.OnceValues(func() (int32, error) { return others.Add(1), nil })
	var a, b int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { hello(); a = value(); wg.Done() }()
	go func() { hello(); b = value(); wg.Done() }()
	wg.Wait()
	n, err := both()
	both()
	fmt.Println(calls.Load(), a, b, n, err)
}
