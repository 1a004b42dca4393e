// construct: len of a buffered channel
// outcomes: exact
// outcome: "0\n"
// outcome: "1\n"
// outcome: "2\n"
// why: len is taken before, between or after the two sends, which never block.

package main

import "fmt"

func main() {
	c := make(chan int, 2)
	done := make(chan bool)
	go func() {
		c <- 1
		c <- 2
		done <- true
	}()
	n := len(c)
	<-done
	fmt.Println(n)
}
