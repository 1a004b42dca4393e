// construct: closure returning a channel, generic future
// outcomes: exact
// outcome: "3 ab\n"
// why: each result is waited for.

package main

import "fmt"

func async[T any](f func() T) func() T {
	c := make(chan T, 1)
	go func() { c <- f() }()
	return func() T { return <-c }
}

func main() {
	n := async(func() int { return 1 + 2 })
	s := async(func() string { return "a" + "b" })
	fmt.Println(n(), s())
}
