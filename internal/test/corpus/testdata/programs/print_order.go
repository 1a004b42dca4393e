// construct: printing from several goroutines
// outcomes: exact
// outcome: "a\nb\nmain\n"
// outcome: "b\na\nmain\n"
// why: each line is one write; main prints after both.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { fmt.Println("a"); wg.Done() }()
	go func() { fmt.Println("b"); wg.Done() }()
	wg.Wait()
	fmt.Println("main")
}
