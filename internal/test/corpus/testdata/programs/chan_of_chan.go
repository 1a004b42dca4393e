// construct: channel of channels, request and reply
// outcomes: exact
// outcome: "10 20\n"
// why: each client gets the answer on its own channel, whatever the order of service.

package main

import (
	"fmt"
	"sync"
)

type request struct {
	n     int
	reply chan int
}

func main() {
	requests := make(chan request)
	go func() {
		for r := range requests {
			r.reply <- r.n * 10
		}
	}()
	var got [2]int
	var wg sync.WaitGroup
	for i := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			reply := make(chan int)
			requests <- request{i + 1, reply}
			got[i] = <-reply
		}()
	}
	wg.Wait()
	fmt.Println(got[0], got[1])
}
