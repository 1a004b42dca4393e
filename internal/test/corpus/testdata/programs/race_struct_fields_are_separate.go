// construct: plain writes to different fields, no race
// outcomes: exact
// outcome: "{1 2}\n"
// why: the two goroutines write different fields of one struct.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var p struct{ a, b int8 }
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { p.a = 1; wg.Done() }()
	go func() { p.b = 2; wg.Done() }()
	wg.Wait()
	fmt.Println(p)
}
