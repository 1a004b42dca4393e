// construct: select with default, ready case
// outcomes: exact
// outcome: "1\n"
// why: default is taken only if no case can proceed, and here one always can.

package main

import "fmt"

func main() {
	c := make(chan int, 1)
	c <- 1
	select {
	case v := <-c:
		fmt.Println(v)
	default:
		fmt.Println("default")
	}
}
