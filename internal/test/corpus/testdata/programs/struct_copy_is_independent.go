// construct: struct and array assignment, copies in goroutines
// outcomes: exact
// outcome: "[1 2] [7 2] [1 9]\n"
// why: each goroutine changes its own copy of the array inside the struct.

package main

import "fmt"

type box struct{ a [2]int }

func main() {
	b := box{[2]int{1, 2}}
	c, d := make(chan box), make(chan box)
	go func(b box) { b.a[0] = 7; c <- b }(b)
	go func(b box) { b.a[1] = 9; d <- b }(b)
	x, y := <-c, <-d
	fmt.Println(b.a, x.a, y.a)
}
