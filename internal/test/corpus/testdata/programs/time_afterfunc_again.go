// construct: time.AfterFunc whose function resets its timer
// outcomes: exact
// outcome: "3 calls, active true\n"
// outcome: "4 calls, active false\n"
// why: the function sets its timer off again twice, so that it is called three times. Behind the last but one call it sets it off, and main,
//	which resets it as well, finds it set (it is called once more then), or finds that it has fired: then main's makes one call more.

package main

import (
	"fmt"
	"time"
)

func main() {
	self, calls := make(chan *time.Timer, 1), make(chan int, 4)
	n := 0
	self <- time.AfterFunc(time.Microsecond, func() {
		t := <-self
		if n++; n < 3 {
			t.Reset(time.Microsecond)
		}
		calls <- n
		self <- t
	})
	<-calls
	<-calls
	t := <-self
	active := t.Reset(time.Microsecond)
	self <- t
	last := <-calls
	if !active {
		last = <-calls
	}
	fmt.Printf("%d calls, active %v\n", last, active)
}
