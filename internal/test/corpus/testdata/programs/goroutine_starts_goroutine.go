// construct: nested goroutines, inherited order
// outcomes: exact
// outcome: "1 2\n"
// why: what a goroutine did before a go statement is visible to the new goroutine.

package main

import "fmt"

func main() {
	c := make(chan int)
	x, y := 0, 0
	go func() {
		x = 1
		go func() {
			y = x + 1
			c <- 0
		}()
	}()
	<-c
	fmt.Println(x, y)
}
