// construct: select with nil channels, disabling a case
// outcomes: exact
// outcome: "[1 2]\n"
// outcome: "[2 1]\n"
// why: each case is disabled by nil after its value; the first of the two is free.

package main

import "fmt"

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 2
	var got []int
	for a != nil || b != nil {
		select {
		case v := <-a:
			got = append(got, v)
			a = nil
		case v := <-b:
			got = append(got, v)
			b = nil
		}
	}
	fmt.Println(got)
}
