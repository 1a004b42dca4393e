// construct: assignment of a variable to itself
// outcomes: exact
// outcome: "1 2\n"
// why: the compiler makes nothing of it, so nothing races.

package main

import "fmt"

var global = 2

func main() {
	x := 1
	done := make(chan bool)
	go func() {
		x = x
		global = global
		done <- true
	}()
	a, b := x, global
	<-done
	fmt.Println(a, b)
}
