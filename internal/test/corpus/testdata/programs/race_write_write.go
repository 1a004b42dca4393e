// construct: data race, two plain writes
// outcomes: exact
// outcome: "1\n"
// outcome: "2\n"
// outcome: race
// why: both goroutines may be about to write at the same time. A checker that goes on after the race
//	sees either value last.

package main

import (
	"fmt"
	"sync"
)

func main() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { x = 1; wg.Done() }()
	go func() { x = 2; wg.Done() }()
	wg.Wait()
	fmt.Println(x)
}
