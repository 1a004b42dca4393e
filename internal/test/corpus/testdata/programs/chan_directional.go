// construct: directional channels, function parameters
// outcomes: exact
// outcome: "2 4\n"
// why: a pipeline of two stages with one goroutine each keeps the order.

package main

import "fmt"

func produce(out chan<- int) {
	out <- 1
	out <- 2
	close(out)
}

func double(in <-chan int, out chan<- int) {
	for v := range in {
		out <- 2 * v
	}
	close(out)
}

func main() {
	a, b := make(chan int), make(chan int)
	go produce(a)
	go double(a, b)
	fmt.Println(<-b, <-b)
}
