// construct: a value for a parked select or for one that waits at the buffer alone
// outcomes: exact
// outcome: "plain nobody\n"
// outcome: "plain sent a\n"
// outcome: "b nobody\n"
// why: the value goes to whoever came first. If that is the receive, the select may have parked, so
//	that main meets it on the other channel, or not have come yet. If it is the select, main meets
//	nobody, and the receive waits for ever. Main hears of the one that got the value first.

package main

import "fmt"

func main() {
	a, b := make(chan int), make(chan int, 1)
	done := make(chan string)
	go func() {
		<-b
		done <- "plain "
	}()
	go func() {
		select {
		case <-a:
			done <- "a"
		case <-b:
			done <- "b "
		}
	}()
	b <- 1
	fmt.Print(<-done)
	select {
	case a <- 2:
		fmt.Print("sent ")
	default:
		fmt.Print("nobody\n")
		return
	}
	fmt.Println(<-done)
}
