// construct: two sleeps of different length
// outcomes: subset
// outcome: "short long\n"

package main

import (
	"fmt"
	"time"
)

func main() {
	c := make(chan string)
	go func() { time.Sleep(50 * time.Millisecond); c <- "long" }()
	go func() { time.Sleep(time.Millisecond); c <- "short" }()
	a := <-c
	fmt.Println(a, <-c)
}
