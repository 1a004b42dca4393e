// construct: concurrent plain reads, no race
// outcomes: exact
// outcome: "5 5\n"
// why: reads do not race with each other, and the write comes before both goroutines start.

package main

import (
	"fmt"
	"sync"
)

func main() {
	x := 5
	var a, b int
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a = x; wg.Done() }()
	go func() { b = x; wg.Done() }()
	wg.Wait()
	fmt.Println(a, b)
}
