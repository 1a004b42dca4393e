// construct: recursion with goroutines and channels
// outcomes: exact
// outcome: "3\n"
// why: a fork and join tree adds up its leaves.

package main

import "fmt"

func sum(s []int) int {
	if len(s) == 1 {
		return s[0]
	}
	c := make(chan int)
	go func() { c <- sum(s[:1]) }()
	return sum(s[1:]) + <-c
}

func main() { fmt.Println(sum([]int{1, 2})) }
