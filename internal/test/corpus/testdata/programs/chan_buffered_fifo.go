// construct: buffered channel, cap and len
// outcomes: exact
// outcome: "1 2 3 2\n"
// why: one sender and one receiver; a channel keeps the order.

package main

import "fmt"

func main() {
	c := make(chan int, 2)
	go func() {
		c <- 1
		c <- 2
		c <- 3
	}()
	a, b, d := <-c, <-c, <-c
	fmt.Println(a, b, d, cap(c))
}
