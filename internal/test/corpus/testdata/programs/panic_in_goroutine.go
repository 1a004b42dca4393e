// construct: panic in a goroutine ends the program
// outcomes: exact
// outcome: panic "boom"
// why: main waits for a goroutine that never gets to its send; main's deferred functions do not run.

package main

import "fmt"

func main() {
	defer fmt.Println("never printed")
	c := make(chan bool)
	go func() {
		panic("boom")
	}()
	<-c
}
