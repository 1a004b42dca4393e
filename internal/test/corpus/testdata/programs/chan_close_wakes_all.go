// construct: close, receive from closed channel
// outcomes: exact
// outcome: "0 false 0 false\n"
// why: every receive from a closed empty channel gives the zero value and false.

package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int)
	var v [2]int
	var ok [2]bool
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range v {
		go func() {
			v[i], ok[i] = <-c
			wg.Done()
		}()
	}
	close(c)
	wg.Wait()
	fmt.Println(v[0], ok[0], v[1], ok[1])
}
