// construct: go statement, arguments evaluated by the caller
// outcomes: exact
// outcome: "1\n"
// why: the argument is evaluated in main before the goroutine starts, so the later change is not seen.

package main

import "fmt"

func main() {
	c := make(chan int, 1)
	x := 1
	go func(v int) { c <- v }(x)
	x = 2
	fmt.Println(<-c)
}
