// construct: mark.Thread
// outcomes: exact
// outcome: "0 1 0\n"
// why: main asks first and the goroutine second; a thread always gets the same number.

package main

import (
	"fmt"

	"pangolin/mark"
)

func main() {
	c := make(chan int)
	a := mark.Thread()
	go func() { c <- mark.Thread() }()
	b := <-c
	fmt.Println(a, b, mark.Thread())
}
