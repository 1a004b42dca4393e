// construct: unbuffered channel, two senders
// outcomes: exact
// outcome: "1 2\n"
// outcome: "2 1\n"
// why: either sender may be first.

package main

import "fmt"

func main() {
	c := make(chan int)
	for i := 1; i <= 2; i++ {
		go func() { c <- i }()
	}
	a := <-c
	b := <-c
	fmt.Println(a, b)
}
