// construct: select in a loop, closed channel, labeled break
// outcomes: exact
// outcome: "3\n"
// why: both values are received before the end, since the channel that ends the loop is closed only
//	after both sends have met a receiver; their sum does not depend on the order.

package main

import (
	"fmt"
	"sync"
)

func main() {
	a, b, quit := make(chan int), make(chan int), make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a <- 1; wg.Done() }()
	go func() { b <- 2; wg.Done() }()
	go func() { wg.Wait(); close(quit) }()
	sum := 0
loop:
	for {
		select {
		case v := <-a:
			sum += v
		case v := <-b:
			sum += v
		case <-quit:
			break loop
		}
	}
	fmt.Println(sum)
}
