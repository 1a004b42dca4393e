// construct: select between a ticker and a channel, fairness
// outcomes: exact
// outcome: "done\n"
// why: the value comes at some time, and a select that draws among what is ready does not choose
//	the ticker for ever.

package main

import (
	"fmt"
	"time"
)

func main() {
	tick := time.NewTicker(time.Second)
	done := make(chan bool, 1)
	go func() { done <- true }()
	for {
		select {
		case <-tick.C:
		case <-done:
			fmt.Println("done")
			return
		}
	}
}
