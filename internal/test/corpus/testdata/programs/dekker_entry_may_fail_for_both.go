// construct: atomic.Bool, entry protocol without waiting
// outcomes: exact
// outcome: "false false\n"
// outcome: "false true\n"
// outcome: "true false\n"
// why: each announces itself and then enters only if the other is not announced. Both entering
//	would be store buffering's forbidden outcome; both failing is both stores first.

package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

func main() {
	var wants [2]atomic.Bool
	var entered [2]bool
	var wg sync.WaitGroup
	wg.Add(2)
	for me := range 2 {
		go func() {
			wants[me].Store(true)
			entered[me] = !wants[1-me].Load()
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(entered[0], entered[1])
}
