// construct: data race, atomic access against a plain one
// outcomes: subset
// outcome: race

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var x int32
	done := make(chan bool)
	go func() {
		atomic.AddInt32(&x, 1)
		done <- true
	}()
	y := x
	<-done
	fmt.Println(y)
}
