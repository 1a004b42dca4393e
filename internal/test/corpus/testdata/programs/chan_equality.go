// construct: comparing channels, channel as map key
// outcomes: exact
// outcome: "true false 2\n"
// why: a channel is equal to itself only; converting its direction keeps its identity.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int)
	var r <-chan int = a
	m := map[chan int]int{a: 1, b: 2}
	fmt.Println(r == a, a == b, m[b])
}
