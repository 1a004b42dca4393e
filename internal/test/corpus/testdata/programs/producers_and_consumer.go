// construct: two producers, one consumer, WaitGroup closes the channel
// outcomes: exact
// outcome: "[1 2 9]\n"
// outcome: "[1 9 2]\n"
// outcome: "[9 1 2]\n"
// why: the first producer's 1 and 2 stay in order, the other's 9 may stand anywhere.

package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int)
	var wg sync.WaitGroup
	produce := func(values ...int) {
		defer wg.Done()
		for _, v := range values {
			c <- v
		}
	}
	wg.Add(2)
	go produce(1, 2)
	go produce(9)
	go func() {
		wg.Wait()
		close(c)
	}()
	var got []int
	for v := range c {
		got = append(got, v)
	}
	fmt.Println(got)
}
