// construct: range over channel, deadlock
// outcomes: exact
// outcome: "1\n" deadlock
// waits: chan receive
// why: the sender ends without closing.

package main

import "fmt"

func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	for v := range c {
		fmt.Println(v)
	}
}
