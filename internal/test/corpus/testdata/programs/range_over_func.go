// construct: range over func, yield, break
// outcomes: exact
// outcome: "[1 2] stopped\n"
// why: the iterator is asked for no more after the break, and its deferred function runs.

package main

import "fmt"

func main() {
	status := ""
	numbers := func(yield func(int) bool) {
		defer func() { status = "stopped" }()
		c := make(chan int)
		done := make(chan bool)
		go func() {
			for i := 1; ; i++ {
				select {
				case c <- i:
				case <-done:
					return
				}
			}
		}()
		for yield(<-c) {
		}
		close(done)
	}
	var got []int
	for v := range numbers {
		got = append(got, v)
		if v == 2 {
			break
		}
	}
	fmt.Println(got, status)
}
