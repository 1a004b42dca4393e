// construct: one producer, two consumers, range over a shared channel
// outcomes: exact
// outcome: "[1 2] []\n"
// outcome: "[1] [2]\n"
// outcome: "[2] [1]\n"
// outcome: "[] [1 2]\n"
// why: each value goes to exactly one consumer, each consumer sees its values in order.

package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int, 1)
	var got [2][]int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range got {
		go func() {
			defer wg.Done()
			for v := range c {
				got[i] = append(got[i], v)
			}
		}()
	}
	c <- 1
	c <- 2
	close(c)
	wg.Wait()
	fmt.Println(got[0], got[1])
}
