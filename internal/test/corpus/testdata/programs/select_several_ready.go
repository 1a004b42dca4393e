// construct: select with several ready cases
// outcomes: exact
// outcome: "a\n"
// outcome: "b\n"
// why: both channels hold a value, and select chooses freely.

package main

import "fmt"

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
		fmt.Println("a")
	case <-b:
		fmt.Println("b")
	}
}
