// construct: select with send and receive cases
// outcomes: exact
// outcome: "one received 2, two sent\n"
// outcome: "two received 1, one sent\n"
// why: both goroutines offer to send and to receive on the same channel; exactly one pair meets and
//	the direction is free. A goroutine never meets itself.

package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int)
	var got [2]int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range got {
		go func() {
			defer wg.Done()
			select {
			case c <- i + 1:
			case got[i] = <-c:
			}
		}()
	}
	wg.Wait()
	if got[0] != 0 {
		fmt.Printf("one received %d, two sent\n", got[0])
	} else {
		fmt.Printf("two received %d, one sent\n", got[1])
	}
}
