// construct: unbuffered channel, several waiting receivers, fairness
// outcomes: exact
// outcome: "both\n"
// why: the sender sends for ever, but who waits is served in turn: each of the two gets a value
//	at some time, though one of them asks again and again.

package main

import "fmt"

func main() {
	c := make(chan int)
	got := make(chan bool, 1)
	go func() {
		for {
			c <- 1
		}
	}()
	go func() {
		for {
			<-c
		}
	}()
	go func() {
		<-c
		got <- true
	}()
	<-got
	fmt.Println("both")
}
