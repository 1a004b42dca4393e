// construct: select with only nil channels, deadlock
// outcomes: exact
// outcome: deadlock
// waits: select
// why: neither case can ever proceed.

package main

func main() {
	var a, b chan int
	select {
	case <-a:
	case b <- 1:
	}
}
