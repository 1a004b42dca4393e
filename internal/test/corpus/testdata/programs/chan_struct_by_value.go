// construct: channel of structs and arrays, copies
// outcomes: exact
// outcome: "{[1 2] x} {[9 2] x}\n"
// why: the value is copied when it is sent, so the later change is not seen by the receiver.

package main

import "fmt"

type box struct {
	a [2]int
	s string
}

func main() {
	c := make(chan box, 1)
	b := box{[2]int{1, 2}, "x"}
	c <- b
	b.a[0] = 9
	fmt.Println(<-c, b)
}
